/** Remembers, forgets, and tells people what the bot knows about them. */
import { Facts } from '@kikimimi/facts'
import { Profiles } from '@kikimimi/profiles'
import {
  Access,
  type Conversation,
  definePlugin,
  Erasure,
  KikimimiError,
  MessageLog,
  OptOuts,
  type PersonKey,
  type Turn,
} from 'kikimimi'
import { z } from 'zod'
import { calledIn } from './called.ts'
import { createCarrying } from './carrying.ts'
import { commands } from './commands.ts'
import { carryOut, type Finishing } from './finish.ts'
import { createQuestions } from './forgetting/questions.ts'
import { fromOptedOut } from './free/opted-out.ts'
import { createLeavingOut } from './leave-out.ts'
import { createListening } from './listening.ts'
import { memoryTools } from './memory-tools.ts'
import { createObeying, type Obeyed, type Told, WHY, wordsFor } from './obey.ts'
import { rememberFact } from './remember-fact.ts'
import { sourcesOf } from './telling.ts'

/** The reaction to an order of a person who may not give it. */
const REFUSED = '🚫'

/** Orders that change the memory. The others protect the person who gives them, and are open to everybody. */
const CHANGES: ReadonlySet<Told['kind']> = new Set(['remember', 'forget', 'choose'])

/** Number of messages in which later messages of other people are searched. */
const RECENT = 20

const options = z
  .strictObject({
    tool: z
      .boolean()
      .default(true)
      .describe(
        'Offer the model the tools `remember_fact`, `leave_out`, `forget` and `stop_listening`, for requests that the rules do not recognise.',
      ),
  })
  .prefault({})

export default definePlugin({
  name: 'remember',
  options,
  needs: [Access, Facts, Erasure, MessageLog, OptOuts],
  before: ['proactive', 'eavesdrop', 'judge-rules', 'judge-llm', 'reply'],
  migrations: new URL('./migrations/', import.meta.url),
  setup: async (ctx, { tool }) => {
    const { db, clock } = ctx
    const facts = ctx.use(Facts)
    const questions = createQuestions(db, clock)
    const finishing = ctx.job<Finishing>('finish', work => carryOut({ ctx, db, facts, questions }, work))
    const optOuts = ctx.use(OptOuts)
    /** All accounts of a person. The first is the account that wrote the message. */
    const accounts = async (person: PersonKey): Promise<readonly PersonKey[]> =>
      (await ctx.use(Profiles, 'optional')?.accounts(person)) ?? [person]
    const leavingOut = await createLeavingOut(ctx)
    const listening = createListening({ ctx, optOuts, questions, facts })
    const obey = createObeying({ ctx, facts, optOuts, questions, leavingOut, accounts })
    const { carry, over } = createCarrying({ ctx, obey, finishing })
    /** Orders in turns that have not ended. A cancelled turn does not wait for its order; the end of the turn does. */
    const inHand = new Map<string, Promise<Obeyed>>()
    /** The bot's id in each workspace. */
    const own = new Map<string, string>()

    optOuts.accept(
      {
        accepts(message) {
          const called = calledIn(
            message,
            ctx.bot.personaIn(message.conversation).names,
            own.get(workspaceOf(message.conversation)),
          )
          return called !== undefined && fromOptedOut(message.text, called) !== undefined
        },
        async linked(person) {
          const before = new Date(clock.now()).toISOString()
          await finishing.schedule({ finish: { kind: 'silence', people: [person], before }, sent: [] })
        },
      },
      ctx.scope,
    )

    /** Why the person may not give the order. */
    const refusal = async ({ conversation, message }: Turn, { kind }: Told) =>
      CHANGES.has(kind) ? ctx.use(Access).refusesOrders(conversation, message.author) : undefined

    function carryNow(turn: Turn, told: Told): Promise<Obeyed> {
      const carried = carry(turn, turn.message, told)
      inHand.set(turn.id, carried)
      return carried
    }

    /** Whether another person has written since the order. */
    async function isFollowed({ conversation, message }: Turn): Promise<boolean> {
      const history = await ctx.history(conversation, RECENT)
      const since = history.slice(history.findIndex(({ id }) => id === message.id) + 1)
      return since.some(({ own, author }) => !own && author.id !== message.author.id)
    }

    return {
      async filter(message) {
        await leavingOut.heed(message)
        return undefined
      },

      address: async message => ((await listening.answers(message)) ? 'reply' : undefined),

      async decide(turn) {
        await leavingOut.heedEdits()
        const told = await listening.toldIn(turn, turn.message)
        if (!told) return undefined
        const refused = await refusal(turn, told)
        return refused === undefined ? { kind: 'full', why: WHY[told.kind] } : { kind: 'react', why: refused }
      },

      async separate(turn, added) {
        return (await listening.toldIn(turn, added)) && 'an order of its own'
      },

      // No responder shows this section: it tells the kernel which messages the list of a person is made from.
      async context(turn) {
        const told = await listening.toldIn(turn, turn.message)
        if (told?.kind !== 'know') return undefined
        const { conversation, message } = turn
        const people = await accounts({ platform: conversation.platform, id: message.author.id })
        const sources = await sourcesOf({ facts, profiles: ctx.use(Profiles, 'optional'), conversation, people })
        return { place: 'other', title: WHY.know, text: WHY.know, sources }
      },

      async respond(turn) {
        const told = await listening.toldIn(turn, turn.message)
        if (!told) return undefined
        if ((await refusal(turn, told)) !== undefined) return { kind: 'reaction', emoji: REFUSED }
        try {
          const { text, finish } = await carryNow(turn, told)
          // A quote can open a thread. A question must not, because its answer comes in the channel.
          const quotes = finish?.kind !== 'asked' && (await isFollowed(turn))
          return { kind: 'text', text, ...(quotes && { replyTo: turn.message.id }) }
        } catch (error) {
          // Without this text, the model of the next responder could claim success.
          ctx.log.warn(`an order could not be carried out: ${error instanceof KikimimiError ? error.message : named(error)}`)
          return { kind: 'text', text: wordsFor(turn, turn.message, ctx.bot.locale)('failed') }
        }
      },

      async after(turn, { outcome, at, sent }) {
        own.set(workspaceOf(turn.conversation), turn.me.id)
        const obeyed = await inHand.get(turn.id)?.catch(() => undefined)
        await over(turn, obeyed, { cancelled: outcome === 'cancelled' ? at : undefined, sent })
        inHand.delete(turn.id)
      },

      commands: commands({ ctx, obey, finishing }),
      tools: tool ? [rememberFact(facts), ...memoryTools({ ctx, carry: carryNow, isCarried: ({ id }) => inHand.has(id) })] : [],
      async forget(person) {
        await questions.forget(person)
        await leavingOut.forget(person)
      },
    }
  },
})

function workspaceOf({ platform, workspace }: Pick<Conversation, 'platform' | 'workspace'>): string {
  return `${platform}/${workspace}`
}

/** The name of the error. Its message may quote people. */
function named(error: unknown): string {
  return error instanceof Error ? `an error (${error.name})` : 'an error'
}
