/** What a bot heard and what was set in its chats, as JSON lines: one version writes them, and another replays them. */
import { createReadStream } from 'node:fs'
import { type Conversation, channelOf, type Database, KikimimiError } from 'kikimimi'
import type { Setting } from 'kikimimi/host'
import { IS_KEPT, linesOf, readSettings, reason } from 'kikimimi/host'
import { z } from 'zod'
import { CONTEXT, latestIn } from '../database-log.ts'

const place = z.object({
  id: z.string(),
  platform: z.string(),
  workspace: z.string(),
  channel: z.string(),
  thread: z.string().optional(),
  name: z.string(),
  visibility: z.enum(['public', 'private', 'direct']),
})

const line = z.object({
  id: z.string(),
  at: z.iso.datetime().transform(at => new Date(at)),
  channel: z.string(),
  author: z.object({ id: z.string(), name: z.string(), bot: z.boolean().optional() }),
  text: z.string(),
  mentions: z.array(z.string()),
  replyTo: z.array(z.string()),
  context: z.boolean(),
  own: z.boolean(),
})

const entry = z.union([
  z.object({ channel: z.string(), cut: z.boolean(), places: z.array(place) }),
  z.object({ setting: z.object({ place: z.string(), plugin: z.string(), key: z.string(), value: z.json() }) }),
  z.object({ line }),
])

export type RecordedLine = z.output<typeof line>

export interface RecordedChannel {
  readonly channel: string
  /** Earlier messages of the time were left out. */
  readonly cut: boolean
  /** The channel and its threads. */
  readonly places: readonly Conversation[]
  readonly lines: RecordedLine[]
}

export interface Recorded {
  readonly settings: readonly Pick<Setting, 'place' | 'plugin' | 'key' | 'value'>[]
  readonly channels: readonly RecordedChannel[]
}

/** The most messages of a channel. */
const LIMIT = 2_000

/** Everything that was said in the last days before the latest message, in all channels, with the messages before it that a turn sees. */
export async function* recordedLines(db: Database, days: number): AsyncGenerator<string> {
  const { rows: latest } = await db.query<{ at: Date | null }>(`select max(at) as at from kikimimi_v1.message m where ${IS_KEPT}`)
  const since = new Date((latest[0]?.at?.getTime() ?? 0) - days * 24 * 60 * 60_000)
  for (const { place, plugin, key, value } of await readSettings(db))
    yield JSON.stringify({ setting: { place, plugin, key, value } })
  const { rows } = await db.query<Omit<Conversation, 'thread'> & { readonly thread: string | null }>(
    `select id, platform, workspace, channel, thread, name, visibility from kikimimi_v1.conversation c
     where exists (select 1 from kikimimi_v1.message m where m.conversation = c.id and m.at >= $1 and ${IS_KEPT})
     order by id`,
    [since],
  )
  const heard = rows.map(({ thread, ...rest }): Conversation => ({ ...rest, ...(thread !== null && { thread }) }))
  for (const [channel, places] of Map.groupBy(heard, channelOf)) {
    const all = await latestIn(db, channel, LIMIT + CONTEXT)
    const known = all.filter(one => places.some(({ id }) => id === one.channel))
    const begin = all.length - LIMIT
    const cut = begin > 0 && new Date(all[begin]?.at ?? 0) > since
    yield JSON.stringify({ channel, cut, places })
    for (const one of known) {
      const context = new Date(one.at) < since || all.indexOf(one) < begin
      yield JSON.stringify({ line: { ...one, context } })
    }
  }
}

/** @throws LOG_FILE_INVALID for a file that another version wrote differently */
export async function readRecorded(file: string): Promise<Recorded> {
  const [settings, channels]: [Recorded['settings'][number][], RecordedChannel[]] = [[], []]
  try {
    for await (const text of linesOf(createReadStream(file))) {
      const read = entry.parse(JSON.parse(text))
      if ('setting' in read) settings.push(read.setting)
      else if ('line' in read) channels.at(-1)?.lines.push(read.line)
      else {
        const places = read.places.map(({ thread, ...rest }) => ({ ...rest, ...(thread !== undefined && { thread }) }))
        channels.push({ channel: read.channel, cut: read.cut, places, lines: [] })
      }
    }
  } catch (error) {
    throw new KikimimiError('LOG_FILE_INVALID', `${file}: ${reason(error)}`, { cause: error })
  }
  return { settings, channels }
}
