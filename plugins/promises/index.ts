/** Reminders and standing tasks from plain words, watched words, webhooks, and what the bot itself promised. */

import { orderText } from '@kikimimi/orders'
import { type Now, resolve } from '@kikimimi/times'
import {
  Access,
  Channels,
  type Conversation,
  channelOf,
  conversationId,
  definePlugin,
  type ForgottenPerson,
  KikimimiError,
  languageOf,
  type Message,
  MessageLog,
  type Person,
  type Turn,
} from 'kikimimi'
import { commands } from './commands.ts'
import { createCompose } from './compose.ts'
import { createEdits } from './edits.ts'
import { createExecutor } from './executor.ts'
import { options } from './options.ts'
import { promiseIn } from './own-promises.ts'
import { createQuestions } from './questions.ts'
import { isAnswerLike, readAnswer } from './reading/answers.ts'
import { mentionIn } from './reading/changes.ts'
import { type Order, readNoteOrder, readOrder } from './reading/orders.ts'
import { createReminders } from './store.ts'
import { createTelling } from './telling.ts'
import { texts } from './texts.ts'
import { setReminder } from './tool.ts'
import { createUnsaid } from './unsaid.ts'
import { createWatches } from './watches.ts'
import { addWebhooks } from './webhooks.ts'

/** The reaction to an order of a person who may not give it. */
const REFUSED = '🚫'

/** The reason in the trace. */
const WHY: Readonly<Record<Order['kind'], string>> = {
  set: 'is asked to remind',
  watch: 'is asked to watch for words',
  list: 'is asked for the reminders',
  cancel: 'is told to cancel a reminder',
  move: 'is told to move a reminder',
  both: 'is told to change a reminder, and more',
  refuse: 'is told whether others may remind the person',
}

/** An order of a person. */
interface Given {
  readonly order: Order
  /** The message with its words, if this one answers what the bot has asked about it. */
  readonly asked?: string
  /** The person has said yes to what the bot has asked, or no. */
  readonly isAgreed?: boolean
  readonly isDeclined?: boolean
}

/** Messages of a place in whose authors a name is looked for. */
const EVERYBODY = 300

/** Messages among which the answer of a turn is found. */
const RECENT = 20

