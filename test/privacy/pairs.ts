/**
 * Plays a town twice, the second time with other secrets in one place. People who knew none of them see the same bytes: what they
 * see depends on nothing that they may not know (Goguen and Meseguer, "Security policies and security models", 1982).
 */
import type { PluginEntry } from 'kikimimi'
import { dump } from '../../core/testing/privacy/dump.ts'
import { live, type Seen } from './rounds.ts'
import { wordOf } from './words.ts'
import { PLATFORMS, wordIn } from './world.ts'

/** A difference between both runs. */
export interface Difference {
  readonly seed: number
  /** The place whose secrets are others in the second run. */
  readonly place: string
  readonly what: string
}

export interface Compared {
  readonly pairs: number
  /** Texts that were compared. */
  readonly texts: number
  /** Secrets that were others in the second run. */
  readonly changed: number
  readonly differences: readonly Difference[]
}

async function play(seed: number, rounds: number, word: (round: number) => string, plugins: readonly PluginEntry[]) {
  const texts: Seen[] = []
  const { world } = await live(seed, rounds, { isShort: true, word, plugins, seen: text => void texts.push(text) })
  return { texts, world }
}

/** Differs from every word of the town by {@link wordIn}, and has its length. */
const OTHER = 25_000

const otherWordIn = (seed: number, round: number) => wordOf(((seed * 997) % 40_000) + round + OTHER)

export interface CompareOptions {
  readonly seed: number
  readonly rounds: number
  /** Places at most. Default: all. */
  readonly most?: number
  /** Plugins of the bot besides those of the town. */
  readonly plugins?: readonly PluginEntry[]
}

/** Plays one town, and once more for each place in which a secret was said. */
export async function compare({ seed, rounds, most, plugins = [] }: CompareOptions): Promise<Compared> {
  const first = await play(seed, rounds, round => wordIn(seed, round), plugins)
  const groups = Map.groupBy(first.world.secrets, ({ place }) => place)
  let [pairs, texts, changed] = [0, 0, 0]
  const differences: Difference[] = []
  for (const [place, secrets] of groups) {
    const words = new Set(secrets.map(({ word }) => word))
    const knowing = new Set(secrets.flatMap(({ readers }) => [...readers]).flatMap(first.world.accounts))
    const strange = ({ readers }: Seen) => [...readers].some(account => !knowing.has(account))
    const before = first.texts.filter(strange)
    if (before.length === 0) continue
    if (pairs === most) break
    const other = (round: number) => (words.has(wordIn(seed, round)) ? otherWordIn(seed, round) : wordIn(seed, round))
    const after = (await play(seed, rounds, other, plugins)).texts.filter(strange)
    pairs++
    texts += before.length
    changed += secrets.length
    const at = before.findIndex((text, index) => lineOf(text) !== lineOf(after[index]))
    if (at >= 0 || before.length !== after.length)
      differences.push({ seed, place: place.id, what: differenceOf(lineOf(before[at]), lineOf(after[at])) })
  }
  return { pairs, texts, changed, differences }
}

const lineOf = (text: Seen | undefined) =>
  text ? `round ${text.round}, ${text.kind} in ${text.place.id} at ${new Date(text.at).toISOString()}: ${text.text}` : '(nothing)'

function differenceOf(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const from = Math.max(0, at - 200)
  return `${one.slice(0, 80)} … ${one.slice(from, at + 200)} ≠ ${other.slice(from, at + 200)}`
}

/**
 * Plays a town twice, the second time with other secrets of one person, whom the bot forgets at the end: the data are the same then.
 *
 * @returns the tables that differ
 */
export async function compareForgotten(seed: number, rounds: number, name: string): Promise<readonly string[]> {
  const first = await playForgotten(seed, rounds, name, round => wordIn(seed, round))
  const own = new Set(first.world.secrets.filter(({ author }) => author.endsWith(`:${name}`)).map(({ word }) => word))
  const other = (round: number) => (own.has(wordIn(seed, round)) ? otherWordIn(seed, round) : wordIn(seed, round))
  const second = await playForgotten(seed, rounds, name, other)
  return [...first.tables].flatMap(([table, rows]) => {
    const changed = second.tables.get(table) ?? ''
    return rows === changed ? [] : [`${table}: ${differenceOf(rows, changed)}`]
  })
}

async function playForgotten(seed: number, rounds: number, name: string, word: (round: number) => string) {
  const tables = new Map<string, string>()
  const { world } = await live(seed, rounds, {
    isShort: true,
    word,
    async end(town, world) {
      for (const account of PLATFORMS.map(platform => `${platform}:${name}`)) {
        const place = world.places.find(one => world.readersOf(one).has(account))
        if (place) await town.say(account, place, '@kiki forget me', `forget-${account}`)
      }
      await town.bot.pass('30m')
      for (const [table, rows] of await dump(town.bot.db)) tables.set(table, normal(rows, table))
    },
  })
  return { tables, world }
}

/** The rows in one order, without what is random in each run: ids of posts and jobs, and hashes of such ids. */
function normal(rows: string, table: string): string {
  const plain = rows.replace(RANDOM, '(random)')
  const lines = BY_ORDER.has(table) ? new Set(plain.replace(TIME, '(time)').split('\n')) : plain.split('\n')
  return [...lines].sort().join('\n')
}

const RANDOM = /(?<![0-9a-f])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{25}|[0-9a-f]{64})(?![0-9a-f])/g

/** Which of two jobs runs first decides about times, and about the number of jobs. */
const BY_ORDER: ReadonlySet<string> = new Set(['memory_summary.memory', 'pgboss.job'])

const TIME = /\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[.\d]*(?:Z|\+00)/g
