/** What the transcript of a turn shows anyway. */
import { channelOf, type Turn } from 'kikimimi'
import type { Recalled } from './api/facts.ts'

/** The ids of its messages, those around the conversation included. */
export function shownIn({ history, added, surroundings }: Turn): readonly string[] {
  const { root, quoted = [], earlier = [] } = surroundings ?? {}
  const around = [...quoted, ...earlier, ...(typeof root === 'object' ? [root] : [])]
  return [...history, ...added, ...around].map(({ id }) => id)
}

/** A fact that says nothing new: all messages that it comes from are shown. */
export function isShown(one: Recalled, { conversation }: Turn, shown: readonly string[]): boolean {
  if (one.kind !== 'fact' || one.fact.sources.length === 0) return false
  const channel = channelOf(conversation)
  return one.fact.sources.every(source => source.channel === channel && shown.includes(source.message))
}
