/** Who took part in a batch, and what a prompt calls them. */
import { namesOf, type Person, safeName } from 'kikimimi'
import type { Read } from './batch.ts'
import { LANGUAGES } from './language.ts'

export interface People {
  /** What the transcript calls each author, by id: the same in all threads. */
  readonly names: ReadonlyMap<string, string>
  /** Somebody who spoke, or was mentioned, by what a model calls them. Bots are nobody. */
  find(name: string): string | undefined
  /** Somebody who spoke. */
  speaker(name: string): string | undefined
}

export function peopleOf(read: readonly Read[], bot: readonly string[], nobody: string): People {
  const messages = read.map(({ message }) => message)
  const names = namesOf(messages, nobody)
  const bots = new Set(messages.flatMap(({ own, author }) => (own || author.bot ? author.id : [])))
  const isBot = ({ id, name, bot: other }: Person) => other === true || bots.has(id) || bot.includes(name)

  const speakers = new Map<string, string>()
  for (const [id, name] of names) if (!bots.has(id)) speakers.set(plain(name), id)
  const all = new Map(speakers)
  for (const person of messages.flatMap(({ mentions }) => mentions)) {
    const name = plain(safeName(person.name))
    if (!all.has(name) && !isBot(person)) all.set(name, person.id)
  }
  const among = (people: ReadonlyMap<string, string>) => (name: string) => people.get(plain(name)) ?? people.get(bare(name))
  return { names, find: among(all), speaker: among(speakers) }
}

function plain(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/^@/, '').trim()
}

/** Without what a model likes to put behind a name: the label of a message, a title. */
function bare(name: string): string {
  const unlabelled = plain(name).replace(/\s*\[\d+\]$/, '')
  return LANGUAGES.reduce((rest, { honorific }) => (honorific ? rest.replace(honorific, '') : rest), unlabelled)
}
