import type { Message, Turn } from 'kikimimi'
import { endsWithQuestion } from './question.ts'

/** What the rules look at. */
export interface Sight {
  readonly turn: Turn
  /** Milliseconds since the bot last said something here. */
  readonly sinceReply: number
  readonly engagementMs: number
  readonly cooldownMs: number
  readonly hasKeyword: (text: string) => boolean
}

export interface Rule {
  readonly name: string
  readonly points: number
  readonly why: string
  when(sight: Sight): boolean
}

/** Engagement and cooldown overlap and offset each other. */
export const RULES = [
  { name: 'mention', points: 100, why: 'mentions the bot', when: ({ turn }) => turn.addressed === 'mention' },
  { name: 'reply', points: 100, why: 'replies to the bot', when: ({ turn }) => turn.addressed === 'reply' },
  { name: 'direct', points: 100, why: 'talks to the bot alone', when: ({ turn }) => turn.addressed === 'direct' },
  { name: 'name', points: 80, why: 'calls the bot by name', when: ({ turn }) => turn.addressed === 'name' },
  { name: 'engaged', points: 40, why: 'the bot is in the conversation', when: isEngaged },
  { name: 'question', points: 20, why: 'asks a question', when: ({ turn }) => asksQuestion(turn) },
  {
    name: 'keyword',
    points: 15,
    why: 'has a keyword',
    when: ({ turn, hasKeyword }) => turn.messages.some(({ text }) => hasKeyword(text)),
  },
  {
    name: 'cooldown',
    points: -50,
    why: 'the bot spoke a moment ago',
    when: ({ sinceReply, cooldownMs }) => sinceReply < cooldownMs,
  },
] as const satisfies readonly Rule[]

export type RuleName = (typeof RULES)[number]['name']

export function isEngaged({ sinceReply, engagementMs }: Sight): boolean {
  return sinceReply < engagementMs
}

export function asksQuestion({ messages }: Turn): boolean {
  return messages.some(message => !isForSomebodyElse(message) && endsWithQuestion(message.text))
}

function isForSomebodyElse({ mentions, addressed }: Message): boolean {
  return mentions.length > 0 && addressed === undefined
}
