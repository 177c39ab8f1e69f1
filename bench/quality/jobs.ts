/**
 * Ten jobs of a person on the dashboard, in a real browser: clicks, key presses and seconds of each, and whether it is really done. Four of
 * them again with the keyboard alone.
 */
import { parseArgs } from 'node:util'
import { openBrowser } from '../../plugins/dashboard/testing/browser.ts'
import { administer, inFolder, on, onServer } from '../base/databases.ts'
import { machine, progress, round } from '../base/measure.ts'
import { fill, openBot } from './jobs/bot.ts'
import { type Hand, keyboard, mouse } from './jobs/hand.ts'
import { JOBS, type Job } from './jobs/jobs.ts'

const { values } = parseArgs({
  options: {
    /** A folder with chat logs, one of each day. */
    talk: { type: 'string' },
    days: { type: 'string', default: '8' },
    channels: { type: 'string', default: '10008' },
    facts: { type: 'string', default: '50000' },
    /** Only the jobs with this word in their names. */
    only: { type: 'string', default: '' },
    /** Only with the mouse, or only with the keyboard. */
    by: { type: 'string', default: 'mouse and keyboard' },
    /** On a server, the database with the past: it is made if it is missing, kept, and copied. */
    filled: { type: 'string' },
  },
})
const { talk } = values
if (!talk) {
  progress('Whose talk? npm run bench:jobs -- --talk FOLDER, with chat logs in the format of docs/tuning.md')
  process.exit(2)
}

const begin = machine()
const { DATABASE_URL } = process.env
const past = { talk, days: Number(values.days), channels: Number(values.channels), facts: Number(values.facts) }
const results = await place(async database => {
  await using bot = await openBot(database)
  progress('the bot has its past')
  await using browser = await openBrowser()
  const done: object[] = []
  for (const job of JOBS.filter(({ name }) => name.includes(values.only))) {
    if (values.by.includes('mouse')) done.push(await timed(job, await mouse(browser, bot)))
    if (job.isAlsoByKeyboard && values.by.includes('keyboard')) done.push(await timed(job, await keyboard(browser, bot)))
  }
  return done

  async function timed({ name, run }: Job, hand: Hand) {
    await using open = hand
    const start = performance.now()
    const why = await run(open, bot).then(
      () => undefined,
      (error: unknown) => String(error),
    )
    if (why !== undefined) {
      process.exitCode = 1
      await open.page.screenshot({ path: `.cache/job-${name.replaceAll(/\W+/g, '-')}.png`, timeout: 10_000 }).catch(() => {})
    }
    const result = { name, by: open.by, ...(await open.counted()), seconds: round((performance.now() - start) / 1_000, 1), why }
    progress(JSON.stringify(result))
    return result
  }
})
process.stdout.write(`${JSON.stringify({ machine: begin, jobs: results, loadAtEnd: machine().load }, null, 2)}\n`)

async function place<T>(run: (database: string) => Promise<T>): Promise<T> {
  const { filled } = values
  const afterFilling = async (database: string) => {
    await fill(database, past)
    return run(database)
  }
  if (!DATABASE_URL) return inFolder(afterFilling)
  if (filled === undefined) return onServer(DATABASE_URL, afterFilling)
  const { rowCount } = await on(DATABASE_URL, db => db.query('select 1 from pg_database where datname = $1', [filled]))
  if (rowCount === 0) {
    await administer(DATABASE_URL, `create database ${filled}`)
    await fill(Object.assign(new URL(DATABASE_URL), { pathname: filled }).href, past)
  }
  return onServer(DATABASE_URL, run, filled)
}
