/** The options of the kernel's own commands: how each is read, and what help says of it. */
import { REPLAY_OPTIONS } from '../replay/command.ts'

export interface Option {
  readonly type: 'string' | 'boolean'
  readonly default?: string | boolean
  readonly multiple?: boolean
  /** What a text stands for: `FILE`. */
  readonly takes?: string
  readonly does: string
}

/** Of every command. */
export const COMMON = {
  config: { type: 'string', default: 'bot.config.ts', takes: 'FILE', does: 'the file of the bot' },
  stack: { type: 'boolean', default: false, does: 'show where an error comes from' },
  help: { type: 'boolean', default: false, does: 'what the command does' },
} as const satisfies Record<string, Option>

export const OPTIONS = {
  ...COMMON,
  json: { type: 'boolean', default: false, does: 'print JSON' },
  channel: { type: 'string', takes: 'NAME', does: 'this channel and its threads, a private one too; by name or id' },
  thread: { type: 'string', takes: 'ID', does: 'this thread' },
  workspace: { type: 'string', takes: 'ID', does: 'this workspace or server' },
  since: { type: 'string', takes: 'TIME', does: 'nothing older: 7d, 12h' },
  to: { type: 'string', takes: 'DATABASE', does: 'a postgres:// URL, or a folder' },
  locale: { type: 'string', takes: 'CODE', does: 'the language of the bot and of its files (that of LANG)' },
  'no-install': { type: 'boolean', default: false, does: 'without npm install' },
  ...REPLAY_OPTIONS,
  version: { type: 'boolean', default: false, does: 'the version of kikimimi' },
} as const satisfies Record<string, Option>

export type OptionName = keyof typeof OPTIONS

export function isOption(name: string): name is OptionName {
  return Object.hasOwn(OPTIONS, name)
}
