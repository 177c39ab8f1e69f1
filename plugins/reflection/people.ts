/** The participants of a batch and their names in the prompt. */
import { namesOf, type Person, safeName } from 'kikimimi'
import type { Read } from './batch.ts'
import { LANGUAGES } from './language.ts'

export interface People {
  /** Names of authors in the transcript, by id: the same in all threads. */
  readonly names: ReadonlyMap<string, string>
  /** An author or a mentioned person, by the name that the model uses. Bots are not found. */
  find(name: string): string | undefined
  /** An author. */
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

/** The name without additions of the model: the label of a message, an honorific. */
function bare(name: string): string {
  const unlabelled = plain(name).replace(/(?<!\s)\s*\[\d+\]$/, '')
  return LANGUAGES.reduce((rest, { honorific }) => (honorific ? rest.replace(honorific, '') : rest), unlabelled)
}
