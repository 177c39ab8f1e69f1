/**
 * The upgrade of a large log beside a bot that serves, on the server of DATABASE_URL; without it, of a folder. `--old` is a checkout of
 * the earlier version with its packages. Its process serves first. Two processes of this version start at once, and the old one stops
 * when one of them is connected. `--filled` is the database with the log of before: it is made if it is missing, kept, and copied.
 */
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { administer, inFolder, on, onServer } from '../../base/databases.ts'
import { latency, machine, progress, round } from '../../base/measure.ts'
import { settled, talk } from '../../faults/processes/measured.ts'
import { openPlace } from '../../faults/processes/place.ts'
import { fill as fillFacts } from '../../quality/recall/scale.ts'
import { countedRight } from './counters.ts'
import { fill } from './fill.ts'
import { killInEachStep, watchSteps } from './steps.ts'

const { values } = parseArgs({
  options: {
    old: { type: 'string' },
    filled: { type: 'string', default: 'kikimimi_filled' },
    messages: { type: 'string', default: '5000000' },
    facts: { type: 'string', default: '20000' },
    /** Messages a second. */
    rate: { type: 'string', default: '20' },
    /** Seconds before and after the upgrade. */
    around: { type: 'string', default: '20' },
    /** First kills a start in the middle of each step. */
    kills: { type: 'boolean', default: false },
  },
})
const { DATABASE_URL } = process.env
if (values.old === undefined) {
  progress('Which version? npm run bench:upgrade -- --old FOLDER [--messages 5000000]')
  process.exit(2)
}
const old = resolve(values.old)
const messages = Number(values.messages)
const CONFIG = 'bench/speed/storage/bot.config.ts'

const ROOT = join(import.meta.dirname, '../../..')
for (const file of [CONFIG, 'bench/faults/processes/bot.config.ts', 'bench/faults/processes/messages.ts']) {
  await mkdir(join(old, dirname(file)), { recursive: true })
  await copyFile(join(ROOT, file), join(old, file))
}

const begun = machine()
const result = DATABASE_URL ? await onCopy(DATABASE_URL, values.filled) : await inFolder(upgradedFolder)
process.stdout.write(`${JSON.stringify({ machine: begun, messages, ...result, loadAtEnd: machine().load }, null, 2)}\n`)
for (const one of result.mistakes) progress(`NOT met: ${one}`)
process.exitCode = result.mistakes.length > 0 ? 1 : 0

async function onCopy(server: string, filled: string) {
  const { rowCount } = await on(server, db => db.query('select 1 from pg_database where datname = $1', [filled]))
  if (rowCount === 0) {
    await administer(server, `create database ${filled}`)
    await makeFilled(Object.assign(new URL(server), { pathname: filled }).href)
  }
  return onServer(server, upgraded, filled)
}

async function makeFilled(target: string): Promise<void> {
  await startAndStop(target, old)
  await on(target, async db => {
    await fill(db, { messages, channels: 30_000, people: 100_000, months: 18 })
    await fillFacts(db, Number(values.facts))
    for (const plugin of ['facts', 'profiles'])
      await db.query(`update ${plugin}.watermark set seq = (select max(seq) from kikimimi_v1.message)`)
  })
}

/** Returns the seconds until it is connected. The first start makes the tables. */
async function startAndStop(database: string, root?: string): Promise<number> {
  await using place = openPlace({ database, idempotent: true, config: CONFIG })
  const start = performance.now()
  await place.start(root)
  return round((performance.now() - start) / 1_000)
}

async function upgradedFolder(database: string) {
  await makeFilled(database)
  const seconds = await startAndStop(database)
  const { recorded, mistakes } = await on(database, countedRight)
  if (recorded.before !== messages) mistakes.push(`of ${messages} messages of before ${recorded.before} are left`)
  return { seconds, again: await startAndStop(database), mistakes }
}

async function upgraded(database: string) {
  await using place = openPlace({ database, idempotent: true, config: CONFIG })
  const before = await place.start(old)
  let over = false
  const talking = talk(place, Number(values.rate), () => over)
  const around = Number(values.around) * 1_000
  await pause(around)

  const startedAt = performance.now()
  const steps = watchSteps(database)
  const kills = values.kills ? await killInEachStep(database) : 0
  const starts = [place.start(), place.start()]
  await Promise.race(starts)
  const connectedAt = performance.now()
  progress('connected')
  await before.stop()
  await Promise.all(starts)
  const upgradedAt = performance.now()
  await pause(around)
  over = true
  const said = await talking
  await settled(place)

  const [seconds, counted] = [await steps.stop(), await on(database, countedRight)]
  const questions = [...place.questions.values()]
  const answers = questions.map(({ answeredAt }) => answeredAt.length)
  const waits = [...place.recordings.values()].map(({ saidAt, takenAt = Number.POSITIVE_INFINITY }) => takenAt - saidAt)
  const figures = {
    kills,
    seconds: {
      untilConnected: round((connectedAt - startedAt) / 1_000),
      untilBothServe: round((upgradedAt - startedAt) / 1_000),
      ...seconds,
    },
    recorded: { said, told: place.counts.told, ...counted.recorded },
    // From the moment in which a message is said to that in which a process has recorded it.
    recordingMs: latency(waits),
    answers: { asked: questions.length, once: answers.filter(count => count === 1).length, unasked: place.counts.unasked },
    answerMs: latency(questions.map(({ askedAt, answeredAt: [at = Number.POSITIVE_INFINITY] }) => at - askedAt)),
    longestPause: {
      ofRecording: longestPause(
        [...place.recordings.values()].map(({ takenAt = 0 }) => takenAt),
        startedAt,
      ),
      ofAnswers: longestPause(
        questions.map(({ answeredAt: [at = 0] }) => at),
        startedAt,
      ),
    },
  }
  const mistakes = [
    ...counted.mistakes,
    ...(counted.recorded.new === said ? [] : [`${said} messages were said, and ${counted.recorded.new} are recorded`]),
    ...(counted.recorded.before === messages ? [] : [`of ${messages} messages of before ${counted.recorded.before} are left`]),
    ...(figures.answers.once === questions.length ? [] : ['a question has no answer, or several']),
    ...(place.counts.unasked === 0 ? [] : ['the bot answered where it was not asked']),
  ]
  return { ...figures, mistakes }
}

/** The longest time between two of these moments, the last of which is after `from`, and the seconds from there to its end. */
function longestPause(at: readonly number[], from: number) {
  const sorted = at.toSorted((a, b) => a - b)
  const pauses = sorted.flatMap((end, index) => {
    const begin = sorted[index - 1]
    return begin === undefined || end <= from
      ? []
      : [{ ms: round(end - begin, 0), endsAfterSeconds: round((end - from) / 1_000) }]
  })
  return pauses.sort((a, b) => b.ms - a.ms)[0]
}
