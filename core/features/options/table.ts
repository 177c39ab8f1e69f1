/** The table of settings made in the chat, by place and plugin: in memory for reading, and stored in the database. */

import type { Conversation, Database, PersonKey, SeenSetting, Setting } from '../../api/index.ts'
import { type Clock, sleep } from '../../base/clock.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { withTimeout } from '../../base/timeout.ts'
import { cached } from '../../storage/database/cached.ts'
import { NO_ANSWER } from '../../storage/database/unavailable.ts'
import { settingPlaces } from './places.ts'

/** A setting, or its removal. */
export type Change = Setting | (Pick<Setting, 'place' | 'plugin' | 'key' | 'at'> & { readonly value?: undefined })

export interface SettingTable {
  /**
   * Reads changes of other processes. Never rejects, and waits for one second at most; then the known settings stay in use.
   */
  refresh(): Promise<void>
  /** The settings of a plugin in a place: the same array while they are unchanged. */
  in(place: string, plugin: string): readonly Setting[]
  /** The settings of a plugin that apply in a conversation, from wide to narrow: the same array while they are unchanged. */
  within(conversation: Conversation, plugin: string): readonly Setting[]
  all(): readonly Setting[]
  /** True: nothing is set in any chat, as in most bots. */
  readonly isEmpty: boolean
  /** Stores a change. When it rejects, nothing has changed. @throws SETTINGS_CHANGED when the stored setting is not the one that was seen */
  write(change: Change, seen?: SeenSetting['seen']): Promise<void>
  /** Applies a change at once, even when the database is unavailable, and stores it as soon as possible. */
  setDurably(change: Change): void
  /** Runs after each change, of this process and of others. */
  onChange(run: () => void): void
  /** Whether a change of this place is not stored yet. */
  isUnwritten(place: string): boolean
  forget(person: PersonKey): Promise<void>
}

export interface SettingTableOptions {
  /** Absent when the bot runs in memory alone. */
  readonly db: Database | undefined
  readonly clock: Clock
  readonly log: Logger
  readonly scope: AsyncDisposableStack
}

/** Milliseconds that a turn waits for a database that does not answer. */
const PATIENCE = 1_000

/** Milliseconds between attempts to store a change. */
const AGAIN = 5_000

const late = () => new Error(NO_ANSWER)

/** The channel of the NOTIFY. */
const CHANNEL = 'kikimimi.setting'

const NONE: readonly Setting[] = []

interface Row extends Omit<Setting, 'by'> {
  readonly by_id: string
  readonly by_name: string
}

export async function createSettingTable({ db, clock, log, scope }: SettingTableOptions): Promise<SettingTable> {
  let known = new Map<string, readonly Setting[]>()
  /** The number of changes of this process. A read that began before a change is out of date. */
  let changes = 0
  const unwritten = new Map<string, Change>()
  const listeners: (() => void)[] = []
  const stopped = new AbortController()
  scope.defer(() => stopped.abort())

  /** The read whose settings are in `known`. */
  let learned: Promise<readonly Setting[]> | undefined

  const table = db && (await cached({ db, clock, scope }, CHANNEL, () => readSettings(db)))

  function learn(settings: readonly Setting[]): void {
    const groups = Map.groupBy(settings, groupOf)
    known = new Map(Array.from(groups, ([group, now]) => [group, sameAs(known.get(group), now)]))
    for (const run of listeners) run()
  }

  function apply(change: Change): void {
    changes++
    const others = [...known.values()].flat().filter(one => keyOf(one) !== keyOf(change))
    learn(change.value === undefined ? others : [...others, change])
  }

  async function refresh(): Promise<void> {
    const reading = table?.read()
    if (!reading || reading === learned) return
    const before = changes
    try {
      const settings = await withTimeout({ clock, ms: PATIENCE, late }, () => reading)
      if (before !== changes) return
      learned = reading
      learn([...settings.filter(one => !unwritten.has(keyOf(one))), ...[...unwritten.values()].filter(isSetting)])
    } catch (error) {
      log.warn(`could not read the settings, and uses the known ones: ${reason(error)}`)
    }
  }

  /**
   * Gives a later change a later time, even when clocks differ. Of two changes the later one is used, in any order of
   * arrival.
   */
  function newer<T extends Change>(change: T): T {
    const before = settingOf(change)
    return before && before.at >= change.at ? { ...change, at: after(before.at) } : change
  }

  /** Stores a change. False: a newer change is stored, another one than was seen, or there is nothing to remove. */
  async function writeDown(change: Change, seen?: SeenSetting['seen']): Promise<boolean> {
    const rows = await table?.write(() => (isSetting(change) ? put(db, change, seen) : remove(db, change, seen)))
    changes++
    return rows !== 0
  }

  let isCatchingUp = false
  /** Stores changes until none is left. A change that is made meanwhile replaces the one before. */
  async function catchUp(): Promise<void> {
    if (isCatchingUp) return
    isCatchingUp = true
    try {
      for (let change = next(unwritten); change; change = next(unwritten)) {
        const { key } = change
        await withTimeout({ clock, ms: AGAIN, late }, () => writeDown(change)).then(
          () => unwritten.get(keyOf(change)) === change && unwritten.delete(keyOf(change)),
          async (error: unknown) => {
            log.warn(`"${key}" could not be stored, and is tried again: ${reason(error)}`)
            await sleep(clock, AGAIN, stopped.signal)
          },
        )
      }
    } finally {
      isCatchingUp = false
    }
  }

  await table?.read().then(learn)
  // After `read` is complete: a STOP in another process has to cancel running turns of this one.
  if (db?.kind === 'postgres') scope.defer(await db.listen(CHANNEL, () => void refresh()))

  const settingOf = (change: Change) => known.get(groupOf(change))?.find(({ key }) => key === change.key)

  async function write(given: Change, seen?: SeenSetting['seen']): Promise<void> {
    const change = newer(given)
    const isAsSeen = seen === undefined || settingOf(change)?.at.getTime() === seen?.getTime()
    if (isAsSeen && (await writeDown(change, seen))) return apply(change)
    await refresh()
    if (seen !== undefined) throw changedSince(change, settingOf(change))
  }

  const inPlace = (place: string, plugin: string) => known.get(groupOf({ place, plugin })) ?? NONE
  const joined = new WeakMap<readonly Setting[], WeakMap<readonly Setting[], readonly Setting[]>>()

  return {
    refresh,
    write,
    in: inPlace,

    within(conversation, plugin) {
      if (known.size === 0) return NONE
      const [wide = NONE, narrow = NONE] = settingPlaces(conversation).map(place => inPlace(place, plugin))
      if (wide.length === 0 || narrow.length === 0) return wide.length === 0 ? narrow : wide
      const withWide = joined.get(wide) ?? new WeakMap()
      joined.set(wide, withWide)
      const both = withWide.get(narrow) ?? [...wide, ...narrow]
      withWide.set(narrow, both)
      return both
    },

    all: () => [...known.values()].flat(),
    get isEmpty() {
      return known.size === 0
    },

    setDurably(given) {
      const change = newer(given)
      apply(change)
      if (!table) return
      unwritten.set(keyOf(change), change)
      // The bot's end stops the retries.
      void catchUp().catch(() => {})
    },

    onChange: run => void listeners.push(run),

    isUnwritten: place => [...unwritten.values()].some(one => one.place === place),

    async forget({ platform, id }) {
      const there = `${encodeURIComponent(platform)}/`
      const isTheirs = (one: Change) => isSetting(one) && one.by.id === id && one.place.startsWith(there)
      const by = { id: '', name: '' }
      for (const [key, one] of unwritten) {
        // A running attempt may still store the name.
        if (isTheirs(one)) unwritten.set(key, { ...one, by, at: after(one.at) })
      }
      await table?.write(async () => db?.query(FORGET, [id, there]))
      changes++
      learn([...known.values()].flat().map(one => (isTheirs(one) ? { ...one, by } : one)))
    },
  }
}

