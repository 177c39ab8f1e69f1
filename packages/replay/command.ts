/** `kikimimi replay FILE…`: from its options to a report. */

import { writeFile } from 'node:fs/promises'
import { type BotConfig, KikimimiError, type Logger } from 'kikimimi'
import { loadPlugins, reason, unusedOptions } from 'kikimimi/host'
import { JUDGES, type JudgeKind } from './judge/judges.ts'
import { judgeByModel } from './judge/model-judge.ts'
import { judgedText } from './judge/report.ts'
import { fileLog } from './logs/chat-log.ts'
import { mapPlugins } from './map-plugins.ts'
import { toHtml } from './page.ts'
import { type Replayed, type ReplayOptions, replay } from './replay.ts'
import { type Row, toJson, toText } from './report.ts'
import type { Seating } from './seats.ts'
import { withSetting } from './settings.ts'

/** Options of `kikimimi replay`, as the command line gives them. */
export interface ReplayValues {
  readonly seat?: string | undefined
  readonly seats?: string | undefined
  readonly judge?: string | undefined
  readonly band: string
  readonly sample: string
  readonly budget?: string | undefined
  readonly compare?: string | undefined
  readonly set?: readonly string[] | undefined
  readonly out?: string | undefined
  readonly json?: boolean | undefined
  readonly seed: string
}

export interface Terminal {
  readonly log: Logger
  print(text: string): void
  /** Writes a line that belongs to no report. */
  tell(text: string): void
  /** Shows the progress on one line. Absent if standard error is no terminal. */
  progress?(text: string): void
}

/** @throws USAGE for an invalid option, before any file is read */
export async function runReplay(
  files: readonly string[],
  { config, project }: { readonly config: BotConfig; readonly project: URL },
  values: ReplayValues,
  terminal: Terminal,
): Promise<void> {
  for (const line of await unusedIn((values.set ?? []).reduce(withSetting, config), values.set ?? [])) terminal.tell(line)
  if (values.judge === 'model') return runWithModel(files, { config, project }, values, terminal)
  const runs = runsOf(values, config)
  const rows: Row[] = []
  for (const { name, ...options } of runs) {
    let lines = 0
    const progress = () => {
      if (++lines % 1_000 === 0) terminal.progress?.(`${name ? `${name}: ` : ''}${lines} lines`)
    }
    const replayed: Replayed = await replay(files.map(fileLog), { ...options, project, log: terminal.log, progress })
    rows.push({ name, ...replayed })
  }
  terminal.print(values.json ? toJson(rows) : toText(rows))
  if (values.out === undefined) return
  try {
    await writeFile(values.out, toHtml(rows))
  } catch (error) {
    throw new KikimimiError('USAGE', `--out: could not write ${values.out}: ${reason(error)}`)
  }
}

/** What `--set` changes without an effect. Wrong options are refused when the bot starts. */
async function unusedIn(config: BotConfig, set: readonly string[]): Promise<readonly string[]> {
  const plugins = await loadPlugins(config.plugins).catch(() => [])
  return set.flatMap(setting => {
    const path = setting.split('=', 1)[0] ?? ''
    const plugin = plugins.find(({ name }) => path.startsWith(`${name}.`))
    const option = path.slice((plugin?.name.length ?? 0) + 1)
    const why =
      plugin && unusedOptions(plugin, { plugins, models: config.models, persona: config.persona }, plugin.options)(option)
    return why === undefined ? [] : [`${path} has no effect: ${why}.`]
  })
}

/** `--judge model`: asks the real model of the judge. */
async function runWithModel(
  files: readonly string[],
  { config, project }: { readonly config: BotConfig; readonly project: URL },
  values: ReplayValues,
  { log, print, tell }: Terminal,
): Promise<void> {
  const seating = seatingOf(values)
  if (!seating) throw new KikimimiError('USAGE', '--judge model needs the answers of a member: add --seat or --seats.')
  if (values.compare !== undefined || values.out !== undefined)
    throw new KikimimiError('USAGE', '--judge model has a report of its own: leave out --compare and --out.')
  const judged = await judgeByModel(files.map(fileLog), {
    ...{ config: (values.set ?? []).reduce(withSetting, config), project, log, seating, tell },
    seed: whole('--seed', values.seed, Number.MIN_SAFE_INTEGER),
    sample: whole('--sample', values.sample, 1),
    ...(values.budget !== undefined && { budget: whole('--budget', values.budget, 1) }),
  })
  print(values.json ? `${JSON.stringify(judged, null, 2)}\n` : judgedText(judged))
}

type Run = Pick<ReplayOptions, 'config' | 'seed' | 'seating' | 'judge'> & { readonly name: string }

/** The preset of `--compare` without the rules: a judge decides each message separately. */
const PER_MESSAGE = 'one judgement per message'

function runsOf(values: ReplayValues, given: BotConfig): Run[] {
  const config = (values.set ?? []).reduce(withSetting, given)
  const seating = seatingOf(values)
  const kind = values.judge === undefined ? undefined : judgeOf(values.judge)
  if (kind && !seating) throw new KikimimiError('USAGE', `--judge ${kind} needs the answers of a member: add --seat or --seats.`)
  const band = bandOf(values.band)
  const run = {
    seed: whole('--seed', values.seed, Number.MIN_SAFE_INTEGER),
    ...(seating && { seating }),
    ...(kind && { judge: { kind, ...band } }),
  }
  if (values.compare === undefined) return [{ ...run, name: '', config }]
  if (!seating) throw new KikimimiError('USAGE', '--compare needs the answers of a member: add --seat or --seats.')
  const presets = values.compare.split(',').map(preset => preset.trim())
  const unruled = mapPlugins(config.plugins, plugin => (plugin.definition.name === 'judge-rules' ? undefined : plugin))
  return [
    ...presets.map(name => ({ ...run, name, config: withSetting(config, `judge-rules.preset=${name}`) })),
    {
      ...run,
      name: PER_MESSAGE,
      config: { ...config, plugins: unruled, pacing: { minWait: 0 } },
      judge: { kind: kind ?? 'oracle', ...band, alone: true },
    },
  ]
}

function seatingOf({ seat, seats }: ReplayValues): Seating | undefined {
  if (seat !== undefined && seats !== undefined) throw new KikimimiError('USAGE', 'Use either --seat or --seats, not both.')
  if (seat !== undefined) return { author: seat }
  return seats === undefined ? undefined : { busiest: whole('--seats', seats, 1) }
}

function judgeOf(given: string): JudgeKind {
  const kind = JUDGES.find(one => one === given)
  if (kind) return kind
  throw new KikimimiError('USAGE', `--judge must be one of ${JUDGES.join(', ')}, model, got "${given}".`)
}

function bandOf(given: string): { low: number; high: number } {
  const [, low, high] = /^(\d{1,3})-(\d{1,3})$/.exec(given) ?? []
  if (low !== undefined && high !== undefined && Number(low) < Number(high)) return { low: Number(low), high: Number(high) }
  throw new KikimimiError('USAGE', `--band takes two scores such as 20-80, got "${given}".`)
}

function whole(option: string, given: string, least: number): number {
  const number = Number(given)
  if (given.trim() !== '' && Number.isSafeInteger(number) && number >= least) return number
  throw new KikimimiError('USAGE', `${option} takes a whole number${least === 1 ? ' from 1 on' : ''}, got "${given}".`)
}
