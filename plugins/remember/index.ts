/** Remembers, forgets, and tells what it knows when somebody asks. */
import { Facts } from '@kikimimi/facts'
import {
  conversationId,
  definePlugin,
  type IncomingMessage,
  KikimimiError,
  type Message,
  type PersonKey,
  type Turn,
} from 'kikimimi'
import { z } from 'zod'
import { createAnswered } from './answered.ts'
import { carryOut, type Finishing } from './finish.ts'
import { createObeying, type Obeyed, type Told, WHY, wordsFor } from './obey.ts'
import { callsFor, createOptOuts } from './opt-outs.ts'
import { readChoice, readOrder } from './orders.ts'
import { createQuestions, type Question } from './questions.ts'
import { rememberFact } from './remember-fact.ts'

/** By then an order was answered, or its turn died with the process. */
const ANSWERED_BY_THEN = 60_000

/** Messages that are looked through for one that may be gone, and for what somebody has said since. */
const LOOKED_THROUGH = 200

const options = z
  .strictObject({
    tool: z
      .boolean()
      .default(true)
      .describe('Whether the model can remember what somebody asks for in other words, with the tool remember_fact.'),
  })
  .prefault({})

export default definePlugin({
  name: 'remember',
  options,
  needs: [Facts],
  migrations: new URL('./migrations/', import.meta.url),
  setup: (app, { tool }) => {
    const { db, clock, persona } = app
    const facts = app.use(Facts)
    const optOuts = createOptOuts(db, clock)
    const questions = createQuestions(db, clock)
    const answered = createAnswered(db, clock)
    const obey = createObeying({ app, facts, optOuts, questions })
    const finishing = app.job<Finishing>('finish', work => carryOut({ app, db, questions }, work))
    /** What was obeyed in turns that are not over. */
    const inHand = new Map<string, Obeyed>()
    /** Who the bot is on each platform. */
    const own = new Map<string, string>()

    /** What somebody was asked, if they have said nothing else since. */
    async function pending(
      conversation: IncomingMessage['conversation'],
      author: string,
      message: string,
    ): Promise<Question | undefined> {
      const question = await questions.find(conversationId(conversation), author)
      if (!question) return undefined
      const history = await app.history(conversation, LOOKED_THROUGH)
      const asked = history.findIndex(({ id }) => id === question.order)
      const now = history.findIndex(({ id }) => id === message)
      const since = history.slice(asked + 1, now < 0 ? undefined : now)
      return asked < 0 || since.some(one => one.author.id === author) ? undefined : question
    }

    async function toldIn({ conversation, me }: Turn, message: Message): Promise<Told | undefined> {
      const { author, text } = message
      if (!message.addressed || author.bot) return undefined
      const names = [...persona.names, me.name]
      const order = readOrder(text, names)
      // From others the same words may mean something else.
      const heard = order?.kind === 'opt-in' && !(await optOuts.holds({ platform: conversation.platform, id: author.id }))
      if (order && !heard) return order
      const question = mayChoose(text, names) ? await pending(conversation, author.id, message.id) : undefined
      const choice = question && readChoice(text, names, question.choices.length)
      return choice && { kind: 'choose', question, choice }
    }

    /** Carries it out, and sees to it that what has to follow does, even when the bot dies now. */
    async function carry(turn: Turn, message: Message, told: Told): Promise<Obeyed> {
      const obeyed = await obey(turn, message, told)
      const at = new Date(clock.now() + ANSWERED_BY_THEN)
      if (obeyed.finish) await finishing.schedule({ finish: obeyed.finish, sent: [] }, { at, key: keyOf(turn, message) })
      return obeyed
    }

    async function finish(turn: Turn, message: Message, { finish }: Obeyed, sent: readonly string[]): Promise<void> {
      if (finish) await finishing.schedule({ finish, sent }, { key: keyOf(turn, message) })
    }

    /** Somebody else has called since: the turn answers them. */
    async function answerBeside(turn: Turn, message: Message): Promise<void> {
      const told = await toldIn(turn, message)
      if (!told) return
      const obeyed = await carry(turn, message, told)
      if (!(await answered.take(turn.conversation, message.id))) return
      // A quotation may open a thread, where nobody would be waited for to choose.
      const replyTo = obeyed.finish?.kind !== 'asked' && { replyTo: message.id }
      const sent = await app.send(turn.conversation, { kind: 'text', text: obeyed.text, ...replyTo })
      await finish(turn, message, obeyed, sent)
    }

    /** The answer was not sent: the message says something else now, or is gone. */
    async function calledOff(turn: Turn, obeyed: Obeyed | undefined): Promise<void> {
      const { conversation, message } = turn
      const now = (await app.history(conversation, LOOKED_THROUGH)).find(({ id }) => id === message.id)
      if (now && now.text !== message.text) return finishing.cancel(keyOf(turn, message))
      const told = now ? undefined : readOrder(message.text, [...persona.names, turn.me.name])
      if (told?.kind !== 'forget-me' && told?.kind !== 'opt-out') return obeyed && finish(turn, message, obeyed, [])
      // Who wants to leave no trace takes back that wish too, and means it.
      const wanted = obeyed ?? (await carry(turn, message, told))
      const sent = await app.send(conversation, { kind: 'text', text: wanted.text })
      await finish(turn, message, wanted, sent)
    }

    return {
      async filter(message) {
        const person: PersonKey = { platform: message.conversation.platform, id: message.author.id }
        if (!(await optOuts.covers(person, message.at))) return undefined
        const order = (await optOuts.holds(person)) ? readOrder(message.text, persona.names)?.kind : undefined
        const calls = callsFor(message, persona.names, own.get(person.platform))
        return (order === 'opt-in' || order === 'forget-me') && calls ? undefined : 'does not want to be heard'
      },

      async address({ id, conversation, author, text }) {
        if (author.bot || !mayChoose(text, persona.names)) return undefined
        const question = await pending(conversation, author.id, id)
        return question && readChoice(text, persona.names, question.choices.length) ? 'reply' : undefined
      },

      async decide(turn) {
        for (const message of turn.messages) if (message.id !== turn.message.id) await answerBeside(turn, message)
        const told = await toldIn(turn, turn.message)
        return told && { kind: 'full', why: WHY[told.kind] }
      },

      async respond(turn) {
        const told = await toldIn(turn, turn.message)
        if (!told) return undefined
        try {
          const obeyed = await carry(turn, turn.message, told)
          inHand.set(turn.id, obeyed)
          return { kind: 'text', text: obeyed.text }
        } catch (error) {
          // The model that would be asked next might say that it was done.
          app.log.warn(`an order could not be carried out: ${error instanceof KikimimiError ? error.message : named(error)}`)
          return { kind: 'text', text: wordsFor(turn, turn.message, app.locale).failed }
        }
      },

      async after(turn, { outcome, sent }) {
        own.set(turn.conversation.platform, turn.me.id)
        const obeyed = inHand.get(turn.id)
        inHand.delete(turn.id)
        if (outcome === 'cancelled') await calledOff(turn, obeyed)
        else if (obeyed) await finish(turn, turn.message, obeyed, sent)
      },

      tools: tool ? [rememberFact(facts)] : [],
      forget: person => questions.forget(person),
    }
  },
})

/** A list has nine entries at most. */
const MOST = 9

function mayChoose(text: string, names: readonly string[]): boolean {
  return [1, MOST].some(count => readChoice(text, names, count) !== undefined)
}

function keyOf({ conversation }: Turn, { id }: Message): string {
  return `${conversation.id}\n${id}`
}

/** Without its message, which may quote what was said. */
function named(error: unknown): string {
  return error instanceof Error ? `an error (${error.name})` : 'an error'
}
