/** Removes a person from the queues: from waiting jobs, from ended jobs that are still kept, and from delayed answers. */

import type { PersonKey } from '../../api/index.ts'
import type { NameMatcher } from '../../base/text/names.ts'
import type { Jobs } from '../../storage/jobs/jobs.ts'
import type { TurnStore } from '../../storage/store/turn-store.ts'

/** Fields with ids, which stay unchanged. */
const IDS: ReadonlySet<string> = new Set(['id', 'platform', 'workspace', 'channel', 'thread', 'conversation', 'message', 'turn'])

/**
 * Drops jobs about the person and jobs with the person's words. A job that only names the person continues without the
 * name. A delayed answer that names the person or has the person's words is decided again.
 */
export async function pruneQueues(
  { jobs, turns }: { readonly jobs: Pick<Jobs, 'prune'>; readonly turns: Pick<TurnStore, 'dropDelayed'> },
  person: PersonKey,
  names: NameMatcher,
  holds: (text: string) => boolean,
): Promise<void> {
  const speaks = (payload: unknown) => stringsIn(payload).some(({ key, text }) => !IDS.has(key) && holds(text))
  const isAbout = (payload: unknown) => stringsIn(payload).some(({ text }) => text === person.id)
  await turns.dropDelayed(delayed => isAbout(delayed) || speaks(delayed))
  await jobs.prune(({ payload, key, ended }) => {
    if (key.split(':').includes(person.id) || isAbout(payload)) return 'drop'
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
