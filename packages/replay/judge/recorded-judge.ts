/** A judge that gives the verdicts that the real one gave, for the replay of a channel. */
import { type Awaitable, type ChatModel, KikimimiError, service, type Turn } from 'kikimimi'

/** What judge-llm keeps of its verdicts. */
export interface RecordedVerdicts {
  /** Of a channel, by the message that each turn was about: −1…1, negative for silence. */
  verdicts(channel: string): Awaitable<ReadonlyMap<string, number>>
}

export const RecordedVerdicts = service<RecordedVerdicts>('judge-figures')

export interface RecordedJudge {
  readonly model: ChatModel
  /** The turn that is judged next. */
  begin(turn: Turn): void
  /** Whether the turn has a recorded verdict. */
  knows(turn: Pick<Turn, 'messages'>): boolean
}

/** @param verdicts see {@link RecordedVerdicts} */
export function recordedJudge(verdicts: ReadonlyMap<string, number>): RecordedJudge {
  const of = ({ messages }: Pick<Turn, 'messages'>) => verdicts.get(messages.findLast(({ id }) => verdicts.has(id))?.id ?? '')
  let now: number | undefined
  return {
    begin(turn) {
      now = of(turn)
    },
    knows: turn => of(turn) !== undefined,
    model: {
      name: 'recorded',
      async generate() {
        if (now === undefined) throw new KikimimiError('MODEL_REFUSED', 'No verdict is recorded for this turn.')
        const value = { respond: now > 0, reason: 'recorded', confidence: Math.abs(now), delaySeconds: null }
        return { text: '', value, toolCalls: [] }
      },
    },
  }
}
