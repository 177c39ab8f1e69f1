import type { Sight } from './sight.ts'

/** A row of a table: a condition and its points. */
export interface Rule {
  readonly name: string
  readonly points: number
  /** The reason in the trace. */
  readonly why: string
  when(sight: Sight): boolean
}

/** A message after this time without messages ends a silence. */
export const SILENCE_MS = 10 * 60_000

/** Messages that address the bot are answered at once, independent of other rules. */
export const CALLS = [
  { name: 'mention', points: 100, why: 'mentions the bot', when: ({ message }) => message.addressed === 'mention' },
  { name: 'reply', points: 100, why: 'replies to the bot', when: ({ message }) => message.addressed === 'reply' },
  { name: 'direct', points: 100, why: 'talks to the bot alone', when: ({ message }) => message.addressed === 'direct' },
  { name: 'name', points: 80, why: 'calls the bot by name', when: ({ message }) => message.addressed === 'name' },
] as const satisfies readonly Rule[]
