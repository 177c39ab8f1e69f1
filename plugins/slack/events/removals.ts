/** Handles the removal of the app from a workspace. */
import type { App as BoltApp } from '@slack/bolt'
import type { Workspaces } from '../workspaces/workspaces.ts'

/** Slack sends both events when the app is removed, in no fixed order. */
export function listenToRemovals(bolt: BoltApp, workspaces: Pick<Workspaces, 'removed'>): void {
  async function removed(
    { isEnterpriseInstall, enterpriseId, teamId }: { isEnterpriseInstall: boolean; enterpriseId?: string; teamId?: string },
    { event_time: seconds }: { readonly event_time: number },
  ): Promise<void> {
    const id = isEnterpriseInstall ? enterpriseId : teamId
    // An event that comes late does not remove a later installation. Slack gives whole seconds.
    if (id !== undefined) await workspaces.removed(id, new Date(seconds * 1_000 + 999))
  }

  bolt.event('app_uninstalled', async ({ context, body }) => removed(context, body))
  bolt.event('tokens_revoked', async ({ event, context, body }) => {
    // Tokens of people are none of the bot's.
    if (event.tokens.bot?.length) await removed(context, body)
  })
}
