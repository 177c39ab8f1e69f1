/** Plugins that `bot.config.ts` does not have, with options with which they have work to do. */
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Bot } from '../../core/bot/bot-type.ts'

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

export const OPTIONS = {
  knowledge: { sources: [{ folder: pathOf('docs/tutorials'), name: 'tutorials' }] },
  mcp: {
    servers: { bench: { command: process.execPath, args: [pathOf('plugins/mcp/testing/hostile.ts'), 'has five tools'] } },
  },
  words: { learn: true },
}

/** Waits in real time until the server of mcp is connected, if the bot has mcp. Words that the bot hears connect it. */
export async function untilConnected(bot: Bot): Promise<void> {
  const state = () =>
    bot
      .running()
      .find(({ plugin }) => plugin.name === 'mcp')
      ?.hooks.health?.().state
  while (state()?.startsWith('0 of 1')) await setTimeout(10)
}
