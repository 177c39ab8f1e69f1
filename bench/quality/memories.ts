/**
 * What stands in a prompt of what the bot remembers: plays a long conversation, asks questions about it, and prints the memories of
 * each prompt. Two outputs make one sheet for rating, in an order that does not show which is which:
 *   npm run bench:memories -- FILE > after.json
 *   npm run bench:memories -- --sheet before.json after.json > sheet.json
 *   npm run bench:memories -- --count before.json after.json ratings.json
 * The rubric is in bench/README.md.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import facts, { Facts } from '@kikimimi/facts'
import reply from '@kikimimi/reply'
import { definePlugin, startBot } from 'kikimimi'
import type { GenerateRequest } from 'kikimimi/model'
import { seededRandom } from '../../core/base/random.ts'
import { movedClock } from '../../core/bot/clock/moved-clock.ts'
import { stepsOf } from '../../core/bot/clock/settled.ts'
import { openDatabase } from '../../core/storage/database/database.ts'
import { scriptedModel } from '../../core/testing/scripted-model.ts'
import { progress } from '../base/measure.ts'
import { benchLog, deafPlatform, said } from '../base/talk.ts'
import { readSet, type TalkSet } from './recall/data.ts'

const QUESTIONS = 50
const DAY = 24 * 60 * 60_000
const START = new Date('2026-01-05T10:00:00Z')

interface Asked {
  readonly question: string
  /** What was said that answers it. */
  readonly answer: readonly string[]
  readonly memories: readonly string[]
}

type Talk = TalkSet['conversations'][number]

/**
 * The scripted extractor: a statement of a person about themselves becomes a fact. It keeps what a fair model would keep, and some
 * that it would not.
 */
function factOf({ speaker, text }: Talk['turns'][number]): string | undefined {
  const sentence = text.split(/(?<=[.!])\s+/).find(part => /\b(?:I|my|we|our|I'm|I've)\b/.test(part) && !part.includes('?'))
  if (!sentence || sentence.split(/\s+/).length < 6) return undefined
  return `${speaker}: ${sentence}`
}

async function play({ turns, questions }: Talk): Promise<readonly Asked[]> {
  const model = scriptedModel(() => 'I see.')
  await using scope = new AsyncDisposableStack()
  const time = movedClock(START)
  const db = scope.adopt(await openDatabase('memory', { log: benchLog, clock: time.clock }), opened => opened.close())
  const keeper = definePlugin({
    name: 'keeper',
    needs: [Facts],
    setup: ctx => ({
      async after({ messages, conversation }) {
        for (const { id, text, author, at } of messages) {
          const content = factOf({ id, text, speaker: author.id, ageDays: 0 })
          const sources = [{ message: id, author: author.id }]
          if (content) await ctx.use(Facts).add({ conversation, content, people: [author.id], sources, at })
        }
      },
    }),
  })
  const platform = deafPlatform()
  const config = {
    persona: { name: 'kiki' },
    models: { chat: model },
    // Longer than the talk: what is measured is what is found, not what is deleted.
    retention: { messages: '3650d' as const },
    plugins: [facts({ tool: false, forgetBelow: 0 }), keeper(), reply()],
  }
  const parts = {
    ...{ db, clock: time.clock, jobClock: time.jobClock, random: seededRandom(1), log: benchLog },
    platforms: [platform],
  }
  const bot = scope.use(await startBot(config, { ...parts, supervise: false, env: {} }))
  const steps = stepsOf(time, db, () => bot.jobs)
  const passTo = (at: number) => time.clock.advance(Math.max(at, time.clock.now()), steps)

  const oldest = Math.max(...turns.map(({ ageDays }) => ageDays))
  let count = 0
  for (const { speaker, text, ageDays } of turns) {
    await passTo(START.getTime() + (oldest - ageDays) * DAY + count * 1_000)
    const at = new Date(time.clock.now())
    await bot.receive(platform, said(count++, 'general', { text, at, author: { id: speaker, name: speaker } }))
  }
  const asked: Asked[] = []
  const step = Math.max(1, Math.floor(questions.length / QUESTIONS))
  for (const { q, evidence } of questions.filter((_, at) => at % step === 0).slice(0, QUESTIONS)) {
    // The last question is not on screen any more.
    await passTo(time.clock.now() + 40 * 60_000)
    const me = platform.me
    const at = new Date(time.clock.now())
    await bot.receive(
      platform,
      said(count++, 'general', { text: `@kiki ${q}`, at, author: { id: 'kim', name: 'kim' }, mentions: [me] }),
    )
    await passTo(time.clock.now() + 60_000)
    const answer = turns.flatMap(({ id, speaker, text }) => (evidence.includes(id) ? `${speaker}: ${text}` : []))
    asked.push({ question: q, answer, memories: memoriesIn(model.asked.at(-1), q) })
  }
  return asked
}

/** The lines of a prompt that quote a memory. */
function memoriesIn(request: GenerateRequest | undefined, question: string): readonly string[] {
  const text = [request?.system, ...(request?.messages ?? []).map(message => message.text)].join('\n')
  return text.split('\n').filter(line => line.startsWith('- ') && line.includes('“') && !line.includes(question))
}

interface Row {
  readonly question: string
  readonly answer: readonly string[]
  readonly memory: string
}

/** Each question with each memory once, in an order of chance. */
function sheetOf(...outputs: readonly (readonly Asked[])[]): readonly Row[] {
  const rows = new Map<string, Row>()
  for (const asked of outputs)
    for (const { question, answer, memories } of asked)
      for (const memory of memories) rows.set(keyOf(question, memory), { question, answer, memory })
  const random = seededRandom(7)
  return [...rows.values()]
    .map(row => ({ row, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ row }) => row)
}

const keyOf = (question: string, memory: string) => `${question}\n${memory}`

/** @param useful for each row of the sheet, whether its memory is useful */
function shares(before: readonly Asked[], after: readonly Asked[], useful: readonly boolean[]) {
  const rated = new Map(sheetOf(before, after).map(({ question, memory }, at) => [keyOf(question, memory), useful[at] === true]))
  const share = (asked: readonly Asked[]) => {
    const all = asked.flatMap(({ question, memories }) => memories.map(memory => rated.get(keyOf(question, memory)) === true))
    const helped = asked.filter(({ question, memories }) => memories.some(memory => rated.get(keyOf(question, memory))))
    return { memories: all.length, useful: all.filter(Boolean).length / Math.max(1, all.length), questionsHelped: helped.length }
  }
  return { before: share(before), after: share(after) }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sheet: { type: 'boolean', default: false }, count: { type: 'boolean', default: false } },
})
const [file, other, ratings] = positionals
const read = async (path: string | undefined) => JSON.parse(await readFile(path ?? '', 'utf8'))
if (file === undefined) {
  progress('Which conversations? npm run bench:memories -- FILE')
  process.exit(2)
}
let made: unknown
if (values.sheet) made = sheetOf(await read(file), await read(other))
else if (values.count) made = shares(await read(file), await read(other), await read(ratings))
else {
  const set = await readSet(file)
  const talk = 'conversations' in set ? set.conversations[0] : undefined
  if (!talk) throw new Error(`${file} has no conversations.`)
  made = await play(talk)
}
process.stdout.write(`${JSON.stringify(made, null, 1)}\n`)
