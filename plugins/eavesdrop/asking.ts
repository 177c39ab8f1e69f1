/**
 * How often the model is asked about a conversation. Most talk is ordinary, and a model that has called it ordinary is not asked again at
 * every sign: only about a stronger one, or after more messages, twice as many after each such answer.
 */
import { RecentMap, type Turn } from 'kikimimi'
import type { Sign } from './signs/signs.ts'

/** The last answer that was no reason to intervene. */
interface Answer {
  /** The last message that the model has seen. */
  readonly message: string
  readonly at: number
  /** The strength of the sign that it was asked about. Without a sign 0. */
  readonly strength: number
  /** How many such answers came in a row. */
  readonly times: number
}

/** Maximum number of remembered conversations. A forgotten one costs only an early question to the model. */
const CONVERSATIONS = 10_000

/** The number of messages until the next question doubles so many times: from 10 to 40. */
const DOUBLINGS = 2

/** A sign is stronger with this many more points: an insult. */
const STRONGER = 3

/** After a longer silence, a conversation is a new one. */
const SITTING_MS = 30 * 60_000

export function createAsking({ every, now }: { readonly every: number; readonly now: () => number }) {
  const answers = new RecentMap<Answer>(CONVERSATIONS)

  function answerIn(conversation: string): Answer | undefined {
    const answer = answers.get(conversation)
    return answer && now() - answer.at <= SITTING_MS ? answer : undefined
  }

  return {
    /** Whether the model may be asked about a sign, or without one. */
    isDue({ conversation, history }: Turn, sign: Sign | undefined): boolean {
      const answer = answerIn(conversation.id)
      if (sign && (!answer || sign.strength >= answer.strength + STRONGER)) return true
      const at = history.findLastIndex(({ id }) => id === answer?.message)
      // Working memory holds newer messages only.
      if (answer && at < 0) return true
      const news = history.slice(at + 1).filter(({ own }) => !own).length
      // A quarrel has to be noticed sooner, also after a false alarm.
      const most = sign?.kind === 'heat' ? 1 : DOUBLINGS
      return news >= every * 2 ** Math.min(answer?.times ?? 0, most)
    },

    /** @param strength of the sign that the model was asked about */
    refused({ conversation, message }: Turn, strength: number): void {
      const times = (answerIn(conversation.id)?.times ?? 0) + 1
      answers.set(conversation.id, { message: message.id, at: now(), strength, times })
    },

    /** There is a reason to intervene: each new sign counts. */
    agreed({ conversation }: Turn): void {
      answers.delete(conversation.id)
    },
  }
}
