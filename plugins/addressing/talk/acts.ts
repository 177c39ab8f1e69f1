/** The speech acts of messages. All plugins read them here, with the same text, so that a message is classified once. */
import { type Act, type Before, type SpeechAct, speechActOf } from '@kikimimi/speech-acts'
import type { Message, Score, Turn } from 'kikimimi'
import { fold, spoken } from './spoken.ts'

/** The model of speech acts does not know Korean. Lists of words replace it there. */
export const HANGUL = /\p{sc=Hangul}/u

/** What is known of a message. */
export interface Said {
  /** The line before it: "yes" answers a question and takes note of a statement. */
  readonly before?: Before | undefined
  /** The names of the bot. */
  readonly names?: readonly string[] | undefined
}

export function actOf(text: string, { before, names = [] }: Said = {}): SpeechAct {
  return speechActOf(sayingOf(text), { names, ...(before && { before }) })
}

/** The text without code, quoted lines and the mentions that it begins with. */
export function sayingOf(text: string): string {
  return fold(spoken(text)).replace(MENTIONS, '').trim()
}

const MENTIONS = /^\s*(?:@[\p{L}\p{N}_.-]+[\s,:、]*)+/u

/** @param before the messages before it, latest first */
export function lineBefore({ author }: Message, [last]: readonly Message[]): Before | undefined {
  return last && { text: last.text, by: last.own ? 'bot' : last.author.id === author.id ? 'same' : 'other' }
}

/** An act as a trace shows it: "thanks, probability 0.98". */
export function described({ act, probability }: { readonly act: Act; readonly probability: number }): string {
  return `${act}, probability ${probability.toFixed(2)}`
}

/** Minimum probability of an act that changes what the bot does. */
export const SURE = 0.9
/** Minimum probability of an act in a trace. It is lower than {@link SURE}, because "ah, thanks!" can be a nod or thanks. */
const LEAST = 0.75

/** The acts of a batch for its trace, each once. They have no points. */
export function actsIn({ messages, history }: Turn): readonly Score[] {
  const acts = new Map<Act, number>()
  for (const message of messages) {
    const at = history.findIndex(({ id }) => id === message.id)
    const before = at > 0 ? lineBefore(message, history.slice(at - 1, at)) : undefined
    const { act, probability } = actOf(message.text, { before })
    if (act !== 'none' && probability >= LEAST) acts.set(act, Math.max(probability, acts.get(act) ?? 0))
  }
  return [...acts].map(([act, probability]) => ({ points: 0, why: described({ act, probability }) }))
}
