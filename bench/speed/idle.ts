/**
 * An idle bot with all plugins of bot.config.ts, digest, promises, words, knowledge of a folder, mcp with a server, and daily backups, on a
 * moved clock: calls of models, statements an hour, and the heap after garbage collection. On PGlite, and in its own database on the server of DATABASE_URL. Polls of queues do not count: on a moved clock they
 * run only when something is due. `npm run bench:idle -- [--days 14]`
 */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import backup, { newKey } from '@kikimimi/backup'
import digest from '@kikimimi/digest'
import knowledge from '@kikimimi/knowledge'
import mcp from '@kikimimi/mcp'
import promises from '@kikimimi/promises'
import words from '@kikimimi/words'
import { startBot } from 'kikimimi'
import type { ChatModel } from 'kikimimi/model'
import { seededRandom } from '../../core/base/random.ts'
import { movedClock } from '../../core/bot/clock/moved-clock.ts'
import { stepsOf } from '../../core/bot/clock/settled.ts'
import { openDatabase } from '../../core/storage/database/database.ts'
import { freePort } from '../../core/testing/free-port.ts'
import { shippedPlugins } from '../../test/shipped-plugins.ts'
import { OPTIONS, untilConnected } from '../base/added-plugins.ts'
import { onServer } from '../base/databases.ts'
import { heapInUse } from '../base/heap.ts'
import { machine, progress, round } from '../base/measure.ts'
import { createRealTime } from '../base/real-time.ts'
import { benchLog, deafPlatform, line, said } from '../base/talk.ts'
import { counted } from './memory/counted.ts'

const { values } = parseArgs({ options: { days: { type: 'string', default: '14' } } })
const DAY = 24 * 60 * 60_000

const { DATABASE_URL } = process.env
const results = {
  machine: machine(),
  pglite: await idle('memory'),
  ...(DATABASE_URL && { postgres: await onServer(DATABASE_URL, idle) }),
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
/** Whether the bot does more than it should at rest. Megabytes of the heap differ by a little from day to day. */
const isBusy = ({ calls, days }: Awaited<ReturnType<typeof idle>>) =>
  calls > 0 ||
  days.some(({ statementsPerHour }) => statementsPerHour > 180) ||
  (days.at(-1)?.heapMb ?? 0) - (days[0]?.heapMb ?? 0) > 2
if ([results.pglite, ...(results.postgres ? [results.postgres] : [])].some(isBusy)) process.exitCode = 1

async function idle(target: string) {
  await using scope = new AsyncDisposableStack()
  const time = movedClock(new Date('2026-01-05T10:00:00Z'))
  const db = scope.adopt(await openDatabase(target, { log: benchLog, clock: time.clock }), opened => opened.close())
  const platform = deafPlatform()
  let calls = 0
  const model: ChatModel = {
    ...counted,
    generate(request) {
      calls++
      return counted.generate(request)
    },
  }
  const folder = scope.use(await mkdtempDisposable(join(tmpdir(), 'kikimimi-idle-')))
  const { secret: key } = await newKey()
  const realTime = createRealTime()
  const added = [
    ...[digest(), promises(), words(OPTIONS.words), mcp(OPTIONS.mcp)],
    ...[knowledge(OPTIONS.knowledge), backup({ to: folder.path, key })].map(realTime.plugin),
  ]
  const config = {
    persona: { name: 'kiki' },
    http: `127.0.0.1:${await freePort()}`,
    models: { chat: model },
    plugins: [...shippedPlugins(), ...added],
  }
  const parts = {
    ...{ db, clock: time.clock, jobClock: time.jobClock, random: seededRandom(1), log: benchLog },
    platforms: [platform],
  }
  const bot = scope.use(await startBot(config, { ...parts, supervise: false, env: {} }))
  const steps = realTime.steps(stepsOf(time, db, () => bot.jobs))
  const passDay = () => time.clock.advance(time.clock.now() + DAY, steps)
  for (let index = 0; index < 12; index++)
    await bot.receive(platform, said(index, 'general', { text: line(index), at: new Date(time.clock.now()) }))
  await untilConnected(bot)
  // What follows from the talk: summaries and facts.
  await passDay()

  const before = calls
  const days: { statementsPerHour: number; heapMb: number }[] = []
  for (let day = 1; day <= Number(values.days); day++) {
    const statements = db.statements
    await passDay()
    days.push({ statementsPerHour: round((db.statements - statements) / 24), heapMb: round(heapInUse() / 2 ** 20, 2) })
    progress(`${db.kind}: day ${day}: ${JSON.stringify(days.at(-1))}`)
  }
  const { rows } = await db.query<{ passages: number }>('select passages::int from knowledge.source')
  return { calls: calls - before, passages: rows[0]?.passages, days }
}
