/** The bot of a bot.config.ts, for every command. */
import { KikimimiError } from 'kikimimi'
import { loadConfig } from 'kikimimi/host'
import { textOf } from './config-source/tell.ts'

export type ReadBot = Awaited<ReturnType<typeof loadConfig>>

/**
 * @param file path of bot.config.ts
 * @throws what `loadConfig` throws. If the file does not load, the message has the line of each fault.
 */
export async function readBot(file: string): Promise<ReadBot> {
  try {
    return await loadConfig(file)
  } catch (error) {
    const isBroken = error instanceof KikimimiError && error.code === 'CONFIG_BROKEN'
    const faults = isBroken ? await (await import('./config-source/broken.ts')).faultsIn(file, error.cause) : []
    if (!isBroken || faults.length === 0) throw error
    throw new KikimimiError(error.code, textOf(faults), { cause: error })
  }
}
