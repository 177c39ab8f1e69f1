/** The form of bot.settings.json: values that replace those of bot.config.ts. The dashboard writes the file, and people may edit it. */
import { z } from 'zod'
import type { BotConfig } from '../../api/config.ts'

/** The name of the file, beside bot.config.ts. */
export const SETTINGS_FILE = 'bot.settings.json'

const options = z.record(z.string(), z.json())
const places = z.record(z.string(), options)
const model = z.string().trim().min(1).optional()
const roles = z.strictObject({ chat: model, judge: model, summary: model, reflection: model })

const plugin = z.strictObject({
  /** False: the plugin is left out. */
  enabled: z.boolean().optional(),
  options: options.optional(),
  workspaces: places.optional(),
  channels: places.optional(),
  threads: places.optional(),
  /** By name and locale: the lines of the Markdown text. */
  prompts: z.record(z.string(), z.record(z.string(), z.array(z.string()))).optional(),
})

const section = options.optional()

/** Each value is checked again by the schema of its setting or plugin. */
export const settingsFile = z.strictObject({
  persona: section,
  locale: z.json().optional(),
  timeZone: z.json().optional(),
  /** Names of models that bot.config.ts has. */
  models: roles
    .extend({ plugins: z.record(z.string(), roles), channels: z.record(z.string(), roles) })
    .partial()
    .optional(),
  listen: section,
  pacing: section,
  memory: section,
  apology: z.json().optional(),
  sendWithin: z.json().optional(),
  contextTokens: z.json().optional(),
  concurrency: z.json().optional(),
  budget: section,
  access: section,
  alerts: section,
  capture: section,
  retention: section,
  plugins: z.record(z.string(), plugin).optional(),
})

/** The content of bot.settings.json. `null` takes a value of bot.config.ts away, so that the default applies. */
export type SettingsFile = z.infer<typeof settingsFile>

export type PluginSettings = z.infer<typeof plugin>

export type Json = z.infer<ReturnType<typeof z.json>>

/** Settings that only bot.config.ts has, and why. */
export const ONLY_IN_CONFIG = {
  database: 'It is opened once, at the start, and its address can hold a password.',
  postgres: 'It is opened once, at the start, and its address can hold a password.',
  http: 'The server listens once, at the start: set KIKIMIMI_HTTP, or change bot.config.ts.',
} as const satisfies Partial<Record<keyof BotConfig, string>>
