/**
 * What the bot of bot.config.ts does with short messages: `npm run bench:turns -- [--show] FILE…`. Each line of a FILE is a scene:
 *
 *     {"before": [{"by": "alice", "text": "@kiki when is lunch"}, {"by": "kiki", "text": "At noon."}],
 *      "by": "alice", "to": "mention", "text": "@kiki thanks", "expect": "no-words"}
 *
 * `to: "reply"` answers the last words of the bot. `expect`: `words`, `no-words` (a reaction or silence), `call` (answered as addressed),
 * `no-call`, or `either`. `lang` and `act` group the results. The lines before are told to the bot, which neither answers them nor obeys.
 * The model answers each request in a word; as a judge it says no.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { definePlugin, startBot, systemClock } from 'kikimimi'
import { z } from 'zod'
import shipped from '../../bot.config.ts'
import { createLogger } from '../../core/base/log.ts'
import { seededRandom } from '../../core/base/random.ts'
import { movedClock } from '../../core/bot/clock/moved-clock.ts'
import { stepsOf } from '../../core/bot/clock/settled.ts'
import { openDatabase } from '../../core/storage/database/database.ts'
import { scriptedModel } from '../../core/testing/scripted-model.ts'
import { testPlatform } from '../../core/testing/test-platform.ts'
import { shippedPlugins } from '../../test/shipped-plugins.ts'
import { round } from '../base/measure.ts'

const line = z.object({ by: z.string(), text: z.string() })
const scene = line.extend({
  lang: z.string().default(''),
  act: z.string().default(''),
  before: z.array(line),
  to: z.string().optional(),
  expect: z.enum(['words', 'no-words', 'call', 'no-call', 'either']),
})

type Scene = z.output<typeof scene>
type Place = ReturnType<typeof placeOf>

const { values, positionals } = parseArgs({ allowPositionals: true, options: { show: { type: 'boolean', default: false } } })
if (positionals.length === 0) throw new Error('Name the scenes: npm run bench:turns -- [--show] FILE…')

/** Milliseconds between two lines, and those until the result. */
const PAUSE_MS = 5_000
const WAIT_MS = 20_000

await using scope = new AsyncDisposableStack()
// The summaries of this model cannot be read, and the log says so each time.
const log = createLogger({ level: 'error', format: 'lines', write: text => void process.stderr.write(text), clock: systemClock })
const time = movedClock(new Date('2026-01-05T10:00:00Z'))
const db = scope.adopt(await openDatabase('memory', { log, clock: time.clock }), opened => opened.close())
const names = new Set(['kiki', 'キキ', 'きき'])
const platform = testPlatform({ me: { id: 'kiki', name: 'kiki' } })
const model = scriptedModel(({ role }) =>
  role === 'judge' ? { value: { reason: 'not now', respond: false, confidence: 0.9, delaySeconds: null } } : 'Words.',
)
const linesBefore = new Set<string>()
let post: (place: Place, text: string) => Promise<readonly string[]> = async () => []
const stage = definePlugin({
  name: 'stage',
  setup: ctx => {
    post = (place, text) => ctx.send(place, { kind: 'text', text }, { sources: [] })
    return { decide: ({ message }) => (linesBefore.has(message.id) ? { kind: 'silent', why: 'a line before' } : undefined) }
  },
})
const bot = scope.use(
  await startBot(
    { ...shipped, models: { chat: model }, plugins: [stage(), shippedPlugins()] },
    {
      ...{ db, clock: time.clock, jobClock: time.jobClock, random: seededRandom(1), log },
      ...{ platforms: [platform], supervise: false, serves: false, env: {} },
    },
  ),
)
const steps = stepsOf(time, db, () => bot.jobs)

let count = 0
const results: Awaited<ReturnType<typeof played>>[] = []
for (const file of positionals) {
  const lines = (await readFile(file, 'utf8')).split('\n').filter(text => text.trim() !== '')
  for (const text of lines) results.push(await played(scene.parse(JSON.parse(text))))
}
for (const { by, to, text, before, expect, did } of results.filter(({ isRight }) => values.show && !isRight)) {
  const said = before.map(one => `${one.by}: ${one.text}`).join(' / ')
  process.stderr.write(`${expect}, came ${did}: ${said} / ${by}${to ? ` (${to})` : ''}: ${text}\n`)
}
const keyed = results.flatMap(one =>
  [one.expect, `${one.lang} ${one.act} ${one.expect}`].map(key => ({ key, isRight: one.isRight })),
)
const shares = [...Map.groupBy(keyed, ({ key }) => key)].sort().map(([key, list]) => {
  const right = list.filter(({ isRight }) => isRight).length
  return [key, `${right} of ${list.length}, ${round(right / list.length, 3)}`]
})
process.stdout.write(`${JSON.stringify(Object.fromEntries(shares), null, 1)}\n`)

function placeOf(channel: string, to: string | undefined) {
  const visibility = to === 'direct' ? ('direct' as const) : ('public' as const)
  return { id: `test/team/${channel}`, platform: 'test', workspace: 'team', channel, name: channel, visibility }
}

async function say(
  scene: Scene,
  { id: _, ...conversation }: Place,
  { by, text }: z.output<typeof line>,
  id: string,
  replyTo?: string,
) {
  const people = new Set(scene.before.map(one => one.by))
  const named = [...text.matchAll(/@([\p{L}\p{N}_-]+)/gu)].map(([, name = '']) => (names.has(name) ? platform.me.id : name))
  await bot.receive(platform, {
    ...{ id, conversation, author: { id: by, name: by }, text, at: new Date(time.clock.now()) },
    mentions: named.filter(name => name === platform.me.id || people.has(name)).map(name => ({ id: name, name })),
    ...(replyTo !== undefined && { replyTo: { id: replyTo, author: platform.me.id } }),
  })
  await time.clock.advance(time.clock.now() + PAUSE_MS, steps)
}

async function played(scene: Scene) {
  const channel = `room-${++count}`
  const place = placeOf(channel, scene.to)
  let words: string | undefined
  for (const [at, one] of scene.before.entries()) {
    const id = `${channel}-${at}`
    linesBefore.add(id)
    if (one.by === platform.me.id) words = (await post(place, one.text)).at(-1)
    else await say(scene, place, one, id)
  }
  const [posts, id] = [platform.posted.length, `${channel}-last`]
  await say(scene, place, scene, id, scene.to === 'reply' ? words : undefined)
  await time.clock.advance(time.clock.now() + WAIT_MS, steps)
  const posted = platform.posted.slice(posts).filter(one => one.channel === channel)
  const did = posted.some(({ kind }) => kind === 'text') ? 'words' : posted.length > 0 ? 'a reaction' : 'silence'
  const trace = (await bot.traces(5)).find(({ trigger }) => trigger === id)
  const isCall = trace?.addressed !== undefined || did === 'words'
  const isRight = { words: did === 'words', 'no-words': did !== 'words', call: isCall, 'no-call': !isCall, either: true }
  return { ...scene, did, isRight: isRight[scene.expect] }
}
