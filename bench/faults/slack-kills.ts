/**
 * A bot that is killed repeatedly beside a Slack that keeps its messages, while Slack limits its posts for up to two minutes: is each
 * question answered once, whole, as it is stored?
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { systemClock } from 'kikimimi'
import { seededRandom } from '../../core/base/random.ts'
import { openDatabase } from '../../core/storage/database/database.ts'
import manifest from '../../package.json' with { type: 'json' }
import { startSlack } from '../../plugins/slack/testing/index.ts'
import { wholeAnswer } from '../../test/streaming/answer.ts'
import { latency, machine, progress } from '../base/measure.ts'
import { benchLog } from '../base/talk.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    /** Rate limits: seconds of the shortest and of the longest. */
    shortest: { type: 'string', default: '30' },
    longest: { type: 'string', default: '120' },
    /** The share of kills before which Slack limits the next post. */
    limited: { type: 'string', default: '0.5' },
    seed: { type: 'string', default: '1' },
  },
})
const kills = Number(values.kills)
const random = seededRandom(Number(values.seed))

/** An answer is sent until it is ten minutes old. */
const PATIENCE_MS = 12 * 60_000
/** Longest life of a process, in milliseconds. */
const LIFE = 5_000

const CLI = fileURLToPath(new URL('../../packages/cli/cli.ts', import.meta.url))
const CONFIG = fileURLToPath(new URL('../../test/streaming.config.ts', import.meta.url))

await using slack = await startSlack()
await using scratch = await mkdtempDisposable(join(tmpdir(), 'kikimimi-slack-kills-'))
const database = join(scratch.path, 'data')
const env = {
  ...{ PATH: process.env.PATH, LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn', DATABASE_URL: database },
  ...{ SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.apiUrl },
}

async function startProcess() {
  const connections = slack.connections
  const child = fork(CLI, ['start', '--config', CONFIG], {
    env,
    execArgv: manifest.kikimimi.flags,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  while (slack.connections === connections) {
    if (child.exitCode !== null) throw new Error(`the bot ended with code ${child.exitCode}`)
    await wait(50)
  }
  return {
    async end(signal: 'SIGKILL' | 'SIGTERM') {
      child.kill(signal)
      await once(child, 'exit')
    },
  }
}

const asked = new Map<string, { readonly at: number; answered?: number }>()
let posted = 0
const texts = () => slack.posted.map(({ text }) => text)
/** Notes when each question was answered. */
function look(): number {
  const now = Date.now()
  for (const text of texts()) {
    const question = asked.get(text.split(' ')[0] ?? '')
    if (question && text.endsWith('ends here.')) question.answered ??= now
  }
  return [...asked.values()].filter(({ answered }) => answered === undefined).length
}
const watching = setInterval(look, 100)

let limits = 0
let bot = await startProcess()
for (let kill = 1; kill <= kills; kill++) {
  if (random() < Number(values.limited)) {
    const [shortest, longest] = [Number(values.shortest), Number(values.longest)]
    slack.fail('chat.postMessage', { rateLimit: true, retryAfter: Math.round(shortest + random() * (longest - shortest)) })
    limits++
  }
  for (const name of ['a', 'b', 'c']) {
    const question = `question-${kill}-${name}`
    asked.set(question, { at: Date.now() })
    posted++
    // A bot that is away gets the event when it is back, or reads the message.
    slack.say({ author: 'alice', channel: `room-${posted % 30}`, text: `what about ${question}`, mention: true }).catch(() => {})
  }
  await wait(LIFE * random())
  await bot.end('SIGKILL')
  bot = await startProcess()
  if (kill % 10 === 0) progress(`${kill} kills, ${look()} of ${asked.size} questions open`)
}
const until = Date.now() + PATIENCE_MS
while (look() > 0 && Date.now() < until) await wait(500)
await wait(2_000)
await bot.end('SIGTERM')
clearInterval(watching)

const db = await openDatabase(database, { clock: systemClock, log: benchLog })
const { rows } = await db.query<{ text: string }>('select text from kikimimi.message where own and deleted_at is null')
const { rows: states } = await db.query<{ state: string; count: number }>(
  `select state, count(*)::int as count from kikimimi.delivery group by state order by state`,
)
const { rows: traces } = await db.query<{ end: string; count: number }>(
  `select data->>'outcome' || coalesce(': ' || (data->>'why'), '') as end, count(*)::int as count from kikimimi.trace group by 1 order by 2 desc`,
)
await db.close()

const wanted = [...asked.keys()].map(wholeAnswer)
const counts = Map.groupBy(texts(), text => text)
const latencies = [...asked.values()]
  .flatMap(({ at, answered }) => (answered === undefined ? [] : [answered - at]))
  .sort((a, b) => a - b)
const result = {
  machine: machine(),
  ...{ kills, limits, asked: asked.size },
  answeredOnce: wanted.filter(text => counts.get(text)?.length === 1).length,
  doubled: wanted.filter(text => (counts.get(text)?.length ?? 0) > 1).length,
  missing: wanted.filter(text => !counts.has(text)).length,
  unfinished: texts().filter(text => !wanted.includes(text)).length,
  storedOtherwise:
    rows.filter(({ text }) => !counts.has(text)).length +
    [...counts.keys()].filter(text => !rows.some(row => row.text === text)).length,
  deliveries: Object.fromEntries(states.map(({ state, count }) => [state, count])),
  traces: Object.fromEntries(traces.map(({ end, count }) => [end, count])),
  answerMs: latency(latencies),
}
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
if (result.answeredOnce < asked.size || result.unfinished > 0 || result.storedOtherwise > 0) process.exitCode = 1
