/** `kikimimi new bot NAME`, the same as `npm create kikimimi NAME -- --yes`; and `kikimimi new plugin NAME`. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { newBot, newPlugin, Refusal } from 'create-kikimimi'
import { KikimimiError } from 'kikimimi'
import type { CommonOptions } from '../program.ts'

interface NewOptions extends CommonOptions {
  readonly locale?: string | undefined
  readonly install: boolean
}

/** @throws NEW_REFUSED if it cannot be created, USAGE for a kind that is neither bot nor plugin */
export async function runNew([kind, name = '']: readonly string[], { config, locale, install }: NewOptions): Promise<void> {
  if (kind !== 'bot' && kind !== 'plugin') {
    throw new KikimimiError('USAGE', `kikimimi new creates a bot or a plugin, not "${kind}".`)
  }
  try {
    const bot = existsSync(config) ? dirname(config) : undefined
    const told = await (kind === 'bot' ? newBot(name, { locale, install }) : newPlugin(name, { bot, install }))
    process.stdout.write(`${told.trimEnd()}\n`)
  } catch (error) {
    throw error instanceof Refusal ? new KikimimiError('NEW_REFUSED', error.message, { cause: error }) : error
  }
}
