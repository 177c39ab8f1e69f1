/**
 * Says orders and harmless sentences to the whole bot, without a network and on a moved clock, and compares what it stored with what was
 * expected. `npm run bench:spoken-orders -- FILE… [--all] [--only KIND]`; a line of a FILE is JSON: `text`, `kind`, `setup`, `expect`.
 * The clock stands at Wednesday 2026-03-11 14:30, in New York, or in Tokyo for a text in Japanese.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import addressing from '@kikimimi/addressing'
import digest from '@kikimimi/digest'
import facts from '@kikimimi/facts'
import judgeRules from '@kikimimi/judge-rules'
import { offline } from '@kikimimi/offline'
import profiles from '@kikimimi/profiles'
import promises from '@kikimimi/promises'
import quiet from '@kikimimi/quiet'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import { fromWall, type Repeat, resolve, saidIn, toWall } from '@kikimimi/times'
import { type IncomingMessage, type Plugin, startBot, systemClock } from 'kikimimi'
import { movedClock, openDatabase, seededRandom, stepsOf } from 'kikimimi/host'
import { z } from 'zod'
import { resetDatabase } from '../../../core/testing/reset-database.ts'
import { testPlatform } from '../../../core/testing/test-platform.ts'
import { progress } from '../../base/measure.ts'
import { benchLog } from '../../base/talk.ts'

const set = z.object({
  at: z.string().optional(),
  first: z.string().optional(),
  repeat: z.string().optional(),
  content: z.string(),
  for: z.string().default('alice'),
})
const shape = z.object({
  id: z.string().default(''),
  kind: z.string().default(''),
  text: z.string(),
  setup: z.array(z.string()).default([]),
  expect: z
    .object({
      set: z.array(set).optional(),
      move: z.object({ content: z.string(), at: z.string() }).optional(),
      cancel: z.array(z.string()).optional(),
      quiet: z
        .object({ until: z.string().optional(), forMinutes: z.number().optional(), open: z.boolean().optional() })
        .optional(),
      digest: z
        .union([z.object({ from: z.string().optional(), to: z.string().optional() }).catchall(z.unknown()), z.boolean()])
        .optional(),
      remember: z.string().optional(),
      forget: z.union([z.string(), z.boolean()]).optional(),
      orOneOf: z.array(z.object({ set: z.array(set).optional() }).catchall(z.unknown())).optional(),
      ...Object.fromEntries(
        ['cancelAll', 'list', 'talk', 'leaveOut', 'ask', 'askOk', 'none'].map(key => [key, z.boolean().optional()] as const),
      ),
    })
    .catchall(z.unknown()),
})
type Line = z.output<typeof shape>
type Expected = z.output<typeof set>

type Verdict = 'right' | 'asked back' | 'not understood' | 'silently wrong' | 'carried out'

interface Reminder {
  readonly content: string
  readonly at: Date
  readonly repeat: Repeat | null
  readonly target: string | null
}

interface State {
  readonly reminders: readonly Reminder[]
  readonly watches: number
  readonly until: Date | undefined
  readonly facts: readonly string[]
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false }, only: { type: 'string' } },
})

const pglite = await openDatabase('memory', { log: benchLog, clock: systemClock })

/** Whom a reminder without another person is for. */
const SELF = new Set(['alice', 'はるか', 'everyone', 'us', 'everyone here', 'みんな', '全員'])

const isSame = (one: Reminder, other: Reminder) => one.content === other.content && one.at.getTime() === other.at.getTime()

type TestBot = Awaited<ReturnType<typeof started>>

