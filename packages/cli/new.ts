/** `kikimimi new bot NAME`, which is `npm create kikimimi NAME`; and `kikimimi new plugin NAME`. */

import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { newBot, newPlugin, Refusal } from 'create-kikimimi'
import { KikimimiError } from 'kikimimi'
import type { Values } from './args.ts'
import { outputOf } from './plugin-command.ts'

/** Throws NEW_REFUSED for what cannot be made. */
export async function runNew([what, name = '']: readonly string[], values: Values): Promise<void> {
  const { config, locale, 'no-install': bare } = values
  const install = !bare
  if (what !== 'bot' && what !== 'plugin')
    throw new KikimimiError('USAGE', `A new bot or a new plugin can be made, no "${what}".`)
  try {
    const bot = existsSync(config) ? dirname(config) : undefined
    const told = await (what === 'bot' ? newBot(name, { locale, install }) : newPlugin(name, { bot, install }))
    outputOf(false).print(told.trimEnd())
  } catch (error) {
    throw error instanceof Refusal ? new KikimimiError('NEW_REFUSED', error.message, { cause: error }) : error
  }
}
