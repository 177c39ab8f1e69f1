/** The messages that say the same as a text: people repeat themselves, and all of it is to be forgotten. */
import { contentWords, isCopy } from '@kikimimi/facts'
import type { Database, PersonKey, PluginContext } from 'kikimimi'
import type { Place } from './questions.ts'

/** A message with its text. */
export interface Said extends Place {
  readonly text: string
}

/** The messages of a person, in all conversations, that say the same as one of the texts. */
export async function copiesBy(db: Database, people: readonly PersonKey[], texts: readonly string[]): Promise<readonly Said[]> {
  const found = await Promise.all(people.map(person => candidates(db, person, texts)))
  return found.flat().filter(({ text }) => texts.some(one => isCopy(one, text)))
}

/** How far back {@link copiesByOthers} looks: a busy channel has hundreds of thousands of messages. */
const LATELY = 30 * 24 * 60 * 60_000

/** Whether other people have said the same as one of the texts in a channel lately. */
export async function copiesByOthers(
  { db, clock }: Pick<PluginContext, 'db' | 'clock'>,
  people: readonly PersonKey[],
  channel: string,
  texts: readonly string[],
): Promise<boolean> {
  const { rows } = await db.query<Said>(
    `select channel, id, text from kikimimi_v1.message
     where channel = $2 and at > $4 and author_id <> all($3) and not own and not author_bot and deleted_at is null and ${HAS_A_WORD}`,
    [patterns(texts), channel, people.map(({ id }) => id), new Date(clock.now() - LATELY)],
  )
  return rows.some(({ text }) => texts.some(one => isCopy(one, text)))
}

/** The questions of a person to the bot in a conversation that have all words of a topic. No index has them. */
export async function questionsOn(
  db: Database,
  people: readonly PersonKey[],
  conversation: string,
  topic: string,
): Promise<readonly Said[]> {
  const words = contentWords(topic)
  if (words.length === 0) return []
  const { rows } = await db.query<Said>(
    `select channel, id, text from kikimimi_v1.message
     where conversation = $2 and author_id = any($3) and not own and deleted_at is null
       and addressed is not null and text ~ '[?？]\\s*$' and ${HAS_A_WORD}`,
    [patterns([topic]), conversation, people.map(({ id }) => id)],
  )
  return rows.filter(({ text }) => {
    const said = new Set(contentWords(text))
    return words.every(word => said.has(word))
  })
}

/** The texts of messages, as they stand in the log. */
export async function textsOf(db: Database, places: readonly Place[]): Promise<readonly string[]> {
  const { rows } = await db.query<{ text: string }>(
    `select m.text from unnest($1::text[], $2::text[]) as p(channel, id)
       join kikimimi_v1.message m on m.channel = p.channel and m.id = p.id
     where m.deleted_at is null and m.text <> ''`,
    [places.map(({ channel }) => channel), places.map(({ id }) => id)],
  )
  return rows.map(({ text }) => text)
}

async function candidates(db: Database, { platform, id }: PersonKey, texts: readonly string[]): Promise<readonly Said[]> {
  const { rows } = await db.query<Said>(
    `select channel, id, text from kikimimi_v1.message
     where starts_with(conversation, $2) and author_id = $3 and not own and deleted_at is null and ${HAS_A_WORD}`,
    [patterns(texts), `${encodeURIComponent(platform)}/`, id],
  )
  return rows
}

const HAS_A_WORD = 'lower(normalize(text, nfkc)) like any($1)'

/** Number of letters that a word and its stem share. */
const STEM = 4

/** Patterns of which every text that says the same matches one: it has a common word, or no word at all. */
function patterns(texts: readonly string[]): readonly string[] {
  const parts = texts.flatMap(text => {
    const words = contentWords(text)
    if (words.length > 0) return words.map(word => word.slice(0, Math.min(STEM, Math.max(1, word.length - 1))))
    return text.normalize('NFKC').toLowerCase().trim()
  })
  return [...new Set(parts)].map(part => `%${part.replace(/[\\%_]/g, '\\$&')}%`)
}
