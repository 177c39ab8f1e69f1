/**
 * What each plugin adds to a bot with addressing, judge-rules and reply, on PGlite: memory and time of a start with an existing data folder,
 * statements, and tokens of the prompt of an answer. `npm run bench:plugins -- [--rounds 5] [NAME…]`
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { inFolder } from '../base/databases.ts'
import { machine, progress, round, spread } from '../base/measure.ts'
import type { Started, Worked } from './plugins/measured.ts'

/** Folders of `plugins/` that `bot.config.ts` does not have. Others that work without options are arguments. */
const PLUGINS = ['digest', 'knowledge', 'mcp', 'promises', 'words']
/** What a plugin cannot do without. It belongs to the bot with which the plugin is compared. */
const BESIDE: Readonly<Record<string, string>> = { reflection: 'facts', remember: 'facts' }

const { values, positionals } = parseArgs({ options: { rounds: { type: 'string', default: '5' } }, allowPositionals: true })
const names = positionals.length > 0 ? positionals : PLUGINS
const rounds = Number(values.rounds)
const RUN = [fileURLToPath(new URL('../../scripts/run.mjs', import.meta.url)), 'bench/speed/plugins/measured.ts']

/** The bots: those without a plugin, and one with each. */
const withoutOf = (name: string) => [BESIDE[name] ?? []].flat()
const withOf = (name: string) => [...withoutOf(name), name]
const bots = new Map(names.flatMap(name => [withoutOf(name), withOf(name)]).map(plugins => [plugins.join(), plugins]))

/** Runs a bot in a process of its own. */
function measured<T extends Started | Worked>(kind: T['kind'], folder: string, plugins: readonly string[]): T {
  const output = execFileSync(process.execPath, [...RUN, kind, join(folder, plugins.join() || 'none'), ...plugins], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(output)
}

await inFolder(async folder => {
  mkdirSync(folder)
  /** One of each bot after the other, so that other work on the machine slows all of them. */
  const all = <T extends Started | Worked>(kind: T['kind']) =>
    new Map([...bots].map(([key, plugins]) => [key, measured<T>(kind, folder, plugins)]))
  progress('the first start, which fills the folder')
  all<Started>('start')
  const starts = Array.from({ length: rounds }, (_, at) => {
    progress(`start ${at + 1} of ${rounds}`)
    return all<Started>('start')
  })
  progress('work')
  const works = all<Worked>('work')

  const rows = names.map(name => {
    const [without, plus] = [withoutOf(name).join(), withOf(name).join()]
    const started = (what: 'ms' | 'rssMb' | 'heapMb') =>
      spread(starts.map(one => (one.get(plus)?.[what] ?? 0) - (one.get(without)?.[what] ?? 0)))
    const worked = (what: 'perHour' | 'perMessage' | 'perCall' | 'tokens') =>
      round((works.get(plus)?.[what] ?? 0) - (works.get(without)?.[what] ?? 0))
    return {
      ...{ plugin: name, startMs: started('ms'), rssMb: started('rssMb'), heapMb: started('heapMb') },
      ...{ perHour: worked('perHour'), perMessage: worked('perMessage'), perCall: worked('perCall'), tokens: worked('tokens') },
    }
  })
  const of = (what: 'ms' | 'rssMb' | 'heapMb') => spread(starts.map(one => one.get('')?.[what] ?? 0))
  const bare = { startMs: of('ms'), rssMb: of('rssMb'), heapMb: of('heapMb'), ...works.get('') }
  process.stdout.write(`${JSON.stringify({ machine: machine(), bare, adds: rows }, null, 2)}\n`)
})
