/** Days of real talk. The bot hears it in memory, on a virtual clock: its turns, answers and calls of models are stored as its past. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { combine, START } from '@kikimimi/judge-llm/combine'
import { probabilityOf } from '@kikimimi/judge-rules/probability'
import { type BotConfig, type Database, definePlugin, startBot, type Trace } from 'kikimimi'
import { VirtualClock } from 'kikimimi/host'
import type { Platform } from 'kikimimi/platform'
import { seededRandom } from '../../../core/base/random.ts'
import { passOn, passUntil, type Replaying, say } from '../../../packages/replay/feed.ts'
import { fileLog, type LogLine } from '../../../packages/replay/logs/chat-log.ts'
import { progress } from '../../base/measure.ts'
import { benchLog } from '../../base/talk.ts'

export interface Talk {
  /** A folder with chat logs, one of each day. */
  readonly talk: string
  readonly days: number
}

/** The channel of the real talk. */
export const DEV = 'irc/ubuntu/dev'
const [HOUR, DAY] = [3_600_000, 86_400_000]
/** One line in this many calls the bot. */
const CALLS = 40

/** Yesterday at 14:10, local time. */
export function silentTime(now = new Date()): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1, 14, 10)
}

export const inDev = { platform: 'irc', workspace: 'ubuntu', channel: 'dev', name: 'dev', visibility: 'public' } as const

/** What the judge says. */
export const [YES, NO, SURE] = ['a question', 'no question', 0.8] as const

/** @param config a bot without tables of plugins */
export async function live(db: Database, { talk, days }: Talk, config: BotConfig, me: Platform['me']): Promise<void> {
  const lines = await linesOf(talk, days, me)
  const start = lines[0]?.at.getTime() ?? 0
  const clock = new VirtualClock(start)
  const traces: Trace[] = []
  const answers: object[] = []
  const platform: Platform = {
    ...{ name: 'irc', me, limits: { textLength: 2_000 } },
    async send(_conversation, { text }) {
      const id = `answer-${answers.length}`
      answers.push({ id, at: new Date(clock.now()), text, own: true, author_id: me.id, author_name: me.name })
      return { id }
    },
    react: async () => {},
  }
  const kept = definePlugin({ name: 'kept', setup: () => ({ after: (_turn, trace) => void traces.push(trace) }) })
  const bot = await startBot(
    { ...config, database: 'memory', plugins: [...config.plugins, kept] },
    { ...{ clock, random: seededRandom(1), log: benchLog, inMemory: true }, serves: false, platforms: [platform], env: {} },
  )
  const log = { name: 'dev', lines: () => lines, conversation: () => inDev }
  const replaying: Replaying = { bot, clock, platform, log, seesReplies: true, start }
  for (const [index, line] of lines.entries()) {
    if (index % 2_000 === 0) progress(`the bot has heard ${index} of ${lines.length} messages`)
    await passUntil(line.at, replaying)
    await say(line, replaying)
  }
  await passOn(replaying)
  await bot.stop()
  await store(db, lines, answers, traces)
}

async function store(
  db: Database,
  lines: readonly LogLine[],
  answers: readonly object[],
  traces: readonly Trace[],
): Promise<void> {
  const turns = new Map(traces.flatMap(({ turn, sent }) => sent.map(id => [id, turn])))
  const calls = new Set(traces.flatMap(({ addressed, trigger }) => (addressed ? [trigger] : [])))
  const messages = [
    ...lines.map(({ id, at, author, text, mentions }) => ({
      ...{ id, at, text, own: false, author_id: author.id, author_name: author.name },
      ...(calls.has(id) && { addressed: 'mention' }),
      mentions: mentions.map(one => ({ id: one, name: one })),
    })),
    ...answers.map(answer => ({ ...answer, turn: 'id' in answer && turns.get(String(answer.id)) })),
  ]
  await db.query(CHANNEL, [DEV])
  await db.query(MESSAGES, [JSON.stringify(messages), DEV])
  await db.query(TURNS, [JSON.stringify(traces), DEV])
  await db.query(USE, [DEV])
  const judged = traces.filter(({ models }) => models.some(({ role }) => role === 'judge'))
  const verdicts = judged.map(({ turn, at, trigger, sent, score, decision, models }) => {
    const [prior, verdict] = [probabilityOf(score?.points ?? 0), decision?.why.startsWith(YES) ? SURE : -SURE]
    const { inputTokens, outputTokens, model } = models.find(({ role }) => role === 'judge') ?? {}
    return {
      ...{ turn, at, sent, prior, verdict, message: trigger, model, before: prior, after: combine(START, prior, verdict) },
      ...{ spoke: decision?.kind === 'full', input_tokens: inputTokens, output_tokens: outputTokens },
    }
  })
  await db.query(VERDICTS, [JSON.stringify(verdicts), DEV])
}

