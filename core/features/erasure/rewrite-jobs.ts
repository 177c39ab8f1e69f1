/** Removes a person from the job queue: from waiting jobs, and from ended jobs that are still kept. */

import type { PersonKey } from '../../api/index.ts'
import type { NameMatcher } from '../../base/text/names.ts'
import type { Jobs } from '../../storage/jobs/jobs.ts'

/** Fields with ids, which stay unchanged. */
const IDS: ReadonlySet<string> = new Set(['id', 'platform', 'workspace', 'channel', 'thread', 'conversation', 'message', 'turn'])

/**
 * Drops jobs about the person and jobs with the person's words. A job that only names the person continues without the
 * name.
 */
export function pruneJobs(
  jobs: Pick<Jobs, 'prune'>,
  person: PersonKey,
  names: NameMatcher,
  holds: (text: string) => boolean,
): Promise<void> {
  const speaks = (payload: unknown) => stringsIn(payload).some(({ key, text }) => !IDS.has(key) && holds(text))
  return jobs.prune(({ payload, key, ended }) => {
    if (key.split(':').includes(person.id) || stringsIn(payload).some(({ text }) => text === person.id)) return 'drop'
    if (!speaks(payload)) return 'keep'
    const nameless = without(payload, names)
    return ended || speaks(nameless) ? 'drop' : { payload: nameless }
  })
}

function stringsIn(value: unknown, key = ''): { readonly key: string; readonly text: string }[] {
  if (typeof value === 'string') return [{ key, text: value }]
  if (Array.isArray(value)) return value.flatMap(one => stringsIn(one, key))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => stringsIn(one, name))
}

function without(value: unknown, names: NameMatcher, key = ''): unknown {
  if (typeof value === 'string') return IDS.has(key) ? value : names.replace(value)
  if (Array.isArray(value)) return value.map(one => without(one, names, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, without(one, names, name)]))
}
