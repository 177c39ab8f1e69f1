/** Takes a person out of the job queue: out of what waits, and out of what has run and is kept for a while. */

import type { PersonKey } from '../../api/index.ts'
import type { NameMatcher } from '../../base/text/names.ts'
import type { Jobs } from '../../storage/jobs/jobs.ts'

/** Their values are no words, and stay what they are. */
const IDS: ReadonlySet<string> = new Set(['id', 'platform', 'workspace', 'channel', 'thread', 'conversation', 'message', 'turn'])

/** A job about them is dropped, and one that holds their words; one that names them goes on without the name. */
export function reviseJobs(
  jobs: Pick<Jobs, 'revise'>,
  person: PersonKey,
  names: NameMatcher,
  holds: (text: string) => boolean,
): Promise<void> {
  const speaks = (payload: unknown) => stringsIn(payload).some(({ key, text }) => !IDS.has(key) && holds(text))
  return jobs.revise(({ payload, key, ended }) => {
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
