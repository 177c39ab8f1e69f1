/**
 * From the socket of a platform to the committed row, through the platform's real client, in the whole bot of bot.config.ts
 * with the offline model. The bot has its own process, like `npm start`.
 */
import { parseArgs } from 'node:util'
import { inFolder, onServer } from '../base/databases.ts'
import { machine, progress } from '../base/measure.ts'
import { type Measured, measured } from './platforms/measured.ts'
import { inDiscord, inSlack } from './platforms/people.ts'

/** Megabytes that the process may take. */
const LIMITS = { pglite: 400, postgres: 180 }
const PER_SECOND = 300

const { json } = parseArgs({ options: { json: { type: 'boolean', default: false } } }).values
const { DATABASE_URL } = process.env
if (!DATABASE_URL) progress('DATABASE_URL is not set: no figures of a Postgres server')

const begun = machine()
const results: { platform: string; database: keyof typeof LIMITS; measured: Measured }[] = []
for (const [platform, open] of Object.entries({ discord: inDiscord, slack: inSlack })) {
  progress(`${platform}, PGlite`)
  results.push({ platform, database: 'pglite', measured: await inFolder(target => measured(open, target)) })
  if (!DATABASE_URL) continue
  progress(`${platform}, Postgres`)
  results.push({ platform, database: 'postgres', measured: await onServer(DATABASE_URL, target => measured(open, target)) })
}
// Other load on the machine is visible in the load.
const whole = { machine: begun, results, loadAtEnd: machine().load }
process.stdout.write(json ? `${JSON.stringify(whole, null, 2)}\n` : results.map(told).join('\n'))

function told({ platform, database, measured }: (typeof results)[number]): string {
  const { sustainedPerSecond, steady, answered, memoryMb } = measured
  const { p50, p99, max } = steady.latencyMs
  const { start, afterSteady, afterFlood } = memoryMb
  const rss = Math.max(start.rss, afterSteady.rss, afterFlood.rss)
  const against = (met: boolean, target: string) => `${met ? 'meets' : 'MISSES'} ${target}`
  return `${platform}, ${database}
  sustained     ${sustainedPerSecond} messages a second: ${against(sustainedPerSecond >= PER_SECOND, `${PER_SECOND}`)}
  at ${steady.perSecond}/s      recorded after ${p50} ms (p50), ${p99} ms (p99), ${max} ms at most; ${Math.round(100 * steady.cpuShare)} % of a core
  RSS           ${start.rss} MB at start, ${afterSteady.rss} and ${afterFlood.rss} after the loads: ${against(rss <= LIMITS[database], `${LIMITS[database]} MB`)}; peak ${afterFlood.peak}
  heap          ${start.heap} MB at start, ${afterSteady.heap} and ${afterFlood.heap}; ${answered} answers
`
}
