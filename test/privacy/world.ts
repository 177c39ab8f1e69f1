/** What is true in a fuzz, apart from the bot: who can read which place, and who may know which secret. */
import type { Conversation } from 'kikimimi'
import type { Visibility } from 'kikimimi/platform'
import { wordOf } from './words.ts'

/** An account of a person: `test:ann`. */
export type Account = string

export interface Place {
  readonly id: string
  readonly platform: string
  readonly channel: string
  readonly thread?: string
  visibility: Visibility
  /** The members. Absent: everybody who can read the channel, or the workspace. */
  members?: Set<Account>
  /** People of another workspace, and guests, read the channel too. */
  isShared: boolean
  /** The channel of a thread. */
  readonly parent?: Place
}

/**
 * `told`: its author asked the bot to keep it out of its memory. It stays in the message log and in its conversation for a while.
 * `silenced`: its author opted out later.
 */
export type Gone = 'deleted' | 'edited' | 'forgotten' | 'silenced' | 'unheard' | 'told'

export interface Secret {
  readonly word: string
  readonly author: Account
  readonly place: Place
  /** When it was last said in its place, in milliseconds. */
  said: number
  /** The message. */
  readonly id: string
  /** Everybody who has been able to read it. */
  readonly readers: Set<Account>
  /** Where the bot has said it. */
  readonly shown: Set<Place>
  gone?: Gone
  /** In milliseconds. */
  goneAt?: number
  /** What happened to it, for the report. */
  readonly story: string[]
}

export const PLATFORMS = ['test', 'other'] as const
const PEOPLE = ['ann', 'ben', 'cho', 'dai', 'eve']
/** People who can join later. */
const LATER = ['fay', 'gus']
/** Reads shared channels, and belongs to no workspace. */
const GUEST = 'zoe'

export interface World {
  readonly places: readonly Place[]
  readonly secrets: Secret[]
  /** Accounts with the same person behind them. */
  readonly links: [Account, Account][]
  /** The bot forgets with a person which accounts the person has. */
  unlink(account: Account): void
  readonly optedOut: Set<Account>
  /** Who belongs to the workspace of a platform now. */
  accountsOn(platform: string): readonly Account[]
  /** Who could join it. */
  absentFrom(platform: string): readonly Account[]
  join(account: Account): void
  /** Leaves the workspace with all its channels. */
  leave(account: Account): void
  readersOf(place: Place): ReadonlySet<Account>
  /** After a change of places: who reads a place now can read what was said there before. */
  changed(): void
  tell(author: Account, place: Place, secret: Pick<Secret, 'id' | 'word' | 'said'>): Secret
  /** All accounts of a person. */
  accounts(account: Account): readonly Account[]
}

/** The word of the secret that is told in a round. */
export function wordIn(seed: number, round: number): string {
  return wordOf(((seed * 997) % 40_000) + round)
}

export function createWorld(): World {
  const belonging = new Map<string, Set<Account>>(PLATFORMS.map(name => [name, new Set(named(name, PEOPLE))]))
  const places = PLATFORMS.flatMap(platform => placesOn(platform))
  const secrets: Secret[] = []
  const links: [Account, Account][] = []
  const on = (platform: string) => belonging.get(platform) ?? new Set()

  function readersOf({ visibility, members, parent, platform, isShared }: Place): Set<Account> {
    if (parent) return members ? readersOf(parent).intersection(members) : readersOf(parent)
    if (!members && visibility !== 'public') throw new Error('a private place has members')
    return new Set([...(members ?? on(platform)), ...(isShared ? named(platform, [GUEST]) : [])])
  }

  return {
    places,
    secrets,
    links,
    optedOut: new Set(),
    accountsOn: platform => [...on(platform)],
    absentFrom: platform => named(platform, [...PEOPLE, ...LATER]).filter(account => !on(platform).has(account)),
    join: account => void on(platformOf(account)).add(account),
    leave(account) {
      on(platformOf(account)).delete(account)
      for (const { members } of places) members?.delete(account)
    },
    readersOf,
    changed() {
      for (const { place, shown, readers, gone } of secrets) {
        const where = gone === 'deleted' || gone === 'edited' ? shown : new Set([place, ...shown])
        for (const one of where) for (const account of readersOf(one)) readers.add(account)
      }
    },
    tell(author, place, told) {
      const secret = { ...told, author, place, readers: readersOf(place), shown: new Set<Place>(), story: [] }
      secrets.push(secret)
      return secret
    },
    unlink(account) {
      const all = this.accounts(account)
      for (const pair of links.filter(([one]) => all.includes(one))) links.splice(links.indexOf(pair), 1)
    },
    accounts(account) {
      const all = new Set([account])
      for (const [one, other] of links) {
        if (all.has(one)) all.add(other)
        if (all.has(other)) all.add(one)
      }
      return [...all]
    },
  }
}

function named(platform: string, names: readonly string[]): Account[] {
  return names.map(name => `${platform}:${name}`)
}

function platformOf(account: Account): string {
  return account.split(':')[0] ?? ''
}

function placesOn(platform: string): Place[] {
  const [ann, ben, cho, dai, eve] = named(platform, PEOPLE) as [Account, Account, Account, Account, Account]
  const channel = (name: string, visibility: Visibility, members?: Account[]): Place => {
    const id = `${platform}/${name}`
    return { id, platform, channel: name, visibility, isShared: false, ...(members && { members: new Set(members) }) }
  }
  const thread = (parent: Place, name: string, members?: Account[]): Place => {
    const visibility = members ? 'private' : parent.visibility
    const where = { ...parent, id: `${parent.id}/${name}`, thread: name, parent, visibility }
    const { members: _, ...open } = where
    return members ? { ...open, members: new Set(members) } : open
  }
  const general = channel('general', 'public')
  const random = channel('random', 'public')
  const board = channel('board', 'private', [ann, ben, cho])
  const crew = channel('crew', 'private', [cho, dai, eve])
  return [
    ...[general, random, board, crew],
    ...[
      thread(general, 'open'),
      thread(general, 'closed', [ann, dai]),
      thread(board, 'talk'),
      thread(board, 'inner', [ann, ben]),
    ],
    ...[ann, ben, dai].map(one => channel(`direct-${one.split(':')[1]}`, 'direct', [one])),
    { ...channel(`direct-${GUEST}`, 'direct', []), isShared: true },
  ]
}

/** The place as the platform describes it. */
export function conversationOf(place: Place): Omit<Conversation, 'id'> {
  const { platform, channel, thread, members, parent, isShared } = place
  const visibility = thread !== undefined && !members ? (parent?.visibility ?? place.visibility) : place.visibility
  const outsiders = parent?.isShared ?? isShared
  const readers = { ...(thread !== undefined && { own: members !== undefined }), ...(outsiders && { outsiders }) }
  const where = { platform, workspace: 'team', channel, ...(thread !== undefined && { thread }), name: channel, visibility }
  return { ...where, ...(Object.keys(readers).length > 0 && { readers }) }
}
