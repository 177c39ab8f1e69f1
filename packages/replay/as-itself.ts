/** What a bot decides about a chat log in which its own messages stand as they were. */
import type { Person } from 'kikimimi'
import type { GenerateRequest } from 'kikimimi/model'
import type { Verdict } from './judge/ask.ts'
import { type JudgedBy, replayJudge } from './judge/replay-judge.ts'
import type { ChatLog } from './logs/chat-log.ts'
import { firings } from './report.ts'
import type { ReplaySide, ReplayTurn, TurnKind } from './request.ts'
import { type Run, replayLogs } from './run.ts'
import { noSums } from './scores.ts'

/** From the quietest turn to the loudest. */
export const LOUDNESS: readonly TurnKind[] = ['silent', 'react', 'asked', 'ack', 'full']

/** A turn, and the message that it would have answered. */
export interface Seen extends ReplayTurn {
  readonly answers: string
  /** Absent: no judge was asked. */
  readonly judged?: JudgedBy
}

export interface OwnRun {
  /** By message: its last turn, because a delayed batch has another one. */
  readonly turns: ReadonlyMap<string, Seen>
  readonly rules: ReplaySide['rules']
  /** Of the judge, about turns without a recorded verdict. */
  readonly prompts: ReadonlyMap<string, GenerateRequest>
}

/** What both bots of a replay share, and the config of one. */
export type Common = Omit<Run, 'seating' | 'onTurn' | 'onDecision' | 'models'>

interface AsItself {
  /** The bot of the channel. */
  readonly me: Person
  /** The verdicts that the judge gave then, by message. */
  readonly recorded: ReadonlyMap<string, number>
  /** The model of the judge, by which sampled verdicts are known. Absent: there are none. */
  readonly name?: string | undefined
  /** Verdicts by prompt. */
  readonly sampled?: ReadonlyMap<string, Verdict> | undefined
}

/** A bot with its own messages as history. Where its judge has no verdict, the turn is `asked`. */
export async function asItself(
  lines: ChatLog,
  { me, name = 'judge', recorded, sampled }: AsItself,
  common: Common,
): Promise<OwnRun> {
  const turns = new Map<string, Seen>()
  const prompts = new Map<string, GenerateRequest>()
  const judge = replayJudge(name, recorded, sampled)
  const { sums = noSums() } = await replayLogs([lines], {
    ...common,
    // One turn after the other: a verdict belongs to the turn that got its points last.
    config: { ...common.config, concurrency: 1 },
    models: { judge: judge.model },
    onTurn: judge.begin,
    seating: { itself: me },
    onDecision({ messages, message }, { decision, score }, judged) {
      if (!decision) return
      const { kind, why } = decision
      const { last } = judge
      const request = judged && last.from !== 'record' && judge.prompts.get(last.key ?? '')
      if (request && last.key !== undefined) prompts.set(last.key, request)
      const shown = judged && last.from === 'undecided' ? 'asked' : kind
      const seen = {
        kind: shown,
        why,
        answers: message.id,
        ...(judged && { judged: last }),
        ...(score && { points: score.points }),
      } as const
      for (const { id } of messages) turns.set(id, seen)
    },
  })
  return { turns, prompts, rules: firings(sums).map(({ rule, gold, other }) => ({ why: rule, times: gold + other })) }
}