/** A bot with empty tables in the one database. */
async function started(zone: string, at: Date) {
  const plugins: Plugin[] = [quiet(), promises(), digest(), remember(), addressing(), judgeRules(), profiles(), facts(), reply()]
  const owners = plugins.flatMap(({ definition: { name, migrations } }) => (migrations ? [[name, migrations] as const] : []))
  await resetDatabase(
    pglite,
    [['kikimimi', new URL('../../../core/storage/migrations/', import.meta.url)], ...owners],
    systemClock,
  )
  const time = movedClock(at)
  const platform = testPlatform({ me: { id: 'bot', name: 'kiki' } })
  const bot = await startBot(
    { persona: { name: 'kiki', names: ['キキ'] }, timeZone: zone, locale: zone === 'Asia/Tokyo' ? 'ja' : 'en', plugins },
    {
      ...{ db: pglite, inMemory: 'jobs', clock: time.clock, jobClock: time.jobClock, random: seededRandom(1), log: benchLog },
      ...{ platforms: [platform], defaultModel: offline(), supervise: false, serves: false, env: {} },
    },
  )
  const steps = stepsOf(time, pglite, () => bot.jobs)
  let count = 0
  return {
    ...{ clock: time.clock, posted: platform.posted },
    async say(author: string, text: string, { channel = 'general', at: when = new Date(time.clock.now()) } = {}) {
      const mentions = [...text.matchAll(/@([\p{L}\p{N}_-]+)/gu)].map(([, name = '']) => ({
        id: name === 'kiki' ? 'bot' : name,
        name,
      }))
      const conversation = { platform: 'test', workspace: 'team', channel, name: channel, visibility: 'public' } as const
      const message: IncomingMessage = {
        id: `m${++count}`,
        conversation,
        author: { id: author, name: author },
        text,
        at: when,
        mentions,
      }
      await bot.receive(platform, message)
      await steps.settle()
    },
    pass: (ms: number) => time.clock.advance(time.clock.now() + ms, steps),
    trace: async () => (await bot.traces(1))[0],
    [Symbol.asyncDispose]: () => bot.stop(),
  }
}

for (const file of positionals) {
  const lines = (await readFile(file, 'utf8'))
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => shape.parse(JSON.parse(line)))
    .filter(({ kind }) => values.only === undefined || kind === values.only)
  const counts = new Map<string, Map<Verdict, number>>()
  const add = (kind: string, verdict: Verdict) => {
    const own = counts.get(kind) ?? new Map<Verdict, number>()
    own.set(verdict, (own.get(verdict) ?? 0) + 1)
    counts.set(kind, own)
  }
  for (const line of lines) {
    const { verdict, told } = await played(line)
    for (const kind of line.kind === 'harmless' ? ['harmless'] : [line.kind, 'orders']) add(kind, verdict)
    if (values.all || verdict !== 'right') process.stdout.write(`${verdict.padEnd(14)} ${line.id} ${line.text}\n    ${told}\n`)
  }
  process.stdout.write(`${file}: ${lines.length} lines\n`)
  for (const [kind, own] of counts) {
    const total = [...own.values()].reduce((sum, one) => sum + one, 0)
    const parts = [...own].map(([verdict, count]) => `${verdict} ${count} (${((100 * count) / total).toFixed(1)} %)`)
    process.stdout.write(`${kind} of ${total}: ${parts.join(', ')}\n`)
  }
  progress(file)
}
await pglite.close()

async function played(line: Line): Promise<{ readonly verdict: Verdict; readonly told: string }> {
  const isJapanese = /[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}]/u.test(line.text)
  const zone = isJapanese ? 'Asia/Tokyo' : 'America/New_York'
  const author = isJapanese ? 'はるか' : 'alice'
  const now = fromWall(Date.parse('2026-03-11T14:30:00Z'), zone)
  await using bot = await started(zone, new Date(now - 64 * 60_000))
  for (const name of ['bob', 'carol', 'dave', ...(isJapanese ? ['健太', 'さくら', '山田'] : [])]) await bot.say(name, 'hello')
  await bot.pass(60 * 60_000)
  for (const text of line.setup) {
    await bot.say(author, text)
    await bot.pass(1_000)
  }
  await bot.pass(now - bot.clock.now())
  const marks = await seeded(bot, line, zone)
  const before = await stateOf(bot)
  const sent = bot.posted.length
  await bot.say(author, line.text)
  // A message that does not call the bot is read after a pause.
  await bot.pass(30_000)
  const after = await stateOf(bot)
  const answers = bot.posted.slice(sent).map(one => (one.kind === 'text' ? one.text : one.emoji))
  const plugin = (await bot.trace())?.decision?.plugin ?? ''
  const isChanged = JSON.stringify(before) !== JSON.stringify(after)
  const isDigest = plugin === 'digest' && answers.length > 0
  const asks =
    !isChanged && ['promises', 'quiet', 'remember', 'digest'].includes(plugin) && answers.some(one => /[?？]/u.test(one))
  const isRight = fits(line, { before, after, answers, plugin, zone, marks, now })
  const told = `${plugin}: ${answers.join(' | ').slice(0, 300)}${isChanged ? ` → ${textOf(after, zone)}` : ''} (expected ${JSON.stringify(line.expect)})`
  const verdict = (): Verdict => {
    if (line.expect.none) return isChanged || isDigest ? 'carried out' : 'right'
    if (isRight) return 'right'
    if (isChanged || (isDigest && !asks)) return 'silently wrong'
    if (asks) return line.expect.ask || line.expect.askOk ? 'right' : 'asked back'
    return 'not understood'
  }
  return { verdict: verdict(), told }
}

