/** Two weeks of talk in three channels, with the turns of a bot, as the bot stores them. */
import type { Database, Trace } from 'kikimimi'
import type { Store } from '../../core/storage/store/store.ts'
import { SCENES, type Scene } from './scenes.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const DAYS = 14
/** Hours of the day in which people write, by channel. */
const HOURS: Readonly<Record<string, readonly number[]>> = {
  dev: [9, 10, 11, 13, 14, 15, 16, 17, 18],
  general: [9, 12, 15, 19],
  random: [12, 18, 21],
}
const NAMES: Readonly<Record<string, string>> = { ann: 'Ann', ben: 'Ben', yumi: '由美', dan: 'Dan' }

const place = (channel: string) =>
  ({
    platform: 'discord',
    workspace: 'team',
    channel,
    name: channel,
    visibility: 'public',
    id: `discord/team/${channel}`,
  }) as const

/** Stores the past, oldest first. @returns the ids of the turns with an answer */
export async function keepPast(
  db: Database,
  store: Pick<Store, 'record' | 'keepTrace'>,
  now: number,
): Promise<readonly string[]> {
  const scenes: { channel: string; at: number; scene: Scene }[] = []
  for (let day = DAYS; day >= 0; day--) {
    const midnight = new Date(now - day * DAY).setHours(0, 0, 0, 0)
    const isWeekend = [0, 6].includes(new Date(midnight).getDay())
    for (const [channel, hours] of Object.entries(HOURS)) {
      for (const [n, hour] of hours.entries()) {
        const at = midnight + hour * 60 * MINUTE + ((day * 7 + n * 13) % 50) * MINUTE
        const all = SCENES[channel] ?? []
        const scene = all[(day * hours.length + n) % all.length]
        if (scene && at < now - 10 * MINUTE && (!isWeekend || n % 3 === 1)) scenes.push({ channel, at, scene })
      }
    }
  }
  const answered: string[] = []
  for (const [n, { channel, at, scene }] of scenes.toSorted((a, b) => a.at - b.at).entries()) {
    for (const [line, { author, text, to }] of scene.entries()) {
      const said = new Date(at + line * 40_000)
      const own = author === 'kiki'
      await store.record(
        place(channel),
        {
          ...{ id: `m${n}-${line}`, text, at: said, mentions: [], attachments: [], own },
          author: own ? { id: 'bot', name: 'kiki' } : { id: author, name: NAMES[author] ?? author },
          ...(to !== undefined && { replyTo: `m${n}-${to}` }),
        },
        said,
      )
      if (own) continue
      const trace = traceOf(scene, n, line, channel, said)
      await store.keepTrace(trace)
      if (trace.outcome === 'replied') answered.push(trace.turn)
    }
  }
  // The bot has handled all of it.
  await db.query(
    'update kikimimi.conversation c set processed = (select max(m.seq) from kikimimi.message m where m.conversation = c.id)',
  )
  return answered
}

/** The turn of one message. */
function traceOf(scene: Scene, n: number, line: number, channel: string, at: Date): Trace {
  const text = scene[line]?.text ?? ''
  const isAnswered = scene[line + 1]?.author === 'kiki'
  const name = /^@?kiki|、kiki|kiki、/.test(text)
  const chance = (n * 31 + line * 17) % 60
  const outcome = isAnswered ? 'replied' : name ? (chance < 30 ? 'failed' : 'delayed') : chance === 7 ? 'cancelled' : 'silent'
  const parts = [
    ...(name ? [{ why: 'calls the bot by name', points: 80 }] : []),
    ...(/[?？]$/.test(text) ? [{ why: 'asks a question', points: 5 }] : []),
    ...(/anyone|who |誰か/i.test(text) ? [{ why: 'asks everybody', points: isAnswered ? 60 : 35 }] : []),
    ...(line > 0 && !name ? [{ why: 'two others are talking', points: -10 }] : []),
  ].map(part => ({ plugin: 'judge-rules', ...part }))
  const points = Math.max(
    0,
    Math.min(
      100,
      parts.reduce((sum, part) => sum + part.points, 0),
    ),
  )
  const reasons = parts.map(({ why, points }) => `${why} ${points}`).join(', ') || 'no rule applies'
  const speaks = outcome !== 'silent'
  const isJudged = !name && points >= 20
  const judgeMs = isJudged ? 300 + ((n * 97) % 500) : 0
  const writeMs = 900 + ((n * 997) % 2_600) + (chance === 13 ? 9_000 : 0)
  const tokens = 700 + ((n * 37) % 900)
  const models = [
    ...(isJudged
      ? [{ role: 'judge', model: 'small', inputTokens: 380, outputTokens: 12, ms: judgeMs, attempts: 1, cost: 0.0004 }]
      : []),
    ...(speaks
      ? [
          {
            ...{ role: 'chat', model: 'large', inputTokens: tokens, outputTokens: 45, ms: writeMs, attempts: 1 },
            ...(outcome === 'failed' ? { error: 'MODEL_UNAVAILABLE' } : { cost: (tokens * 2 + 45 * 8) / 1e6 }),
          },
        ]
      : []),
  ] as const
  const decided = 7 + judgeMs
  return {
    ...{ turn: `turn-${n}-${line}`, conversation: `discord/team/${channel}`, at },
    ...{ messages: [`m${n}-${line}`], trigger: `m${n}-${line}` },
    ...(name && { addressed: 'name' as const }),
    score: { points, parts },
    decision: name
      ? { kind: 'full', why: 'calls the bot by name', plugin: 'judge-rules' }
      : speaks
        ? { kind: 'full', why: `${reasons} · reaches 60`, plugin: 'judge-rules' }
        : { kind: 'silent', why: `${reasons} · below 60`, plugin: 'judge-rules' },
    sections: speaks
      ? [
          { title: 'Channel', plugin: 'memory-summary', tokens: 180, kept: true },
          { title: 'Facts', plugin: 'facts', tokens: 120, kept: true },
        ]
      : [],
    models,
    ...(isAnswered && { reply: { kind: 'text' as const, plugin: 'reply', length: scene[line + 1]?.text.length ?? 0 } }),
    sent: isAnswered ? [`m${n}-${line + 1}`] : [],
    outcome,
    ...(outcome === 'cancelled' && { why: 'a newer message arrived' }),
    problems: outcome === 'failed' ? [{ plugin: 'reply', stage: 'respond', message: 'MODEL_UNAVAILABLE' }] : [],
    ms: { score: 2, decide: 5 + judgeMs, ...(speaks && { context: 20, respond: writeMs }) },
    timeline: [
      { what: 'stage', name: 'score', afterMs: 0, ms: 2 },
      ...(isJudged ? [{ what: 'model', name: 'judge', afterMs: 4, ms: judgeMs } as const] : []),
      { what: 'stage', name: 'decide', afterMs: 2, ms: decided - 2 },
      ...(speaks
        ? ([
            { what: 'stage', name: 'context', afterMs: decided, ms: 20 },
            { what: 'model', name: 'chat', afterMs: decided + 23, ms: writeMs },
            { what: 'stage', name: 'respond', afterMs: decided + 20, ms: writeMs + 3 },
          ] as const)
        : []),
    ],
  }
}
