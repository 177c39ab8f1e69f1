/** What a plugin says of itself in the field `kikimimi` of its package.json. It is read without running the plugin. */
import { KikimimiError } from 'kikimimi'
import { satisfies } from 'semver'
import { z } from 'zod'

/** One line. What a package says of itself is printed, and becomes a comment in .env. */
const line = z.string().transform(text => text.replace(/\p{Cc}+/gu, ' '))
/** It becomes code. */
const identifier = z.string().regex(/^[A-Za-z_$][\w$]*$/)

/** A value without which the plugin does not start. */
const setting = z.object({
  /** The name of the option. */
  option: identifier,
  /** One sentence for the person who gives it. */
  description: line,
  /** The variable of the environment that gives the option. It then stands in .env and not in bot.config.ts. */
  env: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/)
    .optional(),
  type: z.enum(['string', 'number', 'list']).default('string'),
})

const plugin = z.object({
  /** The name of the plugin, in `definePlugin`. */
  name: line,
  /** The export that bot.config.ts calls: `default`, or a name. */
  export: identifier.default('default'),
  /** Whether it connects a platform. */
  platform: z.boolean().default(false),
  /** Whether it has tables of its own. They stay when the plugin is removed. */
  tables: z.boolean().default(false),
  /** A smallest set of settings with which it starts. */
  settings: z.array(setting).default([]),
  /** The services of other plugins that it needs, each with the package that usually provides it. */
  needs: z.record(z.string(), z.string()).default({}),
  provides: z.array(z.string()).default([]),
  /** The contracts that its tests pass. */
  contracts: z.array(z.string()).default([]),
})

export type Setting = z.output<typeof setting>
export type PluginManifest = z.output<typeof plugin>

export const KEYWORD = 'kikimimi-plugin'

/** A package.json, as far as it is read here. */
export const packageJson = z.object({
  name: line,
  version: line,
  description: line.default(''),
  keywords: z.array(z.string()).default([]),
  peerDependencies: z.record(z.string(), z.string()).default({}),
  kikimimi: z.unknown().optional(),
})

export type PackageJson = z.output<typeof packageJson>

/**
 * The manifest of a package. A package that has only the keyword gets one without settings.
 *
 * @throws PLUGIN_PACKAGE if the package is not a plugin, or its manifest is wrong
 */
export function manifestOf({ name, keywords, kikimimi }: PackageJson): PluginManifest {
  if (kikimimi === undefined && keywords.includes(KEYWORD)) return plugin.parse({ name })
  if (kikimimi === undefined) {
    throw new KikimimiError(
      'PLUGIN_PACKAGE',
      `The package ${name} is not a plugin of kikimimi: its package.json has neither the field "kikimimi" nor the keyword "${KEYWORD}".`,
    )
  }
  const { data, error } = plugin.safeParse(kikimimi)
  if (data) return data
  throw new KikimimiError(
    'PLUGIN_PACKAGE',
    `The field "kikimimi" in the package.json of ${name} is wrong: ${z.prettifyError(error)}`,
  )
}

/** Why this kernel does not suit a plugin. Nothing: it does. */
export function misfit({ peerDependencies }: Pick<PackageJson, 'peerDependencies'>, kernel: string): string | undefined {
  const range = peerDependencies.kikimimi
  if (range === undefined || satisfies(kernel, range, { includePrerelease: true })) return undefined
  return `needs kikimimi ${range}, this bot has ${kernel}`
}
