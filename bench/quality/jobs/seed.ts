/** The past of the bot: channels, facts, days of real talk with their turns, and what its models cost. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from 'kikimimi'
import { fileLog } from '../../../packages/replay/chat-log.ts'
import { fill as fillFacts } from '../recall/scale.ts'

export interface Past {
  /** A folder with chat logs, one of each day. */
  readonly talk: string
  readonly days: number
  readonly channels: number
  readonly facts: number
}

/** The channel of the real talk. */
export const DEV = 'irc/ubuntu/dev'
const [HOUR, DAY] = [3_600_000, 86_400_000]
/** Messages of a turn. */
const BATCH = 3
/** Each this many turns the bot answers. */
const ANSWERS = 10
/** From a message to the turn that judges it. */
const SOON = 5_000

/** Yesterday at 14:10, local time. */
export function silentTime(now = new Date()): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1, 14, 10)
}

export async function seed(db: Database, { talk, days, channels, facts }: Past): Promise<void> {
  await fillFacts(db, facts)
  await db.query(CHANNELS, [channels - 1])
  await db.query(FIRST_WORDS, [channels - 1])
  await db.query(
    `insert into kikimimi.conversation (id, platform, workspace, channel, name, visibility) values ($1, 'irc', 'ubuntu', 'dev', 'dev', 'public')`,
    [DEV],
  )
  const files = (await readdir(talk)).filter(name => name.endsWith('.jsonl')).sort()
  if (files.length < days) throw new Error(`${talk} has ${files.length} chat logs: one of each of ${days} days is needed.`)
  for (const [index, file] of files.slice(-days).entries()) {
    const lines = await Array.fromAsync(fileLog(join(talk, file)).lines())
    const middle = Math.floor(lines.length / 2 / BATCH) * BATCH + BATCH - 1
    // Half a minute past, so that the turn is in the same minute.
    const shift = silentTime().getTime() + 20_000 - (days - 1 - index) * DAY - (lines[middle]?.at.getTime() ?? 0)
    const said = lines.map(({ id, at, author, text }) => ({ id, author, text, at: new Date(at.getTime() + shift) }))
    await keepDay(
      db,
      said.filter(({ at }) => at.getTime() < Date.now() - HOUR),
      middle,
    )
  }
  await db.query(
    `update kikimimi.conversation c set processed = m.seq
     from (select conversation, max(seq) as seq from kikimimi.message group by 1) m where m.conversation = c.id`,
  )
  await db.query(COSTS, [DEV])
  for (const plugin of ['facts', 'profiles'])
    await db.query(`update ${plugin}.watermark set seq = (select max(seq) from kikimimi_v1.message)`)
  await db.query('vacuum analyze')
}

interface Said {
  readonly id: string
  readonly at: Date
  readonly author: { readonly id: string; readonly name: string }
  readonly text: string
}

/** Reasons of silence, in the words of the rules. */
const REASONS = ['no rule applies · below 60', '5: asks a question 5 · below 60', '25: asks after a silence 25 · below 60']

/** @param middle the place of a message whose turn is silent */
async function keepDay(db: Database, said: readonly Said[], middle: number): Promise<void> {
  const messages: object[] = []
  const turns: object[] = []
  for (let from = 0; from < said.length; from += BATCH) {
    const batch = said.slice(from, from + BATCH)
    const last = batch.at(-1)
    if (!last) break
    const at = new Date(last.at.getTime() + SOON)
    const number = from / BATCH
    const answers = number % ANSWERS === 0 && !(from <= middle && middle < from + BATCH)
    const turn = `turn-${last.id}`
    for (const { author, ...one } of batch) {
      const addressed = answers && one.id === last.id && { addressed: 'mention', mentions: [{ id: 'kiki', name: 'kiki' }] }
      messages.push({ ...one, own: false, author_id: author.id, author_name: author.name, ...addressed })
    }
    if (answers)
      messages.push({ id: `answer-${last.id}`, at, text: 'It depends.', own: true, author_id: 'kiki', author_name: 'kiki', turn })
    const why = REASONS[number % REASONS.length]
    turns.push({
      ...{ turn, at, trigger: last.id, outcome: answers ? 'replied' : 'silent' },
      data: {
        ...{ turn, conversation: DEV, messages: batch.map(({ id }) => id), trigger: last.id, sections: [], problems: [] },
        outcome: answers ? 'replied' : 'silent',
        sent: answers ? [`answer-${last.id}`] : [],
        ...(answers && { addressed: 'mention' }),
        score: {
          points: answers ? 85 : 30,
          parts: [{ plugin: 'judge-rules', points: answers ? 85 : 30, why: 'asks a question' }],
        },
        decision: { kind: answers ? 'full' : 'silent', plugin: 'judge-rules', why: answers ? 'calls the bot by name' : why },
        models: answers
          ? [{ role: 'chat', model: 'large', ms: 900, inputTokens: 900, outputTokens: 60, attempts: 1, cost: 0.004 }]
          : [],
        ms: { score: 1, decide: 2, ...(answers && { context: 12, respond: 920 }) },
      },
    })
  }
  await db.query(MESSAGES, [JSON.stringify(messages), DEV])
  await db.query(TURNS, [JSON.stringify(turns), DEV])
}

const CHANNELS = `
  insert into kikimimi.conversation (id, platform, workspace, channel, name, visibility)
  select 'irc/ubuntu/c' || n, 'irc', 'ubuntu', 'c' || n, 'channel-' || n, 'public' from generate_series(1, $1::int) n`

/** Each channel has a message of the last days. */
const FIRST_WORDS = `
  insert into kikimimi.message (conversation, channel, id, author_id, author_name, author_bot, own, missed, text, mentions, attachments, reactions, at, received_at)
  select 'irc/ubuntu/c' || n, 'irc/ubuntu/c' || n, 'first-' || n, 'u' || n % 2000, 'name-' || n % 2000, false, false, false, 'hello from channel ' || n,
    '[]', '[]', '[]', at, at
  from (select n, now() - interval '9 days' + n * interval '1 minute' as at from generate_series(1, $1::int) n) made`

const MESSAGES = `
  insert into kikimimi.message (conversation, channel, id, author_id, author_name, author_bot, own, missed, addressed, text, mentions, attachments, reactions, at, received_at, turn)
  select $2, $2, id, author_id, author_name, own, own, false, addressed, text, coalesce(mentions, '[]'), '[]', '[]', at, at, turn
  from jsonb_to_recordset($1::jsonb) as m(id text, author_id text, author_name text, own boolean, addressed text, mentions jsonb, text text, at timestamptz, turn text)
  order by at`

const TURNS = `
  insert into kikimimi.trace (turn, conversation, at, outcome, trigger, data)
  select turn, $2, at, outcome, trigger, data
  from jsonb_to_recordset($1::jsonb) as t(turn text, at timestamptz, outcome text, trigger text, data jsonb) order by at`

/** In each hour of eight days: much in one channel, and little in twenty others. */
const COSTS = `
  insert into kikimimi.model_use (hour, place, role, plugin, model, calls, failed, input_tokens, output_tokens, ms, cost)
  select hour, place, role, plugin, model, calls, 0, calls * 900, calls * 60, calls * 900, calls * price
  from generate_series(date_trunc('hour', now(), 'UTC') - interval '8 days', now(), interval '1 hour') hour,
    (select $1::text as place, 60 as calls union all select 'irc/ubuntu/c' || n, 2 from generate_series(1, 20) n) p,
    (values ('chat', 'reply', 'large', 0.004), ('summary', 'memory-summary', 'small', 0.001)) m(role, plugin, model, price)`
