/** `kikimimi forget USER`. */
import { type Database, KikimimiError, type PersonKey } from 'kikimimi'
import type { Forgotten } from 'kikimimi/host'
import { outputOf } from '../output.ts'
import type { CommonOptions } from '../program.ts'
import { createProgress } from '../progress.ts'
import type { Session } from '../session.ts'

/** @throws USAGE if the name or id fits no person, or more than one */
export async function runForget(user: string, { config, json }: CommonOptions, session: Session): Promise<void> {
  const { person, forgotten } = await forget(user, config, session)
  const { print } = outputOf(json, session.stdout)
  if (json) print(JSON.stringify({ person, ...forgotten }))
  else for (const line of told(person, forgotten)) print(line)
}

async function forget(user: string, file: string, session: Session): Promise<{ person: PersonKey; forgotten: Forgotten }> {
  await using opened = await session.open(file)
  const { db } = opened
  const person = meant(user, await peopleLike(db, user))
  await using bot = await session.startBot(file, opened)
  using progress = createProgress(session.stderr)
  progress.show(`deleting the data of ${person.platform}:${person.id}…`)
  const forgotten = await bot.forget(person)
  await db.compact()
  return { person, forgotten }
}

interface Found extends PersonKey {
  readonly name: string
  readonly messages: number
}

/** Every author of a message with that id or name, current or earlier. */
async function peopleLike(db: Database, user: string): Promise<readonly Found[]> {
  const { rows } = await db.query<Found & { platform: string }>(
    `select platform, id, (array_agg(name order by last_seq desc))[1] as name, sum(messages)::int as messages
     from (
       select platform, id, name, messages, last_seq from kikimimi.author
       where (platform, id) in (select platform, id from kikimimi.author where id in ($1, $2) or names @> array[lower($1)])
       union all
       -- Only deleted messages are left of the person.
       select split_part(conversation, '/', 1), author_id, author_name, 0, seq from kikimimi.message
       where author_id in ($1, $2) and author_id <> '' and not own and deleted_at is not null
     ) found
     group by platform, id having id = $1 or platform || ':' || id = $1 or bool_or(id <> $2 or $2 = $1) order by platform, id`,
    [user, user.slice(user.indexOf(':') + 1)],
  )
  return rows.map(row => ({ ...row, platform: decodeURIComponent(row.platform) }))
}

function meant(user: string, found: readonly Found[]): PersonKey {
  const exact = found.find(({ platform, id }) => `${platform}:${id}` === user)
  const [first, ...others] = exact ? [exact] : found
  if (first && others.length === 0) return { platform: first.platform, id: first.id }
  if (first) {
    const list = found.map(({ platform, id, name, messages }) => `  ${platform}:${id}  ${name}, ${messages} messages`)
    throw new KikimimiError('USAGE', `"${user}" fits several people. Use one of these ids:\n${list.join('\n')}`)
  }
  // A person without messages may be mentioned in the messages of others.
  const [, platform, id] = /^([a-z][\w-]*):(.+)$/s.exec(user) ?? []
  if (platform !== undefined && id !== undefined) return { platform, id }
  throw new KikimimiError(
    'USAGE',
    `No author of a message has the name or id "${user}". For a person who is only mentioned, use platform:id, such as discord:80351110224678912.`,
  )
}

function told({ platform, id }: PersonKey, forgotten: Forgotten): string[] {
  const { messages, changed, own, traces, deliveries, plugins, lastLookAt, isSearching } = forgotten
  return [
    `Deleted the data of ${platform}:${id}.`,
    `  ${messages} of their messages, ${own} messages of the bot that were made from theirs or name them, ${traces} traces, ${deliveries} deliveries`,
    `  their words and mentions in ${changed} messages of others`,
    ...(plugins.length > 0 ? [`  the data of these plugins: ${plugins.join(', ')}`] : []),
    ...(isSearching ? ['  A running bot searches the conversations without this person for their words.'] : []),
    ...(lastLookAt ? ['  A running bot checks again after five minutes, for messages that it was sending meanwhile.'] : []),
  ]
}