/** For a digest, messages at both sides of its ends. */
async function seeded(bot: TestBot, { expect }: Line, zone: string): Promise<readonly string[]> {
  if (typeof expect.digest !== 'object') return []
  const at = (text: string, minutes: number) =>
    new Date(fromWall(Date.parse(`${text.slice(0, 16)}:00Z`), zone) + minutes * 60_000)
  const { from, to } = expect.digest
  const said = async (text: string, when: Date) => bot.say('bob', text, { at: when })
  if (from) {
    await said('the zebra sleeps in the garage', at(from, -20))
    await said('the walrus eats in the garden', at(from, 20))
  }
  if (to) {
    await said('the ostrich runs in the tunnel', at(to, -20))
    if (at(to, 20).getTime() < bot.clock.now()) await said('the penguin swims in the cellar', at(to, 20))
  }
  return [...(from ? ['walrus'] : []), ...(to ? ['ostrich'] : [])]
}

async function stateOf(bot: TestBot): Promise<State> {
  const { rows: reminders } = await pglite.query<Reminder>(
    'select content, at, repeat, target_name as target from promises.reminder order by id',
  )
  const { rowCount: watches } = await pglite.query('select 1 from promises.watch')
  const { rows: mutes } = await pglite.query<{ until: Date }>('select until from quiet.mute where until > $1', [
    new Date(bot.clock.now()),
  ])
  const { rows: known } = await pglite.query<{ content: string }>(
    'select content from facts.fact where superseded_by is null order by item',
  )
  return { reminders, watches, until: mutes[0]?.until, facts: known.map(({ content }) => content) }
}

interface Seen {
  readonly before: State
  readonly after: State
  readonly answers: readonly string[]
  readonly plugin: string
  readonly zone: string
  readonly marks: readonly string[]
  readonly now: number
}

function fits({ expect }: Line, { before, after, answers, plugin, zone, marks, now }: Seen): boolean {
  const instant = (text: string) => fromWall(Date.parse(`${text}${text.length === 16 ? ':00' : ''}Z`), zone)
  const added = after.reminders.slice(before.reminders.length)
  const kept = (one: Reminder) => after.reminders.some(other => isSame(one, other))
  const said = answers.join('\n')
  const isSet = (wanted: readonly Expected[]) =>
    added.length === wanted.length && wanted.every(one => added.some(other => isAsWanted(other, one, zone, now)))
  if (expect.set && isSet(expect.set)) return true
  if (expect.orOneOf?.some(one => fits({ expect: one } as Line, { before, after, answers, plugin, zone, marks, now })))
    return true
  if (expect.move) {
    const { content, at } = expect.move
    const [moved, others] = [
      before.reminders.filter(one => close(one.content, content)),
      before.reminders.filter(one => !close(one.content, content)),
    ]
    const found = after.reminders.filter(one => close(one.content, content))
    return moved.length === 1 && found.length === 1 && found[0]?.at.getTime() === instant(at) && others.every(kept)
  }
  if (expect.cancel) {
    const wanted = expect.cancel
    const gone = before.reminders.filter(one => !kept(one))
    return gone.length === wanted.length && gone.every(one => wanted.some(content => close(one.content, content)))
  }
  if (expect.cancelAll) return before.reminders.length > 0 && after.reminders.length === 0
  if (expect.list) return plugin === 'promises' && before.reminders.every(({ content }) => said.includes(content))
  if (expect.quiet) {
    const { until, forMinutes } = expect.quiet
    const end = after.until?.getTime()
    if (end === undefined) return false
    if (until) return end === instant(until)
    return forMinutes === undefined ? end > now : Math.abs(end - now - forMinutes * 60_000) < 5_000
  }
  if (expect.talk) return after.until === undefined && answers.length > 0
  if (expect.digest) return plugin === 'digest' && marks.every(word => said.includes(word)) && !/zebra|penguin/.test(said)
  if (expect.remember !== undefined) return after.facts.length > before.facts.length
  if (expect.forget !== undefined) return after.facts.length < before.facts.length
  return false
}

