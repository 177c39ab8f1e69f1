/** Reminders and standing tasks from plain words, watched words, webhooks, and what the bot itself promised. */

import { resolve } from '@kikimimi/times'
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
import { withoutName } from './call.ts'
import { commands } from './commands.ts'
import { createCompose } from './compose.ts'
import { createEdits } from './edits.ts'
import { createExecutor } from './executor.ts'
import { options } from './options.ts'
import type { Order } from './orders.ts'
import { promiseIn } from './own-promises.ts'
import { createQuestions } from './questions.ts'
import { readTime } from './request.ts'
import { createReminders } from './store.ts'
import { type OrderTo, readOrderTo } from './target.ts'
import { createTelling } from './telling.ts'
import { texts } from './texts.ts'
import { setReminder } from './tool.ts'
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
}

/** A longer text says more than a time. */
const LONGEST_ANSWER = 60

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
    const telling = createTelling({
      ...{ ctx, reminders, isHoliday },
      followUp: ({ place, authorName: name, content }, signal) => compose(place, { prompt: 'follow-up', name, content }, signal),
    })
    const watches = await createWatches(ctx)
    const questions = createQuestions(db, ctx.use(MessageLog), ctx.clock)
    const executor = createExecutor({ ...{ ctx, db, reminders, telling, watches, isHoliday }, zoneIn })

    const localeOf = (text: string) => languageOf([{ text, own: false }], ctx.bot.locale)
    await createEdits({ ctx, db, executor, reminders, telling, watches, localeOf })

    /** The order in a message. It is read in several stages. */
    const read = new WeakMap<Message, Promise<OrderTo | undefined>>()
    function orderIn(turn: Turn, message: Message): Promise<OrderTo | undefined> {
      const known = read.get(message) ?? readIn(turn, message)
      read.set(message, known)
      return known
    }

    async function readIn({ conversation, me, persona, history }: Turn, message: Message): Promise<OrderTo | undefined> {
      if (message.addressed === undefined) return undefined
      const names = [...persona.names, me.name]
      const people = othersIn(message, history, me)
      const order = await orderOf(conversation, withoutName(message.text, names), people)
      return order ?? answerIn(conversation, message, names, people)
    }

    async function orderOf(conversation: Conversation, text: string, people: readonly Person[]): Promise<OrderTo | undefined> {
      const order = readOrderTo(text, people, executor.nowIn(conversation))
      if ((order?.kind !== 'cancel' && order?.kind !== 'move') || order.isSure) return order
      const isThere =
        (await executor.find(conversation, order.which)).length > 0 || (await executor.findWatch(conversation, order.which))
      return isThere ? order : undefined
    }

    /** The time that the bot has asked for, with the words of the request. */
    async function answerIn(
      conversation: Conversation,
      { id, author, text }: Pick<Message, 'id' | 'author' | 'text'>,
      names: readonly string[],
      people: readonly Person[],
    ): Promise<OrderTo | undefined> {
      const now = executor.nowIn(conversation)
      const when = text.length <= LONGEST_ANSWER ? readTime(withoutName(text, names), now) : undefined
      if (!when) return undefined
      const request = await questions.find(conversation.id, author.id, id)
      if (!request) return undefined
      const order = readOrderTo(withoutName(request.text, names), [...request.mentions, ...people], now)
      return order?.kind === 'set' ? { ...order, when, asked: request.message } : undefined
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
      await executor.add(asked, when, promise.content, 'promise')
    }

    return {
      async address(message) {
        const { author } = message
        const conversation = { id: conversationId(message.conversation), ...message.conversation }
        if (author.bot) return undefined
        return (await answerIn(conversation, message, ctx.bot.personaIn(conversation).names, [])) ? 'reply' : undefined
      },

      async decide(turn) {
        const order = turn.addressed && (await orderIn(turn, turn.message))
        if (!order) return undefined
        const refused = await refusal(turn)
        return refused === undefined ? { kind: 'full', why: WHY[order.kind] } : { kind: 'react', why: refused }
      },

      async separate(turn, added) {
        return (await orderIn(turn, added)) && 'an order of its own'
      },

      async respond(turn) {
        const { conversation, message } = turn
        const order = turn.addressed && (await orderIn(turn, message))
        if (!order) return undefined
        if ((await refusal(turn)) !== undefined) return { kind: 'reaction', emoji: REFUSED }
        const locale = wordsFor(turn, message)
        try {
          const asked = order.asked ?? message.id
          // Before a reminder is cancelled or moved.
          if (order.kind !== 'set' && order.kind !== 'watch') turn.sources.push(...(await executor.sourcesIn(conversation)))
          const text = await executor.execute(order, { conversation, person: message.author, message: asked, locale })
          if (order.kind === 'set' && order.content !== '' && !(order.when && 'at' in order.when))
            await questions.ask(conversation, message.author.id, asked)
          else if (order.asked !== undefined) await questions.close(conversation.id, message.author.id)
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

/** Whom the message can name: the people whom it mentions, and those who wrote before. */
function othersIn({ mentions, author }: Message, history: readonly Message[], me: Person): readonly Person[] {
  const wrote = history.filter(({ own }) => !own).map(one => one.author)
  const others = [...mentions, ...wrote].filter(({ id }) => id !== me.id && id !== author.id)
  return [...new Map(others.map(one => [one.name.toLowerCase(), one])).values()]
}
