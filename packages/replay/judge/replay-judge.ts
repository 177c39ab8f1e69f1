/** The judge in the replay of a channel: it gives the verdicts that the real one gave then, or those of a sample that it was asked about. */
import { type Awaitable, service, type Turn } from 'kikimimi'
import type { ChatModel, GenerateRequest } from 'kikimimi/model'
import type { Verdict } from './ask.ts'
import { keyOf } from './verdicts.ts'

/** What judge-llm keeps of its verdicts. */
export interface RecordedVerdicts {
  /** Of a channel, by the message that each turn was about: −1…1, negative for silence. */
  verdicts(channel: string): Awaitable<ReadonlyMap<string, number>>
}

export const RecordedVerdicts = service<RecordedVerdicts>('judge-figures')

/** Where the verdict of a turn comes from. `undecided`: there is none. */
export interface JudgedBy {
  readonly from: 'record' | 'sample' | 'undecided'
  /** The prompt. Absent: it is recorded, or no model can be asked for a verdict. */
  readonly key?: string
}

export interface ReplayJudge {
  readonly model: ChatModel
  /** The turn that is judged next. */
  begin(turn: Turn): void
  /** Of the turn that was judged last. */
  readonly last: JudgedBy
  /** The prompts without a recorded verdict, by their keys. */
  readonly prompts: ReadonlyMap<string, GenerateRequest>
}

/** The verdict of a turn about which no model is asked. */
const NOT_ASKED: Verdict = { respond: false, confidence: 0.5 }

/**
 * @param name of the real model
 * @param recorded see {@link RecordedVerdicts}
 * @param sampled by the keys of prompts
 */
export function replayJudge(
  name: string,
  recorded: ReadonlyMap<string, number>,
  sampled: ReadonlyMap<string, Verdict> = new Map(),
): ReplayJudge {
  const prompts = new Map<string, GenerateRequest>()
  let then: number | undefined
  let last: JudgedBy = { from: 'undecided' }

  function verdictFor(request: GenerateRequest): Verdict {
    if (then !== undefined) {
      last = { from: 'record' }
      return { respond: then > 0, confidence: Math.abs(then) }
    }
    if (!request.schema) return NOT_ASKED
    const key = keyOf(name, request)
    prompts.set(key, request)
    const verdict = sampled.get(key)
    last = { from: verdict ? 'sample' : 'undecided', key }
    return verdict ?? NOT_ASKED
  }

  return {
    prompts,
    get last() {
      return last
    },
    begin({ messages }) {
      then = recorded.get(messages.findLast(({ id }) => recorded.has(id))?.id ?? '')
      last = { from: 'undecided' }
    },
    model: {
      name,
      async generate(request) {
        const value = { reason: 'a replay', ...verdictFor(request), delaySeconds: null }
        return { text: JSON.stringify(value), value, toolCalls: [] }
      },
    },
  }
}
