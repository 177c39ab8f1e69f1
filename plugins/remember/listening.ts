/** Recognises an order about the memory, or the answer to a question of the bot about one. */
import { conversationId, type IncomingMessage, type Message, type OptOuts, type PluginContext, type Turn } from 'kikimimi'
import type { Question, Questions } from './forgetting/questions.ts'
import { type FreeDeps, freeOrderOf } from './free/listen.ts'
import { fromOptedOut } from './free/opted-out.ts'
import type { Told } from './obey.ts'
import { type Order, readChoice, readOrder } from './orders.ts'

/** Number of messages in which later messages of the person are searched. */
const LOOKED_THROUGH = 200

/** Several stages read the same message. */
const RECENT = 100

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
  readonly facts: FreeDeps['facts']
}

export function createListening({ ctx, optOuts, questions, facts }: ListeningDeps): Listening {
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

  /** The orders of the last messages: what an order changes does not change how it is read. */
  const read = new Map<string, Promise<Order | undefined>>()
  function readFree(turn: Turn, message: Message, names: readonly string[]): Promise<Order | undefined> {
    const key = JSON.stringify([turn.conversation.id, message.id, message.text])
    const known = read.get(key)
    if (known !== undefined) return known
    const order = freeOrderOf({ ctx, facts }, turn, message, names)
    const [oldest] = read.size < RECENT ? [] : read.keys()
    if (oldest !== undefined) read.delete(oldest)
    read.set(key, order)
    order.catch(() => read.delete(key))
    return order
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
      if (await optOuts.has({ platform: conversation.platform, id: author.id })) return fromOptedOut(text, names)
      const order = readOrder(text, names)
      // From people who are heard, the same words mean something else.
      if (order?.kind === 'opt-in') return undefined
      // A question off the record gets its answer.
      if (order?.kind === 'leave-out' && order.means === 'this' && /[?？]\s*$/u.test(text)) return undefined
      if (order !== undefined && !order.isUnsure) return order
      const free = isKorean(text) ? order : await readFree(turn, message, names)
      // A model that calls tools reads what is not sure.
      const told = free && { ...free, ...unsure(order) }
      return told?.isUnsure && ctx.models.callsTools('chat') ? undefined : told
    },

    async answers(message) {
      if (message.author.bot) return false
      const { names } = ctx.bot.personaIn(message.conversation)
      return isCall(message.text, names) || (await choiceIn(message, names)) !== undefined
    },
  }
}

/** The learned model does not know Korean. */
function isKorean(text: string): boolean {
  return /\p{sc=Hangul}/u.test(text)
}

/** An order about some of several things stays unsure. */
function unsure(order: Order | undefined): Pick<Order, 'isUnsure'> {
  return order?.isUnsure && (order.kind === 'leave-out' || order.kind === 'forget') ? { isUnsure: true } : {}
}

/** An order with the name of the bot addresses it. */
function isCall(text: string, names: readonly string[]): boolean {
  const folded = text.toLowerCase()
  if (!names.some(name => folded.includes(name.toLowerCase()))) return false
  const order = readOrder(text, names)
  return order !== undefined && order.kind !== 'opt-in' && !order.isUnsure
}
