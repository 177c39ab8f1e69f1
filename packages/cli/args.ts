/** What was typed, as far as it is known before bot.config.ts is loaded. */

import { parseArgs } from 'node:util'
import { KikimimiError } from 'kikimimi'
import { nearest } from './nearest.ts'
import { COMMON, OPTIONS } from './options.ts'

/** What the kernel takes out of what is typed for a plugin's command. */
const TAKEN = { ...COMMON, json: OPTIONS.json }

export type Values = ReturnType<typeof parse>['values']

/**
 * Throws USAGE for an option that the command has not, or whose value is missing.
 *
 * @param names the options of the command; without one, those of all
 */
export function parse(args: readonly string[], command?: string, names: readonly string[] = Object.keys(OPTIONS)) {
  for (const token of tokensOf(args)) {
    if (token.kind === 'option' && !names.includes(token.name)) throw noOption(token.rawName, names, command)
  }
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new KikimimiError('USAGE', `${error instanceof Error ? error.message : error}\nTry kikimimi --help.`)
  }
}

function tokensOf(args: readonly string[]) {
  return parseArgs({ args: [...args], options: OPTIONS, strict: false, allowPositionals: true, tokens: true }).tokens
}

function noOption(typed: string, names: readonly string[], command?: string): KikimimiError {
  const meant = nearest(typed.replace(/^-+/, ''), names)
  const head = command === undefined ? `There is no option ${typed}.` : `kikimimi ${command} has no option ${typed}.`
  const help = command === undefined ? '--help' : `help ${command}`
  return new KikimimiError('USAGE', `${head}${meant ? ` Did you mean --${meant}?` : ''} Try kikimimi ${help}.`)
}

/** The first word that is no option, nor the value of one. */
export function commandIn(args: readonly string[]): string | undefined {
  return tokensOf(args).find(token => token.kind === 'positional')?.value
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
  const { tokens, values } = parseArgs({ args: [...typed], options: TAKEN, strict: false, allowPositionals: true, tokens: true })
  const { config, json, help } = values
  if (typeof config !== 'string') throw new KikimimiError('USAGE', '--config needs a file: --config bot.config.ts')
  const taken = new Set<number>()
  const name = tokens.find(token => token.kind === 'positional' && token.value === command)
  if (name) taken.add(name.index)
  for (const token of tokens) {
    if (token.kind !== 'option' || !(token.name in TAKEN)) continue
    taken.add(token.index)
    if (token.value !== undefined && !token.inlineValue) taken.add(token.index + 1)
  }
  return { config, json: json === true, help: help === true, args: typed.filter((_, index) => !taken.has(index)) }
}
