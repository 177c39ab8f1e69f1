/** `kikimimi invite`: how each plugin's bot is brought to where people talk. Nothing is started for it. */
import { type BotConfig, KikimimiError } from 'kikimimi'
import { loadPlugins, reason } from 'kikimimi/host'

export interface Invitation {
  readonly plugin: string
  /** A sentence with a link. */
  readonly text?: string
  /** Why there is none, and what to do. */
  readonly problem?: string
}

/** Throws INVITE_NOWHERE, or what {@link loadPlugins} throws. One plugin that fails hides no other. */
export async function invitations({ plugins }: BotConfig): Promise<readonly Invitation[]> {
  const loaded = await loadPlugins(plugins)
  const inviting = loaded.filter(({ definition }) => definition.invite)
  if (inviting.length === 0) {
    throw new KikimimiError(
      'INVITE_NOWHERE',
      'No plugin in bot.config.ts can be invited anywhere. Add discord() or slack() with their tokens: docs/discord.md and docs/slack.md show how.',
    )
  }
  return Promise.all(
    inviting.map(async ({ name, definition, options }): Promise<Invitation> => {
      try {
        return { plugin: name, text: (await definition.invite?.(options)) ?? '' }
      } catch (error) {
        return { plugin: name, problem: error instanceof KikimimiError ? error.message : `[${name}] ${reason(error)}` }
      }
    }),
  )
}