function isAsWanted({ content, at, repeat, target }: Reminder, wanted: Expected, zone: string, now: number): boolean {
  const when = wanted.at ?? wanted.first ?? ''
  const isAt = at.getTime() === fromWall(Date.parse(`${when}${when.length === 16 ? ':00' : ''}Z`), zone)
  const isFor = SELF.has(wanted.for) ? target === null : target === wanted.for.replace(/さん$/, '')
  return isAt && isFor && close(content, wanted.content) && isRepeat(repeat, wanted.repeat, { at, zone, now })
}

/** "Every month" and "every year" are on the day of the first time. */
function isRepeat(
  repeat: Repeat | null,
  wanted: string | undefined,
  { at, zone, now }: { readonly at: Date; readonly zone: string; readonly now: number },
): boolean {
  if (wanted === undefined) return repeat === null
  if (repeat === null) return false
  const said = saidIn(wanted.replace(/,? ?until.*|,? ?from.*/, '')) ?? saidIn(`${wanted}の9時`)
  const found = said && resolve(said, { now, zone })
  if (!found || !('at' in found) || !found.repeat) return false
  const day = new Date(toWall(at.getTime(), zone))
  const isPlain = /^(?:every|each) (?:\d+ |other )?(?:month|year)s?$|^(?:monthly|yearly|毎月|毎年)$/u.test(wanted.trim())
  const of = ({ unit, n, weekdays, nth, date, month }: Repeat, isWanted = false) =>
    JSON.stringify([
      ...[unit, n],
      ...(isWanted && isPlain
        ? [undefined, undefined, day.getUTCDate(), unit === 'year' ? day.getUTCMonth() + 1 : undefined]
        : [weekdays?.toSorted(), nth, date, month]),
    ])
  return of(found.repeat, true) === of(repeat)
}

/** Whether two contents say the same, whatever their case, signs and small words are. */
function close(one: string, other: string): boolean {
  const plain = (text: string) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\p{P}\p{S}]/gu, '')
      .replace(/^(?:to|that|about|the|a|an|my)\s/, '')
      .replace(/(?:を|の|こと|する|して|しろ)+$/u, '')
      // 「飲め」 and 「飲む」
      .replace(/(?<=[\p{sc=Han}\p{sc=Hira}])[うくぐすつぬぶむるえけげせてねべめれろ]$/u, '')
      .replace(/\s/g, '')
  const [a, b] = [plain(one), plain(other)]
  return a === b || ((a.includes(b) || b.includes(a)) && Math.min(a.length, b.length) / Math.max(a.length, b.length) > 0.6)
}

function textOf({ reminders, watches, until, facts: known }: State, zone: string): string {
  const time = (at: Date) => new Date(toWall(at.getTime(), zone)).toISOString().slice(5, 19)
  return JSON.stringify({
    reminders: reminders.map(({ content, at, repeat, target }) => [
      time(at),
      content,
      target,
      repeat && `${repeat.n}${repeat.unit}`,
    ]),
    watches,
    until: until && time(until),
    facts: known,
  })
}
