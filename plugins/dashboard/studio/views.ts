/** The settings studio in the JSON API. */
import { z } from 'zod'

const name = z.string().min(1).max(1_000)
export const kind = z.enum(['workspaces', 'channels', 'threads'])
export const placeName = name

export const settable = z.object({
  path: z.array(z.string()).readonly().describe('The keys that lead to it in bot.settings.json.'),
  value: z.unknown().optional().describe('Absent if it is not set or redacted.'),
  redacted: z.boolean(),
  from: z.enum(['default', 'bot.config.ts', 'bot.settings.json', 'environment']),
  why: z.string().optional().describe('Why it cannot be set. Absent: it can.'),
  unused: z.string().optional().describe('Why it has no effect in the running bot.'),
  takes: z.enum(['choice', 'number', 'boolean', 'text', 'texts', 'other']),
  choices: z.array(z.string()).readonly().optional(),
  least: z.number().optional(),
  most: z.number().optional(),
  whole: z.boolean().optional(),
  does: z.string().optional(),
})
export type SettableView = z.infer<typeof settable>

export const studioView = z.object({
  file: z.string(),
  version: z.string().optional().describe('Of the content of the file. Absent: it could not be read.'),
  problem: z.string().optional().describe('Why nothing can be changed.'),
  mayChange: z.boolean().describe('Whether the account may change settings.'),
  settings: z.array(settable).readonly(),
  plugins: z
    .array(
      z.object({
        name: z.string(),
        enabled: z.boolean(),
        fixed: z.string().optional().describe('Why it cannot be turned off.'),
        options: z.array(settable).readonly(),
        prompts: z.array(z.object({ name: z.string(), locale: z.string(), text: z.string(), fromFile: z.boolean() })).readonly(),
      }),
    )
    .readonly(),
  unused: z.array(z.string()).readonly().describe('Plugins that the file has values for, and that bot.config.ts does not list.'),
})
export type StudioView = z.infer<typeof studioView>

export const change = z.strictObject({
  path: z.array(name).min(1).max(8),
  value: z.json().optional().describe('Absent: the value of bot.config.ts applies again. null: the default.'),
})

const applied = z.object({
  path: z.array(z.string()).readonly(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
})

export const historyView = z.object({
  id: z.number(),
  at: z.iso.datetime(),
  account: z.string().describe('Empty without a password.'),
  changes: z.array(applied).readonly(),
  undoes: z.number().optional().describe('The change that this one took back.'),
  undoneBy: z.number().optional(),
})
export type HistoryView = z.infer<typeof historyView>

export const platformView = z.object({
  name: z.string(),
  at: z.url().describe('Where the tokens come from.'),
  isRunning: z.boolean().describe('Whether the bot runs with it.'),
  variables: z.array(z.object({ name: z.string(), from: z.string(), isSet: z.boolean() })),
})
export type PlatformView = z.infer<typeof platformView>

export const inviteReport = z.object({
  findings: z.array(z.object({ what: z.string(), problem: z.string().optional() })),
  text: z.string().optional().describe('A sentence with a link.'),
})
export type InviteView = z.infer<typeof inviteReport>
