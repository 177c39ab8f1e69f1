/** The bot of a bot.config.ts, for every command. */
import { Names, withoutNames } from '@kikimimi/addressing/names'
import { withoutVectors } from '@kikimimi/offline'
import { type BotConfig, KikimimiError } from 'kikimimi'
import { flattenPlugins, loadConfig } from 'kikimimi/host'
import { createProgram } from './program.ts'

export type ReadBot = Awaited<ReturnType<typeof loadConfig>>

/**
 * @param file path of bot.config.ts
 * @throws what `loadConfig` and {@link checkCommandNames} throw
 */
export async function readBot(file: string): Promise<ReadBot> {
  const read = await loadConfig(file)
  checkCommandNames(read.config)
  return read
}

/** @throws COMMAND_DUPLICATE if a plugin adds a command that kikimimi has itself */
export function checkCommandNames({ plugins }: BotConfig): void {
  const own = ['help', ...createProgram().commands.map(command => command.name())]
  for (const { definition } of flattenPlugins(plugins)) {
    const taken = definition.cli?.find(({ name }) => own.includes(name))
    if (!taken) continue
    throw new KikimimiError(
      'COMMAND_DUPLICATE',
      `[${definition.name}] has a command "${taken.name}", and so has kikimimi itself. Give it another name.`,
    )
  }
}

/** What to tell an operator whose bot has a memory and no model for vectors. Otherwise nothing. */
export function vectorsMissing({ models, plugins, locale = 'en' }: BotConfig): string | undefined {
  const remembers = flattenPlugins(plugins).some(({ definition }) => definition.remembers)
  return remembers && !models?.embeddings ? withoutVectors(locale) : undefined
}

/** What to tell an operator whose bot does not recognize its name. Otherwise nothing. */
export function namesMissing({ plugins, locale = 'en' }: BotConfig): string | undefined {
  const recognizes = flattenPlugins(plugins).some(({ definition }) =>
    definition.provides?.some(({ name }) => name === Names.name),
  )
  return recognizes ? undefined : withoutNames(locale)
}
