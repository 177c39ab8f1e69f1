/** What is read of each message once, for all that look at it. */
import { contentWords } from '@kikimimi/speech-acts/rules'
import type { Said } from '../log/said.ts'
import { asks, READ } from './signs.ts'

export interface Line extends Said {
  /** It is a question. */
  readonly asks: boolean
  /** The words of its subject, with their weights. */
  readonly words: ReadonlyMap<string, number>
  /** Ids of the people whom it names. */
  readonly to: ReadonlySet<string>
}

/** Letters of a name that calls a person without a sign after it. */
const NAME = 5

export function linesOf(said: readonly Said[]): readonly Line[] {
  const channels = Map.groupBy(said, ({ channel }) => channel)
  const names = new Map([...channels].map(([channel, all]) => [channel, namesOf(all)]))
  return said.map(one => ({
    ...one,
    asks: asks(one),
    words: contentWords(one.text.slice(0, READ)),
    to: addresseesOf(one, names.get(one.channel) ?? new Map()),
  }))
}

/** The people who speak, by their names in lower case. */
function namesOf(said: readonly Said[]): ReadonlyMap<string, string> {
  return new Map(said.map(({ author }) => [author.name.toLowerCase(), author.id]))
}

/** The people whom a message mentions, or whom it calls at its beginning: `alice: yes`, `bob, look`, `carol> no`. */
function addresseesOf({ text, mentions, author }: Said, names: ReadonlyMap<string, string>): ReadonlySet<string> {
  const found = new Set(mentions)
  const [, name = '', sign] = /^@?([^\s:,、>]{1,40}?)(-?[:,、>]|さん|\s|$)/u.exec(text) ?? []
  const called = names.get(name.toLowerCase())
  // A short name without a sign is a word: "so what".
  if (called !== undefined && (sign?.trim() !== '' || name.length >= NAME)) found.add(called)
  found.delete(author.id)
  return found
}