/** Oldest first. */
export async function readSettings(db: Database): Promise<readonly Setting[]> {
  const { rows } = await db.query<Row>(
    'select place, plugin, key, value, by_id, by_name, at from kikimimi.setting order by at, plugin, key',
  )
  return rows.map(({ by_id, by_name, ...rest }) => ({ ...rest, by: { id: by_id, name: by_name } }))
}

const FORGET = `update kikimimi.setting set by_id = '', by_name = '' where by_id = $1 and starts_with(place, $2)`

/** Returns the number of changed rows. */
async function put(db: Database | undefined, setting: Setting, seen: SeenSetting['seen']): Promise<number | undefined> {
  const { place, plugin, key, value, by, at } = setting
  const row = [place, plugin, key, JSON.stringify(value), by.id, by.name, at]
  if (seen) return (await db?.query(UPDATE, [...row, seen]))?.rowCount
  return (await db?.query(seen === null ? `${INSERT} do nothing` : `${INSERT} ${REPLACE}`, row))?.rowCount
}

const INSERT = `insert into kikimimi.setting (place, plugin, key, value, by_id, by_name, at) values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (place, plugin, key)`

const REPLACE = `
  do update set value = excluded.value, by_id = excluded.by_id, by_name = excluded.by_name, at = excluded.at
  where setting.at < excluded.at`

const UPDATE = `update kikimimi.setting set value = $4, by_id = $5, by_name = $6, at = $7
  where place = $1 and plugin = $2 and key = $3 and at = $8`

async function remove(
  db: Database | undefined,
  { place, plugin, key, at }: Change,
  seen: SeenSetting['seen'],
): Promise<number | undefined> {
  const [condition, more] = seen === undefined ? ['', []] : ['and at = $5', [seen]]
  const sql = `delete from kikimimi.setting where place = $1 and plugin = $2 and key = $3 and at < $4 ${condition}`
  return (await db?.query(sql, [place, plugin, key, at, ...more]))?.rowCount
}

function changedSince({ plugin, key }: Change, now: Setting | undefined): KikimimiError {
  const state = now ? `it is ${JSON.stringify(now.value)} now` : 'it is no longer set there'
  return new KikimimiError(
    'SETTINGS_CHANGED',
    `[${plugin}] ${key} has changed since you read it: ${state}. Nothing was overwritten. Save again if you still want to.`,
  )
}

/** The next time that differs. */
function after(at: Date): Date {
  return new Date(at.getTime() + 1)
}

function isSetting(change: Change): change is Setting {
  return change.value !== undefined
}

function groupOf({ place, plugin }: Pick<Setting, 'place' | 'plugin'>): string {
  return `${place}\n${plugin}`
}

function keyOf({ place, plugin, key }: Pick<Setting, 'place' | 'plugin' | 'key'>): string {
  return `${place}\n${plugin}\n${key}`
}

/** Keeps the old array when nothing changed, so that values derived from it stay valid. */
function sameAs(before: readonly Setting[] | undefined, now: readonly Setting[]): readonly Setting[] {
  return before && JSON.stringify(before) === JSON.stringify(now) ? before : now
}

function next<T>(map: ReadonlyMap<string, T>): T | undefined {
  return map.values().next().value
}
