/** `kikimimi upgrade`: tries a new version beside the installed one, tells what it changes, and puts it in place. */
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { type Decided, differencesOf, readRecorded } from '@kikimimi/replay/versions'
import { outputOf } from '../output.ts'
import { isOurs } from '../plugin-packages.ts'
import type { CommonOptions } from '../program.ts'
import { counted } from '../progress.ts'
import type { Session } from '../session.ts'
import { changelogBetween } from '../upgrade/changelog.ts'
import { type BotFiles, changesBetween, moved, told, type VersionChanges } from '../upgrade/changes.ts'
import type { VersionFacts } from '../upgrade/facts.ts'
import { checked, lineOf } from '../upgrade/findings.ts'
import {
  askingFor,
  install,
  installedIn,
  kikimimiIn,
  lockOfOthers,
  manifestsIn,
  refused,
  versionFor,
} from '../upgrade/packages.ts'
import { keptFolder, swap } from '../upgrade/swap.ts'
import { BACKUP, type TrialFolder, trialOf } from '../upgrade/trial.ts'

export interface UpgradeValues extends CommonOptions {
  readonly dryRun?: boolean | undefined
  /** `keep`: the bot keeps the earlier value of a changed default. `new`: it gets the new one. */
  readonly defaults: 'keep' | 'new'
  readonly acceptDecisions?: boolean | undefined
  /** Puts the version before the last upgrade in place. */
  readonly back?: boolean | undefined
  readonly part?: string | undefined
}

const SETTINGS = 'bot.settings.json'
/** Of a backup, whose data takes about ten times as much memory. */
const REHEARSED_BYTES = 2 ** 25

/** @throws UPGRADE_REFUSED if the version cannot take the place of the installed one; everything is as before then */
export async function runUpgrade(wanted: string | undefined, values: UpgradeValues, session: Session): Promise<void> {
  if (values.part !== undefined) return (await import('../upgrade/part.ts')).runPart(values.part, wanted, values.config, session)
  const { print } = outputOf(false, session.stdout)
  if (values.back) return (await import('../upgrade/back.ts')).goBack(values.config, print)
  const [folder, config] = [dirname(resolve(values.config)), basename(values.config)]
  const installed = await installedIn(folder)
  const before = installed.get('kikimimi') ?? ''
  const version = await versionFor(folder, before, wanted)
  if (version === undefined) return print(`kikimimi ${before} is installed, and the registry has no later version.`)

  print(`kikimimi ${before} → ${version}`)
  await using trial = await trialOf(folder)
  const files = await botFiles(folder, config)
  const manifests = await tried(trial.bot, version)
  const found = await installedIn(trial.bot)
  section(print, 'Packages', packageLines(installed, found))
  const changelog = await readFile(join(trial.bot, 'node_modules/kikimimi/CHANGELOG.md'), 'utf8').catch(() => '')
  section(print, 'Changes', changelogBetween(changelog, before, version).split('\n'))

  const facts = await factsOf(folder, config, before)
  const changes = changesBetween(facts, await newFacts(trial.bot, config, version))
  section(
    print,
    'Migrations that the next start runs',
    changes.migrations.map(({ owner, names }) => `${owner}: ${names.join(', ')}`),
  )
  const keeps = moved(files, changes, true)
  const final = values.defaults === 'keep' ? keeps : moved(files, changes, false)
  section(print, 'Options', optionLines(changes, values.defaults))
  if (final.problems.length > 0) throw refused(final.problems.join('\n'))

  await writeBot(trial.bot, config, final.files)
  const findings = await checked(trial.bot, config)
  section(print, `Check by ${version}`, findings.map(lineOf))
  if (findings.some(({ problem }) => problem !== undefined))
    throw refused(`The check by ${version} found a problem. Solve it first.`)

  if (facts.keeps) {
    const differ = await compareDecisions({ folder, trial, config, version, kept: keeps.files, final: final.files, print })
    if (differ && !values.acceptDecisions)
      throw refused(
        `${version} decides differently without an announced change. Look at the messages above. To upgrade all the same: --accept-decisions`,
      )
  }
  const backup = join(trial.own, BACKUP)
  if (facts.keeps && (changes.migrations.length > 0 || !values.dryRun)) await backUp(folder, config, backup)
  if (facts.keeps && changes.migrations.length > 0)
    section(print, 'Migrations on a copy of the data', await rehearsed(trial.bot, config, version, backup))
  if (values.dryRun) return print('\nDry run: nothing has changed.')

  const kept = await keptFolder(folder, version)
  if (facts.keeps) await rename(backup, join(kept, BACKUP))
  await swap(
    {
      ...{ folder, trial: trial.bot, kept },
      files: [...manifests, 'package-lock.json', config, ...(final.files.settings === undefined ? [] : [SETTINGS])],
      packages: manifests.map(path => join(dirname(path), 'node_modules')),
    },
    async () => {
      const problem = (await checked(folder, config)).find(one => one.problem !== undefined)
      if (problem) throw refused(`In its place, ${version} found a problem:\n${lineOf(problem)}`)
    },
  )
  print(`\nkikimimi ${version} is installed. Restart the bot: its start runs the migrations.`)
  print(`${relative(process.cwd(), kept) || kept} has what was there before${facts.keeps ? ', with a backup of the data' : ''}.`)
  print(`If the bot does not start: kikimimi upgrade --back`)
}

