/** What the bot does about an order in free words. */
import type { FreeKind, FreeOrder } from './model.ts'

export interface Decided {
  readonly kind: FreeKind
  /** The order is carried out. Otherwise the bot asks whether it is meant. */
  readonly isSure: boolean
}

/** Minimum probability of an order that is carried out. Measured with `npm run bench:memory-model`. */
const SURE: Readonly<Record<FreeKind, number>> = {
  none: 0,
  'leave-out': 0.8,
  forget: 0.8,
  'forget-me': 0.93,
  'opt-out': 0.92,
  'opt-in': 0.55,
}
/** Minimum probability of an order about which the bot asks. */
const LIKELY = 0.5

/** @param isOut whether the person has opted out */
export function decided(score: FreeOrder, isOut: boolean): Decided {
  // To leave out what was said and to forget it differ in what is known, and not in what is meant.
  const shares: readonly (readonly [FreeKind, number])[] = isOut
    ? [
        ['none', score.none],
        ['forget-me', score['forget-me']],
        ['opt-in', score['opt-in']],
      ]
    : [
        ['none', score.none],
        [score.forget > score['leave-out'] ? 'forget' : 'leave-out', score.forget + score['leave-out']],
        ['forget-me', score['forget-me']],
        ['opt-out', score['opt-out']],
      ]
  const total = shares.reduce((sum, [, share]) => sum + share, 0)
  const [kind, share] = shares.reduce((one, other) => (other[1] > one[1] ? other : one))
  const probability = share / total
  if (kind === 'none' || probability < LIKELY) return { kind: 'none', isSure: true }
  return { kind, isSure: probability >= SURE[kind] }
}
