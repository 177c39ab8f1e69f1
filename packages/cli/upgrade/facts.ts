/** What a version says about a bot.config.ts, as JSON: the installed version and the new one each say it, and `changes.ts` compares. */
import { readdir } from 'node:fs/promises'
import type { BotConfig, Plugin } from 'kikimimi'
import type { ConfigPath } from 'kikimimi/host'
import { KERNEL_MIGRATIONS, listPlugins, readSchema, renamedOptions } from 'kikimimi/host'
import manifest from '../package.json' with { type: 'json' }

export interface VersionFacts {
  readonly version: string
  /** Whether the bot keeps data: a folder or a server. */
  readonly keeps: boolean
  /** The kernel has the name `kikimimi` and no path. */
  readonly owners: readonly OwnerFacts[]
}

/** A plugin, or the kernel. */
export interface OwnerFacts {
  readonly name: string
  /** Its place in bot.config.ts. */
  readonly path: ConfigPath
  readonly options: Readonly<Record<string, OptionFacts>>
  /** The options that the bot gives for everywhere, with those in groups: `engagement`, `engagement.duration`. */
  readonly given: readonly string[]
  /** The options that the bot gives for single places. */
  readonly placed: readonly string[]
  /** The names of its migrations. */
  readonly migrations: readonly string[]
}

export interface OptionFacts {
  /** The default, as one writes it. Absent: there is none, or it comes from the environment. */
  readonly usual?: unknown
  readonly renamedFrom?: string
}

export async function factsOf({ plugins, database }: BotConfig): Promise<VersionFacts> {
  const kernel = { name: 'kikimimi', path: [], options: {}, given: [], placed: [], migrations: await namesIn(KERNEL_MIGRATIONS) }
  const listed = listPlugins(Array.isArray(plugins) ? plugins : [])
  const owners = listed.plugins.map(async ({ name, plugin, path }) => ({
    ...{ name, path, options: optionsOf(plugin), given: pathsIn(plugin.options) },
    placed: Object.values(plugin.overrides ?? {}).flatMap(places =>
      Object.values(places ?? {}).flatMap(layer => Object.keys(Object(layer))),
    ),
    migrations: await namesIn(plugin.definition.migrations),
  }))
  return {
    version: manifest.version,
    keeps: database !== false && database !== 'memory',
    owners: [kernel, ...(await Promise.all(owners))],
  }
}

function optionsOf({ definition }: Plugin): OwnerFacts['options'] {
  const { names, of } = readSchema(definition.options)
  const formers = new Map(Array.from(renamedOptions(definition.options), ([former, present]) => [present, former]))
  const facts = names.map((name): [string, OptionFacts] => {
    const { usual, environment } = of(name)
    const renamedFrom = formers.get(name)
    // A default from the environment can be a secret.
    const isSaid = usual !== undefined && environment === undefined
    return [name, { ...(isSaid && { usual }), ...(renamedFrom !== undefined && { renamedFrom }) }]
  })
  return Object.fromEntries(facts)
}

function pathsIn(options: unknown, above = ''): readonly string[] {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return []
  return Object.entries(options).flatMap(([key, value]) =>
    value === undefined ? [] : [`${above}${key}`, ...pathsIn(value, `${above}${key}.`)],
  )
}

async function namesIn(folder: URL | undefined): Promise<readonly string[]> {
  return folder ? (await readdir(folder)).filter(name => name.endsWith('.sql')).sort() : []
}