export default definePlugin({
  name: 'promises',
  options,
  scoped: ['ownPromises'],
  needs: [Access, Channels, MessageLog],
  before: ['remember', 'proactive', 'eavesdrop', 'judge-rules', 'judge-llm', 'reply'],
  migrations: new URL('./migrations/', import.meta.url),
  prompts: new URL('./prompts/', import.meta.url),
  remembers: true,
  servesHttp: ({ webhooks }) => Object.keys(webhooks).length > 0,
  setup: async (ctx, { tool, isHoliday, webhooks }) => {
    const { db } = ctx
    const reminders = createReminders(db)
    const compose = createCompose(ctx)
    const zoneIn = (conversation: Conversation) => ctx.bot.personaIn(conversation).timeZone
    const unsaid = await createUnsaid(ctx)
    const telling = createTelling({
      ...{ ctx, reminders, unsaid, isHoliday },
      followUp: ({ place, authorName: name, content }, signal) => compose(place, { prompt: 'follow-up', name, content }, signal),
    })
    const watches = await createWatches(ctx)
    const questions = createQuestions(db, ctx.use(MessageLog), ctx.clock)
    const executor = createExecutor({ ...{ ctx, db, reminders, telling, watches, isHoliday }, zoneIn })

    const localeOf = (text: string) => languageOf([{ text, own: false }], ctx.bot.locale)
    await createEdits({ ctx, db, executor, questions, reminders, telling, watches, localeOf })

    /** The order in a message. It is read in several stages. */
    const read = new WeakMap<Message, Promise<Given | undefined>>()
    function orderIn(turn: Turn, message: Message): Promise<Given | undefined> {
      const known = read.get(message) ?? readIn(turn, message)
      read.set(message, known)
      return known
    }

    async function readIn({ conversation, me, persona, history }: Turn, message: Message): Promise<Given | undefined> {
      if (message.addressed === undefined) return undefined
      const names = [...persona.names, me.name]
      const people = othersIn(message, history, me)
      const order = await orderOf(conversation, message.text, names, people, executor.nowIn(conversation))
      const isGuess = order && 'isGuess' in order && order.isGuess
      if (order && !isGuess) return { order }
      const answer = await answerIn(conversation, message, names, people)
      if (answer || !order) return answer
      // A model with the tool decides what such words mean.
      return (tool && ctx.models.callsTools('chat')) || answersBot(message, history) ? undefined : { order }
    }

    async function orderOf(
      conversation: Conversation,
      text: string,
      names: readonly string[],
      people: readonly Person[],
      now: Now,
    ): Promise<Order | undefined> {
      const first = readOrder(text, names, people, now)
      const order =
        first?.kind === 'set' || first?.kind === 'both'
          ? readOrder(text, names, await everybodyIn(conversation, people), now)
          : first
      const isUnnamed = (order?.kind === 'cancel' || order?.kind === 'move') && !order.isNamed
      if (order && (!isUnnamed || (await executor.isAbout(conversation, order)))) return order
      const mention = mentionIn(orderText(text, names))
      return mention && (await executor.isAbout(conversation, mention)) ? mention : readNoteOrder(text, names, now)
    }

    /** Those who wrote in the place, also a while ago: a request can name them. */
    async function everybodyIn({ id }: Conversation, people: readonly Person[]): Promise<readonly Person[]> {
      const said = await ctx.use(MessageLog).read({ readers: 'operator', conversations: [id], own: false, limit: EVERYBODY })
      return [...new Map([...said.map(({ author }) => author), ...people].map(one => [one.name.toLowerCase(), one])).values()]
    }

    /** The answer to what the bot has asked about an order: with the words of the order, at the time when it was given. */
    async function answerIn(
      conversation: Conversation,
      { id, author, text }: Pick<Message, 'id' | 'author' | 'text'>,
      names: readonly string[],
      people: readonly Person[],
      isCall = true,
    ): Promise<Given | undefined> {
      const now = executor.nowIn(conversation)
      const asked = await questions.find(conversation.id, author.id, id, said => isAnswerLike(said, names))
      if (!asked) return undefined
      const everybody = await everybodyIn(conversation, [...asked.mentions, ...people])
      const order = await orderOf(conversation, asked.text, names, everybody, { ...now, now: asked.at.getTime() })
      const answered = order && readAnswer(text, names, order, now, isCall)
      if (!answered) return undefined
      return answered === 'declined' ? { order, asked: asked.message, isDeclined: true } : { ...answered, asked: asked.message }
    }

    const wordsFor = ({ history }: Turn, message: Message) => languageOf([message], languageOf(history, ctx.bot.locale))

    /** Why the person may not give the order. */
    const refusal = ({ conversation, message }: Turn) => ctx.use(Access).refusesOrders(conversation, message.author)

    /** Keeps what the answer of the turn promised. */
    async function keepPromise(turn: Turn, sent: readonly string[]): Promise<void> {
      const { conversation, message } = turn
      const history = await ctx.history(conversation, RECENT)
      const said = history.filter(({ own, id, leftOut }) => own && sent.includes(id) && !leftOut)
      const promise = promiseIn(said.map(({ text }) => text).join('\n'))
      if (!promise || (await reminders.hasPromise(conversation))) return
      const when = resolve(promise.when, executor.nowIn(conversation))
      if ('problem' in when) return
      const sources = [{ channel: channelOf(conversation), messages: said.map(({ id }) => id) }]
      const asked = { conversation, person: message.author, message: message.id, locale: wordsFor(turn, message), sources }
      await executor.add(asked, when, promise.content, { kind: 'promise' })
    }

    return {
      async address(message) {
        const { author } = message
        const conversation = { id: conversationId(message.conversation), ...message.conversation }
        const { names } = ctx.bot.personaIn(conversation)
        if (author.bot || !isAnswerLike(message.text, names)) return undefined
        return (await answerIn(conversation, message, names, [], false)) ? 'reply' : undefined
      },

      async decide(turn) {
        const given = turn.addressed && (await orderIn(turn, turn.message))
        if (!given) return undefined
        const refused = await refusal(turn)
        return refused === undefined ? { kind: 'full', why: WHY[given.order.kind] } : { kind: 'react', why: refused }
      },

      async separate(turn, added) {
        return (await orderIn(turn, added)) && 'an order of its own'
      },

      async respond(turn) {
        const { conversation, message } = turn
        const given = turn.addressed && (await orderIn(turn, message))
        if (!given) return undefined
        if ((await refusal(turn)) !== undefined) return { kind: 'reaction', emoji: REFUSED }
        const { order, isAgreed, isDeclined, asked = message.id } = given
        const locale = wordsFor(turn, message)
        try {
          if (isDeclined) {
            await questions.close(conversation.id, message.author.id)
            return { kind: 'text', text: texts(locale)('left') }
          }
          // Before a reminder is cancelled or moved.
          if (order.kind !== 'set' && order.kind !== 'watch') turn.sources.push(...(await executor.sourcesIn(conversation)))
          const { text, asks } = await executor.execute(
            order,
            { conversation, person: message.author, message: asked, locale },
            isAgreed,
          )
          if (asks) await questions.ask(conversation, message.author.id, asked)
          else if (given.asked !== undefined) await questions.close(conversation.id, message.author.id)
          return { kind: 'text', text }
        } catch (error) {
          // Without this text, the model of the next responder could claim success.
          ctx.log.warn(
            `an order could not be carried out: ${error instanceof KikimimiError ? error.message : 'an unexpected error'}`,
          )
          return { kind: 'text', text: texts(locale)('failed') }
        }
      },

      async after(turn, { outcome, reply, sent }) {
        const isAnswer = outcome === 'replied' && turn.addressed && reply?.kind === 'text' && reply.plugin !== 'promises'
        if (isAnswer && ctx.optionsFor(turn.conversation).ownPromises) await keepPromise(turn, sent)
        if (outcome === 'replied' && turn.addressed) await unsaid.tellAfter(turn)
      },

      onRecorded: (message, conversation) => watches.heard(message, conversation),

      commands: commands(executor),
      tools: tool ? [setReminder(executor, reminders)] : [],

      ...(Object.keys(webhooks).length > 0 && {
        routes: server => addWebhooks(server, { ctx, webhooks, channels: ctx.use(Channels), compose }),
      }),

      forget: person => forget(person),
    }

    /** Deletes what the person asked for. What others asked for stays, whatever name it holds. */
    async function forget({ platform, id, before }: ForgottenPerson): Promise<void> {
      const theirs = `place->>'platform' = $1 and author = $2 and made_at <= $3`
      await db.query(`delete from promises.reminder where ${theirs}`, [platform, id, before])
      await db.query(`delete from promises.dropped where place->>'platform' = $1 and author = $2`, [platform, id])
      await questions.forget({ platform, id })
      await unsaid.forget({ platform, id })
      await reminders.refuse({ platform, id }, false)
      await db.query(
        "update promises.reminder set target = null, target_name = null where target = $2 and place->>'platform' = $1",
        [platform, id],
      )
      const { rows } = await db.query<{ id: number }>(`select id from promises.watch where ${theirs}`, [platform, id, before])
      await watches.removeAll(rows.map(row => row.id))
      await db.query(
        `delete from promises.watch_told t using promises.watch w where w.id = t.watch and w.place->>'platform' = $1 and t.person = $2`,
        [platform, id],
      )
    }
  },
})

/** Whether the message replies to the bot, or follows its question. */
function answersBot({ addressed }: Message, history: readonly Message[]): boolean {
  return addressed === 'reply' || history.slice(-2).some(({ own, text }) => own && /[?？]/u.test(text))
}

/** Whom the message can name: the people whom it mentions, and those who wrote before. */
function othersIn({ mentions, author }: Message, history: readonly Message[], me: Person): readonly Person[] {
  const wrote = history.filter(({ own }) => !own).map(one => one.author)
  const others = [...mentions, ...wrote].filter(({ id }) => id !== me.id && id !== author.id)
  return [...new Map(others.map(one => [one.name.toLowerCase(), one])).values()]
}
