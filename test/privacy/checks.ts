/** Looks for secrets where they must not be. */
import { dump } from '../../core/testing/privacy/dump.ts'
import type { Town } from './town.ts'
import { secretsIn } from './words.ts'
import type { Gone, Place, Secret, World } from './world.ts'

export interface Fault {
  /** Repeats it: `npm run bench:privacy -- --seed SEED --rounds ROUND`. */
  readonly seed: number
  readonly round: number
  readonly kind: 'post' | 'prompt' | 'command' | 'log' | 'kept' | 'page' | 'export' | 'backup' | 'restored'
  readonly what: string
  /** What happened to the secret. */
  readonly story: readonly string[]
  /** The rounds without which the fault does not appear, with their acts; only where it was asked for. */
  readonly needs?: readonly string[]
}

export interface Checks {
  readonly faults: readonly Fault[]
  readonly prompts: number
  readonly posts: number
  /** A text that the readers of a place see. `before`: secrets that were gone before it was made. `at`: when, in milliseconds. */
  look(kind: 'post' | 'prompt' | 'command', text: string, place: Place, before: ReadonlySet<Secret>, at: number): void
  /** What has happened on the platforms, in prompts and in the log since the last call. */
  watch(before: ReadonlySet<Secret>): void
  /** What the database holds of secrets that are gone. */
  search(): Promise<void>
  /** Lines of a page of the dashboard, or of a copy of the data, without secrets that were gone before `at`. */
  searchLines(kind: 'page' | 'export' | 'backup' | 'restored', lines: readonly string[], at?: number): void
}

export interface ChecksOptions {
  readonly seed: number
  readonly town: Town
  readonly world: World
  /** The round, and what happens in it. */
  now(): { readonly round: number; readonly act: string }
  /** Gets each text that is looked at. */
  look(text: { kind: 'post' | 'prompt' | 'command'; text: string; place: Place; at: number }): void
}

/** Time that the bot needs to make its memories anew, in milliseconds. */
const REBUILDING = 12 * 60_000
/** What is not to be remembered can be answered in its conversation, until its text leaves the log, in milliseconds. */
const ANSWERED = 30 * 60_000

export function createChecks({ seed, town, world, now, look: seen }: ChecksOptions): Checks {
  const { secrets, places } = world
  const { bot } = town
  const faults: Fault[] = []
  const reported = new Set<string>()
  const counts = { prompts: 0, posts: 0, log: 0 }
  const byWord = () => new Map(secrets.map(secret => [secret.word, secret]))

  /** The first fault of a kind for each secret: the next ones mostly follow from it. */
  function fault(kind: Fault['kind'], secret: Secret, what: string, where = ''): void {
    const { round, act } = now()
    const key = [kind, secret.word, where].join()
    if (!reported.has(key)) faults.push({ seed, round, kind, what: `${what} — after: ${act}`, story: [...secret.story] })
    reported.add(key)
  }

  function strangersTo(secret: Secret, place: Place) {
    const known = new Set([...secret.readers].flatMap(world.accounts))
    return [...world.readersOf(place)].filter(account => !known.has(account))
  }

  /** Whether a secret is gone for this place. What was told not to be remembered can still be answered in its conversation. */
  function isGone({ gone, place: told, said }: Secret, place: Place, at: number): boolean {
    return gone !== undefined && !(gone === 'told' && told === place && at - said < ANSWERED)
  }

  function look(kind: 'post' | 'prompt' | 'command', text: string, place: Place, before: ReadonlySet<Secret>, at: number): void {
    seen({ kind, text, place, at })
    const known = byWord()
    for (const word of secretsIn(text)) {
      const secret = known.get(word)
      if (!secret) continue
      const strangers = strangersTo(secret, place)
      if (strangers.length > 0)
        fault(
          kind,
          secret,
          `${word} of ${secret.place.id} in ${place.id}, which ${strangers} can read: ${lineOf(text, word)}`,
          'strangers',
        )
      else if (kind === 'post') secret.shown.add(place)
      if (kind === 'post' && place === secret.place && !isGone(secret, place, at)) secret.said = at
      if (isGone(secret, place, at) && before.has(secret))
        fault(kind, secret, `${word} (${secret.gone}) in ${place.id}: ${lineOf(text, word)}`)
    }
  }

  return {
    faults,
    get prompts() {
      return counts.prompts
    },
    get posts() {
      return counts.posts
    },
    look,

    watch(before) {
      const { prompts, posts } = town.take()
      counts.prompts += prompts.length
      counts.posts += posts.length
      const asked = new Map<string, number>()
      for (const { text, conversation, at } of prompts) {
        const place = places.find(one => idOf(one) === conversation)
        if (place) look('prompt', text, place, before, at)
        asked.set(conversation, at)
      }
      for (const { platform, channel, thread, text } of posts) {
        const place = places.find(one => one.platform === platform && one.channel === channel && one.thread === thread)
        if (place) look('post', text, place, before, asked.get(idOf(place)) ?? bot.clock.now())
      }
      const known = byWord()
      for (const line of bot.log.slice(counts.log)) {
        for (const word of secretsIn(line)) {
          const secret = known.get(word)
          if (secret) fault('log', secret, `${word} in a line of the log: ${line.slice(0, 200)}`)
        }
      }
      counts.log = bot.log.length
    },

    async search() {
      const known = byWord()
      for (const [table, rows] of await dump(bot.db)) {
        for (const word of secretsIn(decoded(rows))) {
          const secret = known.get(word)
          if (!secret?.gone || (secret.gone === 'told' && table === 'kikimimi.message')) continue
          if (bot.clock.now() - (secret.goneAt ?? 0) < REBUILDING) continue
          const row = rows.split('\n').find(one => secretsIn(decoded(one)).includes(word)) ?? ''
          fault('kept', secret, `${word} (${secret.gone}) in ${table}: ${row.slice(0, 200)}`, table)
        }
      }
    },

    searchLines(kind, lines, at = Number.POSITIVE_INFINITY) {
      const known = byWord()
      for (const line of lines) {
        for (const word of secretsIn(decoded(line))) {
          const secret = known.get(word)
          if (!secret?.gone || (secret.goneAt ?? 0) > at) continue
          // The message log has it for a while, and no page shows it.
          if (secret.gone === 'told' && (kind !== 'page' || bot.clock.now() - secret.said < ANSWERED)) continue
          fault(kind, secret, `${word} (${secret.gone}): ${line.slice(0, 200)}`, line.slice(0, 20))
        }
      }
    },
  }
}

/** The lines of a text with a secret, with the heading above them. */
function lineOf(text: string, word: string): string {
  let heading = ''
  return text
    .split('\n')
    .flatMap(line => {
      if (line.startsWith('#')) heading = line
      return secretsIn(line).includes(word) ? `[${heading}] ${line.slice(0, 300)}` : []
    })
    .join(' | ')
}

export function lose(secret: Secret, gone: Gone, at: number): void {
  Object.assign(secret, { gone, goneAt: at })
}

function idOf({ platform, channel, thread }: Place): string {
  return [platform, 'team', channel, ...(thread === undefined ? [] : [thread])].join('/')
}

/** The text with its bytes in hex as text too. */
export function decoded(rows: string): string {
  const bytes = [...rows.matchAll(/\\x((?:[0-9a-f]{2})+)/g)]
  return rows + bytes.map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')).join(' ')
}
