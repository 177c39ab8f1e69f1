/** Exports of Slack: a folder or a zip archive with `CHANNEL/YYYY-MM-DD.json`, and lists of the users and direct messages. */
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { invalid, issueOf } from './invalid.ts'
import type { LogLine, Place } from './log-line.ts'

const ts = z.string().regex(/^\d+\.\d+$/, 'expected seconds such as "1767603600.000100"')

const message = z.object({
  ts,
  subtype: z.string().optional(),
  user: z.string().min(1).optional(),
  bot_id: z.string().min(1).nullish(),
  username: z.string().optional(),
  text: z.string().default(''),
  thread_ts: ts.optional(),
  deleted_ts: ts.optional(),
  hidden: z.boolean().optional(),
  user_profile: z.object({ display_name: z.string().optional(), real_name: z.string().optional() }).nullish(),
  bot_profile: z.object({ name: z.string().optional() }).nullish(),
  /** The new version, in a record of an edit. */
  message: z.object({ ts, text: z.string().default('') }).optional(),
})
type Message = z.infer<typeof message>

const users = z.array(
  z.object({
    id: z.string(),
    name: z.string().optional(),
    is_bot: z.boolean().optional(),
    profile: z.object({ display_name: z.string().optional(), real_name: z.string().optional() }).optional(),
  }),
)
const rooms = z.array(z.object({ id: z.string(), name: z.string().optional() }))

/** What people and bots say. The other subtypes tell of joins, topics, pins and messages that are gone. */
const SPOKEN = new Set([undefined, 'bot_message', 'me_message', 'thread_broadcast', 'file_share'])

/** The files of an export, by path. */
export type Files = ReadonlyMap<string, () => Promise<Buffer> | Buffer>
type Person = LogLine['author']

/** The messages of channels in the order of time. Direct messages are left out: no bot that was not invited hears them. */
export async function readSlackExport(files: Files, place: Place): Promise<readonly LogLine[]> {
  const read = async <T>(name: string, schema: z.ZodType<T>): Promise<T | undefined> => {
    const file = [...files.keys()].find(one => one === name || one.endsWith(`/${name}`))
    if (file === undefined) return undefined
    place.text = file
    // A running bot has other work, and an export has thousands of files.
    await setImmediate()
    const found = schema.safeParse(JSON.parse(String(await files.get(file)?.())))
    if (!found.success) throw invalid(issueOf(found.error))
    return found.data
  }
  const people = new Map<string, Person>()
  for (const { id, name, profile, is_bot } of (await read('users.json', users)) ?? [])
    people.set(id, { id, name: profile?.display_name || profile?.real_name || name || id, ...(is_bot && { bot: true }) })
  const direct = [...((await read('dms.json', rooms)) ?? []), ...((await read('mpims.json', rooms)) ?? [])]
  const leftOut = new Set(direct.flatMap(({ id, name }) => [id, name]))

  const days = [...files.keys()].flatMap(file => {
    const [, channel = ''] = /(?:^|\/)([^/]+)\/\d{4}-\d\d-\d\d\.json$/.exec(file) ?? []
    return channel === '' || leftOut.has(channel) ? [] : { file, channel }
  })
  place.text = ''
  if (days.length === 0)
    throw invalid('it has no messages of Slack: expected files such as general/2026-01-05.json, as Slack exports them')
  const told = new Map<string, { readonly channel: string; message: Message }>()
  const later: { readonly channel: string; readonly message: Message }[] = []
  for (const { file, channel } of days) {
    for (const one of (await read(file, z.array(message))) ?? []) {
      if (one.subtype === 'message_changed' || one.subtype === 'message_deleted') later.push({ channel, message: one })
      else if (SPOKEN.has(one.subtype) && !one.hidden) told.set(idOf(channel, one.ts), { channel, message: one })
    }
  }
  for (const { channel, message } of later.sort((one, other) => Number(one.message.ts) - Number(other.message.ts)))
    change(told, channel, message)
  return [...told.values()]
    .map(one => lineOf(one.message, one.channel, people))
    .sort((one, other) => one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : 1))
}

/** Exports with a record of edits have them as messages of their own. */
function change(told: Map<string, { readonly channel: string; message: Message }>, channel: string, record: Message): void {
  if (record.deleted_ts !== undefined) told.delete(idOf(channel, record.deleted_ts))
  const edited = record.message && told.get(idOf(channel, record.message.ts))
  if (edited && record.message) edited.message = { ...edited.message, text: record.message.text }
}

function lineOf(told: Message, channel: string, people: ReadonlyMap<string, Person>): LogLine {
  const thread = told.thread_ts === undefined || told.thread_ts === told.ts ? undefined : told.thread_ts
  return {
    id: idOf(channel, told.ts),
    at: new Date(Number(told.ts) * 1_000),
    // A thread is a channel of its own, as it is to the bot.
    channel: thread === undefined ? channel : `${channel}/${thread}`,
    author: authorOf(told, people),
    ...readable(told.text, people),
    replyTo: thread === undefined ? [] : [idOf(channel, thread)],
    context: false,
  }
}

/** Slack numbers the messages of each channel separately. */
function idOf(channel: string, ts: string): string {
  return `${channel}/${ts}`
}

function authorOf(
  { user, bot_id, subtype, username, user_profile, bot_profile }: Message,
  people: ReadonlyMap<string, Person>,
): Person {
  const known = user === undefined ? undefined : people.get(user)
  const id = user ?? bot_id ?? username ?? 'unknown'
  const name = known?.name || user_profile?.display_name || user_profile?.real_name || bot_profile?.name || username || id
  const isBot = known?.bot || bot_id != null || subtype === 'bot_message'
  return { id, name, ...(isBot && { bot: true }) }
}

/** `<@U1> see <#C1|general>, <https://example.org|the page> &amp; more`: as people see it, and who is mentioned. */
function readable(text: string, people: ReadonlyMap<string, Person>): Pick<LogLine, 'text' | 'mentions'> {
  const mentions = new Set<string>()
  const plain = text.replaceAll(/<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>/g, (_, kind: string, id: string, label?: string) => {
    if (kind === '') return id
    if (kind !== '@') return `${kind === '#' ? '#' : '@'}${label || id.replace(/^subteam\^/, '')}`
    mentions.add(id)
    return `@${people.get(id)?.name ?? label ?? id}`
  })
  return {
    text: plain.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
    mentions: [...mentions],
  }
}
