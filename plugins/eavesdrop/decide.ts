import type { DecisionToSpeak, PluginContext, Silence, Turn } from 'kikimimi'
import { createAsking } from './asking.ts'
import type { createInterventions } from './interventions.ts'
import type { createJudge } from './judge.ts'
import type { Options } from './options.ts'
import { HOUR, limitReached, REMEMBERED_MS } from './past.ts'
import type { createPlans, Plan } from './plans.ts'
import { holds, messagesSince, planned, pressing } from './sight.ts'

export interface DeciderDeps {
  readonly interventions: ReturnType<typeof createInterventions>
  readonly plans: ReturnType<typeof createPlans>
  readonly judge: ReturnType<typeof createJudge>
}

/** Returns the function that decides whether to intervene in a turn. Undefined: no sign of trouble. */
export function createDecider({ clock, random }: PluginContext, options: Options, { interventions, plans, judge }: DeciderDeps) {
  const { minInterval, wait, every } = options
  const asking = createAsking({ every, now: () => clock.now() })

  function newPlan(message: string, state: Plan['state'], now: number): Plan {
    const [fewest, most] = wait.messages
    const [soonest, latest] = wait.time
    return {
      message,
      state,
      dueAt: new Date(now + soonest + random() * (latest - soonest)),
      dueMessages: fewest + Math.floor(random() * (most - fewest + 1)),
    }
  }

  return async (turn: Turn): Promise<DecisionToSpeak | Silence | undefined> => {
    const talks = pressing(turn, options, sign => asking.isDue(turn, sign))
    if (talks.length === 0) return undefined

    const { id } = turn.conversation
    const now = clock.now()
    const past = await interventions.since(id, new Date(now - Math.max(REMEMBERED_MS, HOUR, minInterval)))
    const limit = limitReached(past, options, now)
    if (limit !== undefined) return { kind: 'silent', why: limit }

    const kept = await plans.find(id)
    const before = kept && holds(kept, turn) ? kept : undefined
    const seen = planned(talks, before)
    const last = seen?.talk.at(-1)
    if (!seen || !last) return undefined
    const { talk } = seen

    const remembered = past.filter(({ at }) => now - at.getTime() < REMEMBERED_MS)
    const { state, stepIn, isSure, why } = await judge(turn, seen, remembered)
    if (stepIn) asking.agreed(turn)
    else if (isSure) asking.refused(turn, seen.strength)
    if (!stepIn) return { kind: 'silent', why: before ? `${why} · plan cancelled` : why }

    // The observation of a conflict starts when the conflict is first seen.
    const plan = before?.state === state ? before : newPlan(last.id, state, now)
    if (plan !== before) await plans.keep(id, plan)
    const left = plan.dueAt.getTime() - now
    const messages = plan.dueMessages - messagesSince(plan, talk)
    if (state !== 'CONFLICT' || left <= 0 || messages <= 0) return { kind: 'full', why }
    return { kind: 'full', why: `${why} · watches ${Math.ceil(left / 1_000)} s or ${messages} messages`, delayMs: left }
  }
}
