/** What was typed, as far as it is known before bot.config.ts is loaded. */
import { parseArgs } from 'node:util'
import { KikimimiError } from '../errors.ts'
import { REPLAY_OPTIONS } from '../replay/command.ts'

export const OPTIONS = {
  config: { type: 'string', default: 'bot.config.ts' },
  channel: { type: 'string' },
  thread: { type: 'string' },
  workspace: { type: 'string' },
  since: { type: 'string' },
  to: { type: 'string' },
  ...REPLAY_OPTIONS,
  stack: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
} as const

/** The options of every command, of a plugin's too. */
const COMMON = {
  config: { type: 'string' },
  json: { type: 'boolean' },
  stack: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

export type Values = ReturnType<typeof parse>['values']

export function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new KikimimiError('USAGE', `${error instanceof Error ? error.message : error}\nTry kikimimi --help.`)
  }
}

/** The first word that is no option, nor the value of one. */
export function commandIn(args: readonly string[]): string | undefined {
  const { tokens } = parseArgs({ args: [...args], options: OPTIONS, strict: false, allowPositionals: true, tokens: true })
  return tokens.find(token => token.kind === 'positional')?.value
}

export interface PluginArgs {
  readonly config: string
  readonly json: boolean
  readonly help: boolean
  /** What is the command's own, untouched. */
  readonly args: readonly string[]
}

/** Takes what is the kernel's out of what was typed for a plugin's command. */
export function splitArgs(typed: readonly string[], command: string): PluginArgs {
  const { tokens, values } = parseArgs({ args: [...typed], options: COMMON, strict: false, allowPositionals: true, tokens: true })
  const { config = OPTIONS.config.default, json, help } = values
  if (typeof config !== 'string') throw new KikimimiError('USAGE', '--config needs a file: --config bot.config.ts')
  const taken = new Set<number>()
  const name = tokens.find(token => token.kind === 'positional' && token.value === command)
  if (name) taken.add(name.index)
  for (const token of tokens) {
    if (token.kind !== 'option' || !(token.name in COMMON)) continue
    taken.add(token.index)
    if (token.value !== undefined && !token.inlineValue) taken.add(token.index + 1)
  }
  return { config, json: json === true, help: help === true, args: typed.filter((_, index) => !taken.has(index)) }
}
