/** What the transcript of a turn shows anyway. */
import type { Turn } from 'kikimimi'

/** The ids of its messages, those around the conversation included. */
export function shownIn({ history, added, surroundings }: Turn): readonly string[] {
  const { root, quoted = [], earlier = [] } = surroundings ?? {}
  const around = [...quoted, ...earlier, ...(typeof root === 'object' ? [root] : [])]
  return [...history, ...added, ...around].map(({ id }) => id)
}
