/** Recognises an order about the memory, or the answer to a question of the bot about one. */
import { conversationId, type IncomingMessage, type Message, type OptOuts, type PluginContext, type Turn } from 'kikimimi'
import type { Question, Questions } from './forgetting/questions.ts'
import type { Told } from './obey.ts'
import { readChoice, readOrder } from './orders.ts'

/** Number of messages in which later messages of the person are searched. */
const LOOKED_THROUGH = 200

/** Possible lengths of a list: two patterns, because a list has at most nine entries. */
const COUNTS = [1, 9]

export interface Listening {
  toldIn(turn: Turn, message: Message): Promise<Told | undefined>
  /** Whether the message answers a question to its author, or is an order with the name of the bot. Such a message addresses the bot. */
  answers(message: IncomingMessage): Promise<boolean>
}

export interface ListeningDeps {
  readonly ctx: Pick<PluginContext, 'bot' | 'history' | 'models'>
  readonly optOuts: Pick<OptOuts, 'has'>
  readonly questions: Questions
  /** Whether the memory has something about the topic that its author may forget. */
  isKnown(turn: Turn, topic: string): Promise<boolean>
}

export function createListening({ ctx, optOuts, questions, isKnown }: ListeningDeps): Listening {
  /** The open question to the author, if the author has written nothing else since. */
  async function asked({ conversation, author, id }: Pick<IncomingMessage, 'conversation' | 'author' | 'id'>) {
    const question = await questions.find(conversationId(conversation), author.id)
    if (!question) return undefined
    const history = await ctx.history(conversation, LOOKED_THROUGH)
    const order = history.findIndex(message => message.id === question.order)
    const now = history.findIndex(message => message.id === id)
    const since = history.slice(order + 1, now < 0 ? undefined : now)
    return order < 0 || since.some(message => message.author.id === author.id) ? undefined : question
  }

  async function choiceIn(message: Pick<IncomingMessage, 'conversation' | 'author' | 'id' | 'text'>, names: readonly string[]) {
    // Few messages have this form, so few of them cost a query.
    if (!COUNTS.some(count => readChoice(message.text, names, count) !== undefined)) return undefined
    const question: Question | undefined = await asked(message)
    const choice = question && readChoice(message.text, names, question.choices.length)
    return choice && ({ kind: 'choose', question, choice } as const)
  }

  return {
    async toldIn(turn, message) {
      const { conversation, me } = turn
      const { author, text, mentions } = message
      if (!message.addressed || author.bot) return undefined
      const mentioned = mentions.filter(({ id }) => id === me.id).map(({ name }) => name)
      const names = [...ctx.bot.personaIn(conversation).names, me.name, ...mentioned]
      const chosen = await choiceIn({ ...message, conversation }, names)
      if (chosen) return chosen
      const order = readOrder(text, names)
      // From other people, the same words mean something else.
      if (order?.kind === 'opt-in' && !(await optOuts.has({ platform: conversation.platform, id: author.id }))) return undefined
      // A question off the record gets its answer.
      if (order?.kind === 'leave-out' && order.means === 'this' && /[?？]\s*$/u.test(text)) return undefined
      if (!order?.isUnsure) return order
      // A model reads what the rules do not read for sure, and has tools for it.
      if (ctx.models.callsTools('chat')) return undefined
      return order.kind === 'forget' && order.topic !== undefined && !(await isKnown(turn, order.topic)) ? undefined : order
    },

    async answers(message) {
      if (message.author.bot) return false
      const { names } = ctx.bot.personaIn(message.conversation)
      return isCall(message.text, names, ctx.models.callsTools('chat')) || (await choiceIn(message, names)) !== undefined
    },
  }
}

/** The bot asks back about what cannot be meant for another person, if no model reads it. */
function isCall(text: string, names: readonly string[], hasModel: boolean): boolean {
  const folded = text.toLowerCase()
  if (!names.some(name => folded.includes(name.toLowerCase()))) return false
  const order = readOrder(text, names)
  if (order === undefined || order.kind === 'opt-in') return false
  return !order.isUnsure || (!hasModel && order.kind !== 'forget' && order.kind !== 'remember')
}
