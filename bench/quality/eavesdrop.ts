/**
 * What eavesdropping costs in ordinary talk: `npm run bench:eavesdrop -- FILE…`. A file is a chat log (`.jsonl` with a message on each line),
 * or dialogues in the form that `bench:japanese` reads, whose lines have no times and are 12 s apart. A whole bot listens to each channel.
 * Its judge always finds ordinary talk: ACTIVE, DIFFERENT and NO. Counted are its calls per 100 messages.
 */
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'
import { startBot } from 'kikimimi'
import { movedClock, openDatabase, stepsOf } from 'kikimimi/host'
import { z } from 'zod'
import { seededRandom } from '../../core/base/random.ts'
import { scriptedModel } from '../../core/testing/scripted-model.ts'
import eavesdrop from '../../plugins/eavesdrop/index.ts'
import { progress, round } from '../base/measure.ts'
import { benchLog, deafPlatform, said } from '../base/talk.ts'

const BETWEEN_MS = 12_000
const START = new Date('2026-01-05T10:00:00Z')
/** Dialogues of a file, and messages of a chat log. */
const [DIALOGUES, MESSAGES] = [8, 250]
const AFTERWARDS_MS = 5 * 60_000

const person = z.object({ id: z.string(), name: z.string() })
const record = z.union([
  z.object({
    id: z.string(),
    people: z.array(z.string()),
    lines: z.array(z.object({ id: z.number(), by: z.string(), text: z.string() })),
  }),
  z.object({
    id: z.string(),
    at: z.coerce.date(),
    author: person,
    text: z.string(),
    mentions: z.array(z.string()),
    context: z.boolean().optional(),
  }),
])

interface Line {
  readonly channel: string
  /** Milliseconds since the line before it. */
  readonly pauseMs: number
  readonly author: string
  readonly text: string
  readonly mentions: readonly string[]
}

async function* linesOf(file: string): AsyncGenerator<Line> {
  let [count, before] = [0, 0]
  for await (const text of createInterface({ input: createReadStream(file) })) {
    const read = record.parse(JSON.parse(text))
    if ('lines' in read) {
      if (++count > DIALOGUES) return
      for (const { by, text } of read.lines) yield { channel: read.id, pauseMs: BETWEEN_MS, author: by, text, mentions: [] }
    } else if (!read.context) {
      if (++count > MESSAGES) return
      const at = read.at.getTime()
      const pauseMs = before === 0 ? 0 : Math.max(0, at - before)
      before = at
      yield { channel: basename(file), pauseMs, author: read.author.id, text: read.text, mentions: read.mentions }
    }
  }
}

const files = process.argv.slice(2)
if (files.length === 0) {
  progress('Which talk? npm run bench:eavesdrop -- FILE…')
  process.exit(2)
}

/** Calls of the judge by question. */
async function callsIn(lines: readonly Line[]) {
  const calls = { state: 0, same: 0, verdict: 0 }
  const model = scriptedModel(({ system }) => {
    const step = /\bENDING\b/.test(system) ? 'state' : /\bSAME\b/.test(system) ? 'same' : 'verdict'
    calls[step]++
    return { state: 'ACTIVE', same: 'DIFFERENT', verdict: 'NO' }[step]
  })
  await using scope = new AsyncDisposableStack()
  const time = movedClock(START)
  const db = scope.adopt(await openDatabase('memory', { log: benchLog, clock: time.clock }), opened => opened.close())
  const channels = [...new Set(lines.map(({ channel }) => channel))]
  const platform = deafPlatform()
  const bot = scope.use(
    await startBot(
      {
        ...{ persona: { name: 'kiki' }, pacing: { minWait: 'auto' }, models: { chat: model } },
        plugins: [eavesdrop({ channels })],
      },
      {
        ...{ db, clock: time.clock, jobClock: time.jobClock, random: seededRandom(1), log: benchLog },
        ...{ platforms: [platform], supervise: false, env: {} },
      },
    ),
  )
  const steps = stepsOf(time, db, () => bot.jobs)
  const pass = (ms: number) => time.clock.advance(time.clock.now() + ms, steps)
  for (const [at, { channel, pauseMs, author, text, mentions }] of lines.entries()) {
    await pass(pauseMs)
    const people = mentions.map(id => ({ id, name: id }))
    await bot.receive(
      platform,
      said(at, channel, { text, at: new Date(time.clock.now()), author: { id: author, name: author }, mentions: people }),
    )
  }
  await pass(AFTERWARDS_MS)
  return calls
}

const results: Record<string, object> = {}
for (const file of files) {
  const lines = await Array.fromAsync(linesOf(file))
  const calls = await callsIn(lines)
  const all = calls.state + calls.same + calls.verdict
  results[basename(file)] = { messages: lines.length, ...calls, callsPer100: round((100 * all) / lines.length, 1) }
  progress(`${basename(file)}: ${all} calls in ${lines.length} messages`)
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
