import {
  type Context,
  channelOf,
  KikimimiError,
  MessageLog,
  type PluginContext,
  type Reply,
  type Silence,
  type Turn,
} from 'kikimimi'
import { type ChooseDeps, choose } from './choose.ts'
import type { Options } from './options.ts'
import { createRemark } from './remark.ts'
import { wakeOf } from './wake.ts'

/** Returns the function that brings up the planned fact. Every error means silence, because nobody waits for a remark. */
export function createResponder(ctx: PluginContext, options: Options, deps: ChooseDeps) {
  const { clock } = ctx
  const log = ctx.use(MessageLog)
  const { shared } = deps
  const write = createRemark(ctx)

  async function bringUp(turn: Turn, context: Context): Promise<Reply | Silence> {
    const { id, conversation, messages } = turn
    const channel = channelOf(conversation)
    const plan = await shared.plan(conversation.id)
    const wake = await wakeOf(log, turn, options)
    if (!wake || !plan || plan.declined || plan.message !== messages.at(-1)?.id)
      return nothing('there is nothing to bring up any more')

    // Searched again, because the fact may have been deleted or hidden since the decision.
    const find = () => choose(deps, options, turn, wake, plan.fact)
    const found = await find()
    if (!found) return nothing('the fact is not for this talk any more')
    const text = await write(turn, found, context)
    turn.signal.throwIfAborted()
    if (text === undefined) {
      await shared.keepPlan(conversation.id, { ...plan, declined: true, at: new Date(clock.now()) })
      return nothing('the model would rather not bring it up')
    }

    // Checked again after the model call, which takes time.
    const still = await find()
    if (still?.fact.content !== found.fact.content) return nothing('the fact is not for this talk any more')
    turn.signal.throwIfAborted()
    const mine = await shared.mark({
      channel,
      fact: plan.fact,
      conversation: conversation.id,
      turn: id,
      at: new Date(clock.now()),
    })
    return mine ? { kind: 'text', text } : nothing('enough was brought up meanwhile')
  }

  return async (turn: Turn, context: Context): Promise<Reply | Silence> => {
    try {
      return await bringUp(turn, context)
    } catch (error) {
      turn.signal.throwIfAborted()
      const why = `could not bring it up: ${error instanceof KikimimiError ? error.message : 'an unexpected error'}`
      ctx.log.warn(why, {
        turn: turn.id,
        conversation: turn.conversation.id,
        ...(error instanceof Error && { error: error.name }),
      })
      return nothing(why)
    }
  }
}

function nothing(why: string): Silence {
  return { kind: 'silent', why }
}
