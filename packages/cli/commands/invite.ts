/** `kikimimi invite`: links that invite the bot of each platform plugin. No plugin is started. */
import { type BotConfig, KikimimiError } from 'kikimimi'
import { configuredFor, loadPlugins, reason } from 'kikimimi/host'
import type { CommonOptions } from '../program.ts'
import { readBot } from '../read-bot.ts'

/** Prints the links. The exit code is 1 if a plugin fails. @throws what {@link invitations} throws */
export async function runInvite({ config: file }: CommonOptions): Promise<void> {
  const { config } = await readBot(file)
  for (const { text, problem } of await invitations(config)) {
    if (text !== undefined) process.stdout.write(`${text}\n`)
    if (problem === undefined) continue
    process.stderr.write(`${problem}\n`)
    process.exitCode = 1
  }
}

export interface Invitation {
  readonly plugin: string
  /** A sentence with a link. */
  readonly text?: string
  /** Why there is no link, and what to do. */
  readonly problem?: string
}

/** A plugin that fails does not hide the others. @throws INVITE_NOWHERE if no plugin has an invitation, and what {@link loadPlugins} throws */
export async function invitations({ plugins, models, persona }: BotConfig): Promise<readonly Invitation[]> {
  const loaded = await loadPlugins(plugins)
  const inviting = loaded.filter(({ definition }) => definition.invite)
  if (inviting.length === 0) {
    throw new KikimimiError(
      'INVITE_NOWHERE',
      'No plugin of this bot has an invitation. Set DISCORD_TOKEN or SLACK_BOT_TOKEN in .env, as docs/discord.md and docs/slack.md describe. bot.config.ts needs discord() or slack().',
    )
  }
  return Promise.all(
    inviting.map(async ({ name, definition, options }): Promise<Invitation> => {
      try {
        return {
          plugin: name,
          text: (await definition.invite?.(options, configuredFor(name, { plugins: loaded, models, persona }))) ?? '',
        }
      } catch (error) {
        return { plugin: name, problem: error instanceof KikimimiError ? error.message : `[${name}] ${reason(error)}` }
      }
    }),
  )
}
