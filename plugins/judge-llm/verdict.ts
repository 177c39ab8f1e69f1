/** The schema of the model's verdict, and its reason without quotations. */
import { z } from 'zod'

export const STYLES = ['react', 'ack', 'full'] as const

type Style = (typeof STYLES)[number]

/** Maximum delay. After a longer time the topic has passed. */
const LONGEST_DELAY = 600

export function verdictOf(styles: readonly [Style, ...Style[]]) {
  return z.object({
    // First, because a verdict that follows from a reason is right more often than a reason for a verdict.
    reason: z.string().describe('Why, in a few words of your own that quote nobody.'),
    respond: z.boolean().describe('Whether to answer this conversation.'),
    confidence: z.number().min(0).max(1).describe('How sure you are, from 0 to 1.'),
    delaySeconds: z
      .number()
      .nullable()
      .default(null)
      .describe('Seconds to wait before the answer, from 0 to 600. null or 0: at once.'),
    style: z
      .enum(styles)
      .default(styles[0])
      .describe('The form of the answer. react: an emoji. ack: one short phrase. full: an answer in words.'),
  })
}

/** A verdict with a reason that can be stored. */
export interface Verdict {
  readonly respond: boolean
  readonly reason: string
  /** 0…1. */
  readonly confidence: number
  readonly style: Style
  /** 0: at once, or no answer is wanted. */
  readonly delayMs: number
}

/** @param said texts of messages. A reason that repeats one is not stored, because traces hold no text of messages. */
export function readVerdict(
  { respond, reason, confidence, delaySeconds, style }: z.output<ReturnType<typeof verdictOf>>,
  said: readonly string[],
): Verdict {
  const delayMs = respond ? Math.min(LONGEST_DELAY, Math.max(0, delaySeconds ?? 0)) * 1_000 : 0
  return { ...{ respond, confidence, style, delayMs }, reason: tellable(reason, said) }
}

const REASON_LENGTH = 200

/** Number of equal characters in a row that count as a repetition: half a sentence, in Japanese a whole one. */
const QUOTE = 16

function tellable(reason: string, said: readonly string[]): string {
  const line = reason
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, REASON_LENGTH)
    .toWellFormed()
  if (line === '') return 'the model gave no reason'
  return said.some(text => shares(line, text.replace(/[\p{C}\s]+/gu, ' ')))
    ? 'the model quoted what was said as its reason'
    : line
}

function shares(line: string, text: string): boolean {
  for (let at = 0; at + QUOTE <= line.length; at++) if (text.includes(line.slice(at, at + QUOTE))) return true
  return false
}