/** Installs the version in the copy. Returns the paths of package.json files. */
async function tried(bot: string, version: string): Promise<readonly string[]> {
  const manifests = await manifestsIn(bot)
  for (const [path, text] of manifests) await writeFile(join(bot, path), askingFor(text, version))
  const lock = join(bot, 'package-lock.json')
  const locked = await readFile(lock, 'utf8').catch(() => undefined)
  if (locked !== undefined) await writeFile(lock, lockOfOthers(locked))
  await install(bot, version)
  return [...manifests.keys()]
}

async function botFiles(folder: string, config: string): Promise<BotFiles> {
  const settings = await readFile(join(folder, SETTINGS), 'utf8').catch(() => undefined)
  return { config: await readFile(join(folder, config), 'utf8'), ...(settings !== undefined && { settings }) }
}

async function writeBot(folder: string, config: string, files: BotFiles): Promise<void> {
  await writeFile(join(folder, config), files.config)
  if (files.settings !== undefined) await writeFile(join(folder, SETTINGS), files.settings)
}

// ---------------------------------------------------------------- what each version says

/** What a part of an upgrade printed last. @throws UPGRADE_REFUSED if the version cannot say it */
async function asked<T>(folder: string, version: string, args: readonly string[]): Promise<T> {
  const { code, out, err } = await kikimimiIn(folder, ['upgrade', ...args])
  // bot.config.ts may print something before.
  const last = out.trimEnd().split('\n').at(-1) ?? ''
  if (code !== 0 || last === '') throw refused(`kikimimi ${version} does not work with this bot:\n${err.trim()}`)
  return JSON.parse(last)
}

const factsOf = (folder: string, config: string, version: string) =>
  asked<VersionFacts>(folder, version, ['--part', 'facts', '--config', config])

/** Of the new version. It would refuse bot.settings.json with former names. */
async function newFacts(bot: string, config: string, version: string): Promise<VersionFacts> {
  const settings = await readFile(join(bot, SETTINGS), 'utf8').catch(() => undefined)
  if (settings !== undefined) await writeFile(join(bot, SETTINGS), '{}\n')
  return factsOf(bot, config, version)
}

interface Compared {
  readonly folder: string
  readonly trial: TrialFolder
  readonly config: string
  readonly version: string
  /** With the earlier defaults. */
  readonly kept: BotFiles
  readonly final: BotFiles
  print(line: string): void
}

