/** What a new version changes for a bot: names and defaults of options, and migrations; and the files of the bot with these changes. */
import { isDeepStrictEqual } from 'node:util'
import type { ConfigPath } from 'kikimimi/host'
import { pinOption, renameOption } from '../config-source/options.ts'
import type { OwnerFacts, VersionFacts } from './facts.ts'

export interface Renamed {
  readonly plugin: string
  readonly path: ConfigPath
  readonly former: string
  readonly present: string
}

export interface ChangedDefault {
  readonly plugin: string
  readonly path: ConfigPath
  /** The present name, with those of the groups that it is in. */
  readonly option: readonly string[]
  /** Absent: none. */
  readonly before?: unknown
  readonly after?: unknown
}

export interface VersionChanges {
  /** The options that the bot uses. */
  readonly renamed: readonly Renamed[]
  /** The options that the bot leaves at their defaults. */
  readonly defaults: readonly ChangedDefault[]
  /** New migrations, by owner. */
  readonly migrations: readonly { readonly owner: string; readonly names: readonly string[] }[]
}

export function changesBetween(before: VersionFacts, after: VersionFacts): VersionChanges {
  const pairs = after.owners.flatMap(now => {
    const was = before.owners.find(({ name }) => name === now.name)
    return was ? [{ was, now }] : []
  })
  return {
    renamed: pairs.flatMap(renamedIn),
    defaults: pairs.flatMap(defaultsIn),
    migrations: pairs.flatMap(({ was, now: { name, migrations } }) => {
      const names = migrations.filter(one => !was.migrations.includes(one))
      return names.length > 0 ? [{ owner: name, names }] : []
    }),
  }
}

interface Pair {
  readonly was: OwnerFacts
  readonly now: OwnerFacts
}

function renamedIn({ was, now: { name, path, options } }: Pair): readonly Renamed[] {
  return Object.entries(options).flatMap(([present, { renamedFrom: former }]) => {
    const isUsed = former !== undefined && !Object.hasOwn(options, former) && [...was.given, ...was.placed].includes(former)
    return isUsed ? [{ plugin: name, path, former, present }] : []
  })
}

function defaultsIn({ was, now: { name, path, options } }: Pair): readonly ChangedDefault[] {
  return Object.entries(options).flatMap(([present, { usual: after, renamedFrom }]) => {
    const former = renamedFrom !== undefined && Object.hasOwn(was.options, renamedFrom) ? renamedFrom : present
    const option = was.options[former]
    // A new option has no earlier default. One with neither default may take it from the environment.
    if (!option) return []
    return differences(option.usual, after, []).flatMap(({ at, ...values }) =>
      was.given.includes([former, ...at].join('.')) ? [] : [{ plugin: name, path, option: [present, ...at], ...values }],
    )
  })
}

/** The values that differ, each with its path in a group. */
function differences(
  before: unknown,
  after: unknown,
  at: readonly string[],
): readonly { readonly at: readonly string[]; readonly before?: unknown; readonly after?: unknown }[] {
  if (isDeepStrictEqual(before, after)) return []
  if (!isGroup(before) || !isGroup(after)) return [{ at, before, after }]
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys.flatMap(key => differences(before[key], after[key], [...at, key]))
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// ---------------------------------------------------------------- the files of the bot

export interface BotFiles {
  /** The text of bot.config.ts. */
  readonly config: string
  /** The text of bot.settings.json. Absent: the bot has none. */
  readonly settings?: string
}

export interface Moved {
  readonly files: BotFiles
  /** What cannot be changed in the files, one sentence each with what to do. */
  readonly problems: readonly string[]
}

/** The files for the new version. @param pins whether changed defaults keep their earlier values */
export function moved(files: BotFiles, { renamed, defaults }: VersionChanges, pins: boolean): Moved {
  let { config, settings } = files
  const problems: string[] = []
  for (const { plugin, path, former, present } of renamed) {
    const text = renameOption(config, path, former, present)
    const file = settings === undefined ? undefined : renamedInSettings(settings, plugin, former, present)
    if (text === undefined && file === undefined)
      problems.push(
        `[${plugin}] the option "${former}" is called "${present}" now, and bot.config.ts does not write it as an option in the call of the plugin. Write it there.`,
      )
    config = text ?? config
    settings = file ?? settings
  }
  for (const change of pins ? defaults : []) {
    const { plugin, path, option, before } = change
    const text = before === undefined ? undefined : pinOption(config, path, option, before)
    if (text === undefined)
      problems.push(
        `${told(change)} It cannot be kept, because ${before === undefined ? 'no value stands for the earlier one' : `the options of ${plugin} are not an object in the call of the plugin. Write them there`}. Or accept it: --defaults new`,
      )
    config = text ?? config
  }
  return { files: { config, ...(settings !== undefined && { settings }) }, problems }
}

/** `[judge-rules] the default of threshold is 60 now; it was 50.` */
export function told({ plugin, option, before, after }: ChangedDefault): string {
  const shown = (value: unknown) => (value === undefined ? 'none' : JSON.stringify(value))
  return `[${plugin}] the default of ${option.join('.')} is ${shown(after)} now; it was ${shown(before)}.`
}

/** Nothing: the file does not have the option. */
function renamedInSettings(text: string, plugin: string, former: string, present: string): string | undefined {
  const file = JSON.parse(text)
  const own = file.plugins?.[plugin]
  if (!own) return undefined
  const places = ['workspaces', 'channels', 'threads'].flatMap(kind =>
    Object.keys(own[kind] ?? {}).map(name => [own[kind], name] as const),
  )
  let has = false
  for (const [holder, key] of [[own, 'options'] as const, ...places]) {
    if (!Object.hasOwn(holder[key] ?? {}, former)) continue
    has = true
    // A value under the present name wins.
    const entries = Object.entries(holder[key]).filter(([name]) => name !== former || !Object.hasOwn(holder[key], present))
    holder[key] = Object.fromEntries(entries.map(([name, value]) => [name === former ? present : name, value]))
  }
  return has ? `${JSON.stringify(file, undefined, 2)}\n` : undefined
}
