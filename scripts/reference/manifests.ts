/** The field `kikimimi` of the package.json of each plugin, and docs/plugins.md: from the definitions and the tests. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PluginDefinition } from 'kikimimi'
import { z } from 'zod'
import { shortName } from '../../packages/cli/plugin-names.ts'
import { KEYWORD } from '../../packages/cli/plugins/manifest.ts'

const root = join(import.meta.dirname, '../..')

/** What each contract proves, by the name of its function without `Contract`. */
const CONTRACTS: Readonly<Record<string, string>> = {
  platform:
    'a platform: messages, replies, threads, edits, reactions, files and typing arrive and leave as the bot expects, also after a restart and when the server fails',
  vector: 'an index of vectors: it finds the nearest, keeps audiences apart, and forgets',
}

interface Plugin {
  /** Relative to the repository. */
  readonly folder: string
  readonly json: { readonly name: string; readonly description: string; readonly keywords: readonly string[] }
  readonly definition: PluginDefinition
  /** `default`, or the name of another export. */
  readonly exported: string
}

interface Asked {
  readonly option: string
  readonly description: string
  readonly env?: string
  readonly type?: string
}

/** Each package.json with its manifest, and docs/plugins.md, by path. */
export async function manifestPages(command: string): Promise<Readonly<Record<string, string>>> {
  const plugins = await pluginsOf()
  const manifests = plugins.map(plugin => ({ ...plugin, manifest: manifestFor(plugin) }))
  const files = manifests.map(({ folder, json, manifest }) => [
    `${folder}/package.json`,
    `${JSON.stringify({ ...json, kikimimi: manifest }, null, 2)}\n`,
  ])
  return { ...Object.fromEntries(files), 'docs/plugins.md': page(manifests, command) }
}

async function pluginsOf(): Promise<readonly Plugin[]> {
  const found = globSync('{plugins,packages}/*/package.json', { cwd: root }).sort()
  const all = await Promise.all(
    found.map(async path => {
      const json: Plugin['json'] = JSON.parse(readFileSync(join(root, path), 'utf8'))
      if (!json.keywords.includes(KEYWORD)) return []
      const folder = path.replace('/package.json', '')
      const module = await import(pathToFileURL(join(root, folder, 'index.ts')).href)
      const [exported, factory] =
        Object.entries<{ definition?: PluginDefinition }>(module).find(([, one]) => one?.definition) ?? []
      if (exported === undefined || !factory?.definition) throw new Error(`${folder} exports no plugin.`)
      return { folder, json, definition: factory.definition, exported }
    }),
  )
  return all.flat().sort((one, other) => (shortName(one.json.name) < shortName(other.json.name) ? -1 : 1))
}

/** Without what is usual. */
function manifestFor({ folder, definition, exported }: Plugin) {
  const settings = askedBy(definition)
  const provides = definition.provides?.map(({ name }) => name) ?? []
  const needs = definition.needs?.flatMap(({ name, from }) => (from === undefined ? [] : [[name, from]])) ?? []
  const contracts = contractsIn(folder)
  return {
    name: definition.name,
    ...(exported !== 'default' && { export: exported }),
    ...(definition.platform && { platform: true }),
    ...(definition.migrations && { tables: true }),
    ...(settings.length > 0 && { settings }),
    ...(needs.length > 0 && { needs: Object.fromEntries(needs) }),
    ...(provides.length > 0 && { provides }),
    ...(contracts.length > 0 && { contracts }),
  }
}

/** The options that are required, and those marked with `.meta({ asked: true })`. */
function askedBy({ name, options }: PluginDefinition): readonly Asked[] {
  if (!(options instanceof z.ZodType)) return []
  const { properties = {}, required = [] } = z.toJSONSchema(options, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).flatMap(([option, schema]) => {
    if (typeof schema === 'boolean' || !(schema.asked === true || required.includes(option))) return []
    const { description = '', environment, type } = schema
    const kind = type === 'array' ? 'list' : type === 'integer' ? 'number' : type
    if (kind !== 'list' && kind !== 'number' && kind !== 'string')
      throw new Error(`kikimimi add cannot ask for ${name}.${option}.`)
    return {
      option,
      description: description.replace(/ Default: .*$/s, ''),
      ...(typeof environment === 'string' && { env: environment }),
      ...(kind !== 'string' && { type: kind }),
    }
  })
}

/** Those that its tests run. */
function contractsIn(folder: string): readonly string[] {
  const tests = globSync('**/*.test.ts', { cwd: join(root, folder), exclude: ['node_modules/**'] })
  const calls = tests.flatMap(path =>
    Array.from(readFileSync(join(root, folder, path), 'utf8').matchAll(/^\s*(\w+)Contract\('/gm), ([, name = '']) => name),
  )
  return [...new Set(calls)].sort()
}

function page(plugins: readonly (Plugin & { readonly manifest: ReturnType<typeof manifestFor> })[], command: string): string {
  const rows = plugins.map(({ folder, json, manifest: { settings = [], needs = {}, contracts = [], tables } }) => {
    const cells = [
      `[${shortName(json.name)}](../${folder}/README.md)`,
      json.description,
      settings.map(({ option, env }) => `\`${env ?? option}\``).join(', '),
      [...Object.values<string>(needs).map(shortName), ...(tables ? ['tables'] : [])].join(', '),
      contracts.map(name => `✅ [${name}](#contracts)`).join(' '),
    ]
    return `| ${cells.join(' | ')} |`
  })
  const used = [...new Set(plugins.flatMap(({ manifest }) => manifest.contracts ?? []))].sort()
  const contracts = used.map(name => {
    if (CONTRACTS[name] === undefined) throw new Error(`Say in ${import.meta.filename} what the contract "${name}" proves.`)
    return `- ✅ **${name}**: ${CONTRACTS[name]}.`
  })
  return `<!-- Written by \`${command}\` from the plugins and their tests. Change those. -->
# Plugins

\`npm run kikimimi -- add NAME\` installs a plugin, asks for what it needs, and writes it into bot.config.ts after you have seen the change.
\`remove NAME\` does the reverse. \`search WORDS\` finds the plugins of other people: packages of npm with the keyword \`${KEYWORD}\`.
[More](./configuration.md#adding-a-plugin)

| name | what it does | asks for | needs | contracts |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

*Needs*: other plugins, and tables in the database.

## Contracts

A contract is one test suite that every implementation of one kind passes. A badge stands for a plugin whose tests run
it, and \`npm test\` runs these tests. [Testing](./testing.md) shows how a plugin of your own runs it.

${contracts.join('\n')}
`
}
