/** Records each verdict with what became of the turn. No text is stored. */
import { partnerOf } from '@kikimimi/addressing/partners'
import { channelOf, type PluginContext, type Trace, type Turn } from 'kikimimi'
import type { Shown } from './surroundings.ts'

/** A verdict, from the decision to the end of the turn. */
export interface Judged extends Shown {
  /** The probability of the points, and those without and with the verdict. */
  readonly prior: number
  readonly before: number
  readonly after: number
  /** −1…1. */
  readonly verdict: number
  readonly heeded: boolean
  /** Hash of the prompt. */
  readonly prompt: string
}

/**
 * @param judged the verdict of this turn. Absent: none was asked for
 * @returns when the decision was recorded as one that people can react to
 */
export async function record(
  { db, clock }: Pick<PluginContext, 'db' | 'clock'>,
  turn: Turn,
  trace: Trace,
  judged: Judged | undefined,
): Promise<Date | undefined> {
  const at = new Date(clock.now())
  const spoke = spokeIn(trace)
  if (!judged) return spoke && trace.decision?.plugin === 'judge-llm' ? recordDelayed() : undefined
  const message = turn.messages.find(({ id }) => id === trace.trigger)
  const calls = trace.models.filter(({ role, error }) => role === 'judge' && error === undefined)
  const model = calls.at(-1)?.model
  if (!message || model === undefined) return undefined
  const { rowCount } = await db.query(
    `insert into judge_llm.outcome
       (turn, conversation, channel, message, author, at, spoke, sent, follow_up, prior, verdict, before, after, heeded,
        model, prompt, lines, has_target, has_own, input_tokens, output_tokens, cost)
     select $1, $2, $3, $4, $5, $6, $7, $8::text[], $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22
     where kikimimi_v1.lock_message($3, $4, $23) on conflict do nothing`,
    [
      ...[turn.id, turn.conversation.id, channelOf(turn.conversation), message.id, message.author.id, at, spoke ?? null],
      ...[
        trace.sent,
        isFollowUp(),
        judged.prior,
        judged.verdict,
        judged.before,
        judged.after,
        judged.heeded,
        model,
        judged.prompt,
      ],
      ...[judged.lines, judged.hasTarget, judged.hasOwn, sum('inputTokens'), sum('outputTokens')],
      ...[calls.some(({ cost }) => cost !== undefined) ? sum('cost') : null, message.at],
    ],
  )
  return rowCount > 0 && spoke !== undefined ? at : undefined

  function isFollowUp(): boolean {
    const before = turn.history.slice(
      0,
      turn.history.findIndex(({ id }) => id === message?.id),
    )
    return message !== undefined && partnerOf(message, before.toReversed()) === 'bot'
  }

  function sum(field: 'inputTokens' | 'outputTokens' | 'cost'): number {
    return calls.reduce((total, call) => total + (call[field] ?? 0), 0)
  }

  /** The answer was decided in an earlier turn. */
  async function recordDelayed(): Promise<Date | undefined> {
    const { rowCount } = await db.query(
      `update judge_llm.outcome set spoke = true, sent = $4::text[], at = $5 where turn = (
         select turn from judge_llm.outcome
         where channel = $1 and conversation = $2 and message = $3 and spoke is null order by at desc limit 1
       )`,
      [channelOf(turn.conversation), turn.conversation.id, trace.trigger, trace.sent, at],
    )
    return rowCount > 0 ? at : undefined
  }
}

/** Undefined: a reaction, a delay or an interruption. */
function spokeIn({ decision, outcome, sent }: Trace): boolean | undefined {
  if (decision?.kind === 'silent') return outcome === 'silent' ? false : undefined
  return decision && decision.kind !== 'react' && sent.length > 0 ? true : undefined
}
