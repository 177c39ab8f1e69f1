/** Brings up a fact when a channel becomes active after a silence. */

import { Chattiness } from '@kikimimi/addressing/chattiness'
import { Facts } from '@kikimimi/facts'
import { channelOf, definePlugin, MessageLog, OptOuts, type PersonKey, type TotalScore, type Turn } from 'kikimimi'
import { choose } from './choose.ts'
import { options } from './options.ts'
import { createResponder } from './respond.ts'
import { createShared } from './shared.ts'
import { unused } from './unused.ts'
import { wakeOf } from './wake.ts'

const NAME = 'proactive'

/** A score this low is a veto: no other scorer can compensate it. */
const VETO = -100

/** Time after a message of the bot in which it brings up nothing in the conversation. */
const COOLDOWN_MS = 2 * 60_000

export default definePlugin({
  name: NAME,
  options,
  needs: [Facts, MessageLog, OptOuts],
  // A quarrel has priority.
  after: ['eavesdrop'],
  before: ['judge-rules', 'judge-llm', 'reply'],
  migrations: new URL('./migrations/', import.meta.url),
  prompts: new URL('./prompts/', import.meta.url),
  unused,
  setup: (ctx, options) => {
    const { clock } = ctx
    const log = ctx.use(MessageLog)
    const shared = createShared(ctx, options)
    const facts = ctx.use(Facts)
    const deps = { facts, shared, optOuts: ctx.use(OptOuts) }
    const respond = createResponder(ctx, options, deps)

    ctx.every('sweep', '1d', () => shared.sweep())

    const coolsDown = ({ lastReplyAt }: Turn) => lastReplyAt !== undefined && clock.now() - lastReplyAt.getTime() < COOLDOWN_MS

    return {
      // The cheapest checks come first: most turns cost no query.
      decide: async (turn, score) => {
        const { conversation } = turn
        if (ctx.use(Chattiness, 'optional')?.in(conversation) === 'quiet') return undefined
        if (turn.addressed || isHeldBack(score) || isForOthers(turn) || coolsDown(turn)) return undefined
        const wake = await wakeOf(log, turn, options)
        if (!wake || (await shared.mustWait(channelOf(conversation)))) return undefined
        const before = await shared.plan(conversation.id)
        const found = await choose(deps, options, turn, wake)
        // The model declined in this conversation.
        if (!found || (before?.declined && before.fact === found.fact.id && before.at >= wake.at)) return undefined
        const message = turn.messages.at(-1)?.id ?? turn.message.id
        await shared.keepPlan(conversation.id, { fact: found.fact.id, message, declined: false, at: new Date(clock.now()) })
        return {
          kind: 'full',
          why: `the channel wakes up, and fact ${found.fact.id} has to do with it`,
          ...(options.delay > 0 && { delayMs: options.delay }),
        }
      },

      respond: (turn, { plugin }, context) => (plugin === NAME ? respond(turn, context) : undefined),

      after: async (turn, { decision, outcome, sent }) => {
        if (decision?.plugin !== NAME) return
        if (sent.length > 0) await shared.said(turn.id, sent)
        // A cancelled remark was not sent. After a failure that is unknown.
        else if (outcome === 'cancelled') await shared.unsaid(turn.id)
      },

      forget: async (person: PersonKey) => {
        // Facts that other people told too stay, and must not be brought up again.
        const gone = (await facts.export(person)).filter(
          ({ people, sources }) => people.includes(person.id) || sources.every(({ author }) => author === person.id),
        )
        await shared.forget(gone.map(({ id }) => id))
      },
    }
  },
})

/** Whether another scorer asks for silence: it is night, or the message is for another person. */
function isHeldBack({ parts }: TotalScore): boolean {
  return parts.some(({ points }) => points <= VETO)
}

/** Whether each message addresses a person other than the bot. */
function isForOthers({ messages, me }: Turn): boolean {
  return messages.every(({ mentions, replyTo }) => replyTo !== undefined || mentions.some(({ id }) => id !== me.id))
}
