import type { Familiarity } from './profile-store.ts'

/** Minimum number of messages of each level above stranger. */
export type Thresholds = Readonly<Record<Exclude<Familiarity, 'stranger'>, number>>

export function familiarityOf(messages: number, { acquaintance, regular, close }: Thresholds): Familiarity {
  if (messages >= close) return 'close'
  if (messages >= regular) return 'regular'
  return messages >= acquaintance ? 'acquaintance' : 'stranger'
}
