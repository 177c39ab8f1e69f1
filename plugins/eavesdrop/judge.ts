/** Asks the model about a conversation, in at most three questions with one word as the answer. */
import { formatTime, KikimimiError, languageOf, type PluginContext, type Turn, transcript } from 'kikimimi'
import type { Past } from './interventions.ts'
import { type createJudgements, hashOf, type Judgement } from './judgements.ts'
import { EXCERPT_MESSAGES, goesOn, timesWithin } from './past.ts'
import type { Seen } from './sight.ts'
import { transcriptOf } from './talks.ts'
import { type State, samenessIn, stateIn, verdictIn } from './verdicts.ts'

export interface Judged {
  readonly state: State
  readonly stepIn: boolean
  /** The model gave every answer that was needed. */
  readonly isSure: boolean
  /** The reason in the trace. */
  readonly why: string
}

type Step = 'state' | 'same' | 'verdict'

/** Output tokens: each answer is one word. */
const TOKENS: Readonly<Record<Step, number>> = { state: 20, same: 20, verdict: 50 }

/** Time in which interventions are counted for the prompt. */
const RECENT_MS = 30 * 60_000

export function createJudge(ctx: PluginContext, judgements: ReturnType<typeof createJudgements>) {
  /** @param past interventions whose words the bot still has, oldest first */
  async function judge(turn: Turn, { talk, signed }: Seen, past: readonly Past[]): Promise<Judged> {
    const { id, conversation, signal } = turn
    const { timeZone } = turn.persona
    const hash = hashOf(talk, past)
    const locale = languageOf(talk, ctx.bot.locale)
    const now = formatTime(new Date(ctx.clock.now()), locale, timeZone)
    let known: Partial<Judgement> = (await judgements.find(conversation.id, hash)) ?? {}
    const problems: string[] = []

    /** Undefined if the model fails or its answer cannot be read. */
    async function ask<T>(step: Step, values: Readonly<Record<string, string>>, read: (answer: string) => T | undefined) {
      try {
        const answer = await ctx.models.text('judge', {
          system: ctx.prompt(`${step}.system`, { name: turn.persona.name }, locale),
          messages: [{ role: 'user', text: ctx.prompt(`${step}.user`, { now, ...values }, locale) }],
          maxTokens: TOKENS[step],
          signal,
        })
        const value = read(answer)
        if (value === undefined) problems.push(`${step}: the answer cannot be read`)
        return value
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof KikimimiError) || !error.code.startsWith('MODEL_')) throw error
        problems.push(`${step}: ${error.message}`)
        return undefined
      }
    }

    async function learn(found: Partial<Judgement>): Promise<void> {
      known = { ...known, ...found }
      const { state } = known
      if (state) await judgements.keep(conversation.id, hash, { ...known, state })
    }

    async function steps(): Promise<Judged> {
      const whole = transcriptOf(talk, turn, locale)
      const found = known.state ?? (await ask('state', { transcript: whole }, stateIn))
      if (found && !known.state) await learn({ state: found })
      const state = found ?? 'ACTIVE'
      const judged = (stepIn: boolean, why: string): Judged => ({
        state,
        stepIn,
        isSure: problems.length === 0,
        why: `${found ?? `${state}, by default`} · ${why}`,
      })
      if (state === 'ENDING') return judged(false, 'the talk is ending')
      if (state === 'ACTIVE' && !signed) return judged(false, 'no sign of trouble')

      if (past.length > 0 && (known.same ?? (await isSame()))) return judged(false, 'has stepped into this talk already')

      const verdict = known.verdict ?? (await ask('verdict', { transcript: whole, history: history() }, verdictIn))
      if (verdict !== undefined && known.verdict === undefined) await learn({ verdict })
      return judged(verdict === true, verdict === undefined ? 'NO, by default' : verdict ? 'YES' : 'NO')
    }

    async function isSame(): Promise<boolean> {
      const latest = talk.slice(-EXCERPT_MESSAGES)
      const before = past.map(one => transcript(one.talk, { locale, timeZone })).join('\n\n---\n\n')
      const same =
        goesOn(latest, past) ?? (await ask('same', { transcript: transcriptOf(latest, turn, locale), before }, samenessIn))
      if (same !== undefined) await learn({ same })
      // No intervention is better than a second one.
      return same ?? true
    }

    function history(): string {
      const last = past.at(-1)
      if (!last) return ''
      const time = ctx.clock.now()
      const values = {
        minutes: String(Math.floor((time - last.at.getTime()) / 60_000)),
        times: String(timesWithin(past, RECENT_MS, time)),
        within: String(Math.round(RECENT_MS / 60_000)),
        transcript: transcript(last.talk, { locale, timeZone }),
      }
      return ctx.prompt('history', values, locale)
    }

    try {
      return await steps()
    } finally {
      if (problems.length > 0) {
        ctx.log.warn(`could not judge a conversation: ${problems.join('; ')}`, { turn: id, conversation: conversation.id })
      }
    }
  }

  return judge
}