/** Replays what the bot heard lately in both versions. True: they decide differently with the same values of all options. */
async function compareDecisions({ folder, trial, config, version, kept, final, print }: Compared): Promise<boolean> {
  const file = join(trial.own, 'recorded.jsonl')
  const recorded = await kikimimiIn(folder, ['upgrade', '--part', 'recorded', '--config', config])
  if (recorded.code !== 0) throw refused(`What the bot heard lately cannot be read:\n${recorded.err.trim()}`)
  const lines = recorded.out.split('\n').filter(line => line.startsWith('{'))
  await writeFile(file, lines.map(line => `${line}\n`).join(''), { mode: 0o600 })
  const { channels } = await readRecorded(file)
  const decisions = (where: string, by: string) =>
    asked<readonly Decided[]>(where, by, [file, '--part', 'decisions', '--config', config])
  await writeBot(trial.bot, config, kept)
  const [old, now] = [await decisions(folder, 'of this bot'), await decisions(trial.bot, version)]
  await writeBot(trial.bot, config, final)
  const differences = differencesOf(old, now)
  const messages = channels.flatMap(({ lines }) => lines).filter(({ context }) => !context).length
  const names = new Map(channels.map(({ channel, places }) => [channel, places[0]?.name ?? channel]))
  const cut = channels.filter(one => one.cut).map(({ channel }) => names.get(channel))
  section(print, 'Decisions about the last 7 days that the bot heard', [
    `${counted(messages, 'messages')} in ${counted(channels.length, 'channels')}: ${counted(differences.length, 'decisions')} differ`,
    ...(cut.length > 0 ? [`only the last messages of ${cut.join(', ')}`] : []),
    ...differences.slice(0, 20).map(({ channel, message, at, before, after }) => {
      const shown = (turn: typeof before) => (turn ? `${turn.kind} (${turn.why})` : 'no turn')
      return `${names.get(channel)}, ${at}, message ${message}: ${shown(before)} → ${shown(after)}`
    }),
    ...(differences.length > 20 ? [`and ${differences.length - 20} more`] : []),
    ...(differences.length > 0 ? ['kikimimi why MESSAGE explains what the bot decided then.'] : []),
  ])
  if (kept.config !== final.config) {
    const changed = differencesOf(now, await decisions(trial.bot, version)).length
    section(print, 'Decisions with the new defaults', [
      `${counted(changed, 'decisions')} differ from those with the earlier defaults`,
    ])
  }
  return differences.length > 0
}

async function backUp(folder: string, config: string, file: string): Promise<void> {
  const { code, err } = await kikimimiIn(folder, ['backup', file, '--config', config])
  if (code !== 0) throw refused(`The backup failed:\n${err.trim()}`)
}

/** Lets the new version upgrade a copy of the data in memory, and set up its plugins with it. */
async function rehearsed(bot: string, config: string, version: string, backup: string): Promise<readonly string[]> {
  const { size } = await stat(backup)
  if (size > REHEARSED_BYTES)
    return [`left out, because the backup has ${Math.round(size / 2 ** 20)} MB: restore it into an empty database to test them`]
  const { rows } = await asked<{ rows: number }>(bot, version, [backup, '--part', 'rehearsal', '--config', config])
  return [`${counted(rows, 'rows')} upgraded in memory`]
}

// ---------------------------------------------------------------- what people read

function section(print: (line: string) => void, title: string, lines: readonly string[]): void {
  const told = lines.filter((line, index) => line !== '' || index > 0)
  if (told.length > 0) print(`\n${title}:\n${told.map(line => (line === '' ? '' : `  ${line}`)).join('\n')}`)
}

function packageLines(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(isOurs)
  const width = Math.max(...names.map(({ length }) => length))
  return names.map(name => `${name.padEnd(width)}  ${before.get(name) ?? 'new'} → ${after.get(name) ?? 'gone'}`)
}

function optionLines({ renamed, defaults }: VersionChanges, choice: UpgradeValues['defaults']): readonly string[] {
  return [
    ...renamed.map(
      ({ plugin, former, present }) => `[${plugin}] ${former} is called ${present} now. The files of the bot get the new name.`,
    ),
    ...defaults.map(
      change => `${told(change)} ${choice === 'keep' ? 'bot.config.ts gets the earlier value.' : 'The bot gets the new one.'}`,
    ),
  ]
}
