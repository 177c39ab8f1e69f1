/** The signs in words, for the trace. Signs of one kind share a line, and there are few wordings, so that a replay can count them. */
import type { Sign } from './signs.ts'
import type { texts } from './texts.ts'

type Key = Parameters<ReturnType<typeof texts>>[0]
type Signs = Readonly<Record<Sign, number>>

interface Line {
  readonly signs: readonly Sign[]
  wording(signs: Signs): Key
}

export const LINES: readonly Line[] = [
  { signs: ['toOthers'], wording: ({ toOthers }) => (toOthers ? 'to.others' : 'to.nobody') },
  { signs: ['sinceBot'], wording: ({ sinceBot }) => `bot.${agoOf(sinceBot)}` },
  {
    signs: ['messagesSinceBot', 'rightAfterBot', 'continues'],
    wording({ messagesSinceBot, rightAfterBot }) {
      if (rightAfterBot === 1) return 'after.next'
      return messagesSinceBot <= NEAR ? 'after.near' : 'after.far'
    },
  },
  {
    signs: ['sinceExchange', 'exchanges', 'turns'],
    wording({ sinceExchange, exchanges }) {
      const ago = agoOf(sinceExchange)
      if (ago === 'long') return 'with.nobody'
      return exchanges < MOSTLY ? 'with.others' : `with.${ago}`
    },
  },
  { signs: ['othersWithBot'], wording: ({ othersWithBot }) => (othersWithBot > BUSY ? 'busy.yes' : 'busy.no') },
  { signs: ['closing'], wording: ({ closing }) => (closing ? 'closing.yes' : 'closing.no') },
  { signs: ['question'], wording: ({ question }) => (question ? 'question.yes' : 'question.no') },
]

/** 15 messages. */
const NEAR = Math.log2(16)
/** A share of exchanges. */
const MOSTLY = 0.5
const BUSY = 0.3

/** A time in log2(1 + seconds). */
function agoOf(log: number): 'minute' | 'minutes' | 'hour' | 'long' {
  const seconds = 2 ** log - 1
  if (seconds <= 60) return 'minute'
  if (seconds <= 600) return 'minutes'
  return seconds <= 3_600 ? 'hour' : 'long'
}
