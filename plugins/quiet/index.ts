/** Keeps the bot quiet at night and when people ask for it. */
import { Access, type Conversation, channelOf, definePlugin, duration, languageOf, type Message, type Turn } from 'kikimimi'
import { z } from 'zod'
import { commands, lengthOf, quietText } from './commands.ts'
import { hours, inHours } from './hours.ts'
import { createMutes } from './mutes.ts'
import { createMuting } from './muting.ts'
import { lastOrder, type Order, type QuietOrder } from './orders.ts'
import { texts } from './texts.ts'

/** The reaction that confirms a request. Every platform supports it. */
const UNDERSTOOD = '👌'

/** More than all other scorers can add together. */
const POINTS = -1_000

const options = z
  .strictObject({
    hours: hours.optional().describe('Quiet hours, in which the bot answers only when it is addressed. Default: none.'),
    mute: duration.default('1h').describe('How long the bot stays quiet when somebody asks for it without a duration.'),
  })
  .prefault({})

export default definePlugin({
  name: 'quiet',
  options,
  scoped: ['hours', 'mute'],
  migrations: new URL('./migrations/', import.meta.url),
  needsDatabase: () => false,
  needs: [Access],
  before: ['remember', 'proactive', 'eavesdrop', 'judge-rules', 'judge-llm', 'reply'],
  setup: async ctx => {
    const mutes = await createMutes(ctx)
    const mutedUntil = createMuting(ctx)
    const nights = new Map<string, (at: number) => boolean>()

    function isNight(conversation: Conversation): boolean {
      const { hours } = ctx.optionsFor(conversation)
      if (!hours) return false
      const { timeZone } = ctx.bot.personaIn(conversation)
      const key = `${hours.from} ${hours.to} ${timeZone}`
      const inThem = nights.get(key) ?? inHours(hours, timeZone)
      nights.set(key, inThem)
      return inThem(ctx.clock.now())
    }

    /** Why the bot stays silent here and now, if it does. */
    async function hushed(turn: Turn): Promise<string | undefined> {
      if (turn.addressed) return undefined
      if (isNight(turn.conversation)) return 'quiet hours'
      return (await mutes.holds(channelOf(turn.conversation))) ? 'was asked to be quiet' : undefined
    }

    /** The last request in these messages of a person who may give orders. */
    async function orderIn(turn: Turn, messages: readonly Message[] = turn.messages): Promise<Order | undefined> {
      const order = lastOrder({ ...turn, messages: messages.filter(({ refused }) => refused === undefined) }, turn.persona.names)
      if (!order) return undefined
      // "Until seven" is no order where the bot may talk.
      if (order.kind === 'quiet' && order.isChange && !(await mutes.holds(channelOf(turn.conversation)))) return undefined
      const why = await ctx.use(Access).refusesOrders(turn.conversation, order.message.author)
      return why === undefined ? order : orderIn(turn, messages.slice(0, messages.indexOf(order.message)))
    }

    /** The request for quiet, unless a later message addresses the bot: that message gets an answer. */
    async function request(turn: Turn): Promise<QuietOrder | undefined> {
      const order = await orderIn(turn)
      if (order?.kind !== 'quiet') return undefined
      const place = (id: string) => turn.messages.findIndex(message => message.id === id)
      return turn.addressed && place(turn.message.id) > place(order.message.id) ? undefined : order
    }

    /** What the bot says about an end that it can have read wrongly, or that it cannot keep. */
    function confirmation({ conversation }: Turn, order: QuietOrder): string | undefined {
      const muting = mutedUntil(conversation, order)
      if (muting.says === 'length') return undefined
      return quietText(muting, ctx.clock.now(), languageOf([order.message], ctx.bot.locale))
    }

    /** The requests that have ended a mute, by their turns, until they are answered. */
    const lifted = new Map<string, string>()

    return {
      commands: commands({ mutes, mutedUntil, now: () => ctx.clock.now() }),

      async status({ conversation, locale }) {
        const left = await mutes.left(channelOf(conversation))
        if (left > 0) return texts(locale)('isQuiet', { length: lengthOf(left, locale) })
        return isNight(conversation) ? texts(locale)('isNight') : undefined
      },

      // The score stage sees the request, because every scorer runs in every turn.
      score: async turn => {
        const order = await orderIn(turn)
        const channel = channelOf(turn.conversation)
        if (order?.kind === 'talk' && (await mutes.holds(channel))) {
          await mutes.lift(channel)
          if (turn.addressed && order.isSaid) lifted.set(turn.id, order.message.id)
        }
        const muting = order?.kind === 'quiet' ? mutedUntil(turn.conversation, order) : undefined
        // Without an end, no mute becomes shorter.
        const least = order?.kind === 'quiet' && order.end === undefined ? ctx.clock.now() + (await mutes.left(channel)) : 0
        if (muting && muting.says !== 'asks') await mutes.mute(channel, Math.max(muting.until, least))
        const why = await hushed(turn)
        return why !== undefined && !(await request(turn)) ? { points: POINTS, why } : undefined
      },

      decide: async turn => {
        if (lifted.has(turn.id)) return { kind: 'react', why: 'may talk again' }
        const asked = await request(turn)
        if (asked) return { kind: confirmation(turn, asked) ? 'ack' : 'react', why: 'is asked to be quiet' }
        const why = await hushed(turn)
        return why === undefined ? undefined : { kind: 'silent', why }
      },

      // A delayed answer may reach this stage after the mute began.
      respond: async turn => {
        const to = lifted.get(turn.id)
        lifted.delete(turn.id)
        if (to !== undefined) return { kind: 'reaction', emoji: UNDERSTOOD, to }
        const asked = await request(turn)
        const text = asked && confirmation(turn, asked)
        if (text !== undefined) return { kind: 'text', text }
        if (asked) return { kind: 'reaction', emoji: UNDERSTOOD, to: asked.message.id }
        const why = await hushed(turn)
        return why === undefined ? undefined : { kind: 'silent', why }
      },

      separate: (turn, added) =>
        lastOrder({ ...turn, messages: [added] }, turn.persona.names) ? 'a request for quiet' : undefined,

      // Each request for quiet gets its own 👌.
      // Who has called the bot still gets an answer when another person wants quiet.
      async beforeSend(turn, news) {
        if (await request(turn)) return undefined
        const order = await orderIn(turn, news)
        const isAwaited = turn.addressed !== undefined && turn.message.author.id !== order?.message.author.id
        return order?.kind === 'quiet' && !isAwaited ? 'was asked to be quiet' : undefined
      },
    }
  },
})