/** Each file on its own day; that of yesterday has a message of which the bot thinks nothing at the time that is asked about. */
async function linesOf(talk: string, days: number, me: Platform['me']): Promise<LogLine[]> {
  const files = (await readdir(talk)).filter(name => name.endsWith('.jsonl')).sort()
  if (files.length < days) throw new Error(`${talk} has ${files.length} chat logs: one of each of ${days} days is needed.`)
  const said: LogLine[] = []
  for (const [index, file] of files.slice(-days).entries()) {
    const lines = await Array.fromAsync(fileLog(join(talk, file)).lines())
    const isCall = (at: number) => at % CALLS === 0
    const half = Math.floor(lines.length / 2)
    // The last turn of its minute.
    const middle = lines.findIndex(
      ({ text, at }, index) =>
        index >= half && !isCall(index) && !text.includes('?') && (lines[index + 1]?.at.getTime() ?? 0) - at.getTime() >= 10_000,
    )
    const shift = silentTime().getTime() + 50_000 - (days - 1 - index) * DAY - (lines[middle]?.at.getTime() ?? 0)
    for (const [at, { replyTo, ...line }] of lines.entries())
      said.push({
        ...{ ...line, replyTo, context: false, mentions: isCall(at) ? [me.id] : [] },
        at: new Date(line.at.getTime() + shift),
      })
  }
  return said.filter(({ at }) => at.getTime() < Date.now() - 2 * HOUR).sort((one, other) => one.at.getTime() - other.at.getTime())
}

const CHANNEL = `
  insert into kikimimi.conversation (id, platform, workspace, channel, name, visibility)
  values ($1, 'irc', 'ubuntu', 'dev', 'dev', 'public')`

const MESSAGES = `
  insert into kikimimi.message (conversation, channel, id, author_id, author_name, author_bot, own, missed, addressed, text, mentions, attachments, reactions, at, received_at, turn)
  select $2, $2, id, author_id, author_name, own, own, false, addressed, text, coalesce(mentions, '[]'), '[]', '[]', at, at, turn
  from jsonb_to_recordset($1::jsonb) as m(id text, author_id text, author_name text, own boolean, addressed text, mentions jsonb, text text, at timestamptz, turn text)
  order by at, own`

const TURNS = `
  insert into kikimimi.trace (turn, conversation, at, outcome, trigger, data)
  select one->>'turn', $2, (one->>'at')::timestamptz, one->>'outcome', one->>'trigger', one || jsonb_build_object('conversation', $2::text)
  from jsonb_array_elements($1::jsonb) one order by (one->>'at')::timestamptz`

/** The calls of its turns, and two summaries an hour. */
const USE = `
  insert into kikimimi.model_use (hour, place, role, plugin, model, calls, failed, input_tokens, output_tokens, ms, cost)
  select date_trunc('hour', at, 'UTC'), $1, role, case role when 'judge' then 'judge-llm' else 'reply' end, model, count(*), 0,
    sum("inputTokens"), sum("outputTokens"), sum(ms), sum(cost)
  from kikimimi.trace, jsonb_to_recordset(data->'models') as used(role text, model text, "inputTokens" int, "outputTokens" int, ms int, cost float8)
  where conversation = $1 group by 1, role, model
  union all
  select date_trunc('hour', at, 'UTC'), $1, 'summary', 'memory-summary', 'small', 2, 0, 3000, 600, 1800, 0.0042
  from kikimimi.trace where conversation = $1 group by 1`

const VERDICTS = `
  insert into judge_llm.outcome (turn, conversation, channel, message, author, at, spoke, sent, follow_up, prior, verdict, before, after, heeded,
    model, prompt, lines, has_target, has_own, input_tokens, output_tokens, counted_at)
  select v.turn, $2, $2, v.message, m.author_id, v.at, v.spoke, v.sent, false, v.prior, v.verdict, v.before, v.after, true,
    v.model, 'p', 15, true, true, v.input_tokens, v.output_tokens, v.at
  from jsonb_to_recordset($1::jsonb) as v(turn text, message text, at timestamptz, spoke boolean, sent text[], prior float8, verdict float8,
    before float8, after float8, model text, input_tokens int, output_tokens int)
  join kikimimi.message m on m.conversation = $2 and m.id = v.message`
