/** Whom a message names. */
import type { Said } from '../log/said.ts'

/** Letters of a name that calls a person without a sign after it. */
const NAME = 5

/** The people who speak, by their names in lower case. */
export function namesOf(said: readonly Said[]): ReadonlyMap<string, string> {
  return new Map(said.map(({ author }) => [author.name.toLowerCase(), author.id]))
}

/** The people whom a message mentions, or whom it calls at its beginning: `alice: yes`, `bob, look`, `carol> no`. */
export function addresseesOf({ text, mentions, author }: Said, names: ReadonlyMap<string, string>): ReadonlySet<string> {
  const found = new Set(mentions)
  const [, name = '', sign] = /^@?([^\s:,、>]{1,40}?)(-?[:,、>]|さん|\s|$)/u.exec(text) ?? []
  const called = names.get(name.toLowerCase())
  // A short name without a sign is a word: "so what".
  if (called !== undefined && (sign?.trim() !== '' || name.length >= NAME)) found.add(called)
  found.delete(author.id)
  return found
}
