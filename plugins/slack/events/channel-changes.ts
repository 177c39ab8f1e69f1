/** Handles events about channels. */
import type { App as BoltApp } from '@slack/bolt'
import { workspaceOf } from '../connection/bolt-app.ts'
import type { Workspace } from '../workspaces/workspace.ts'

export function listenToChannels(bolt: BoltApp): void {
  const changed = ({ channels }: Workspace, channel: string) => channels.changed(channel)

  async function renamed({ channels, describe }: Workspace, { id, name }: { readonly id: string; readonly name: string }) {
    channels.renamed(id, name)
    await describe(id)
  }

  /** Other organizations read the channel now, or do not any more. */
  async function shared({ channels, describe }: Workspace, channel: string): Promise<void> {
    channels.changed(channel)
    await describe(channel)
  }

  bolt.event('channel_rename', async ({ event, context }) => renamed(workspaceOf(context), event.channel))
  bolt.event('group_rename', async ({ event, context }) => renamed(workspaceOf(context), event.channel))
  bolt.event('member_joined_channel', async ({ event, context }) => {
    const { account, channels, names, describe } = workspaceOf(context)
    if (event.user === account.user) return channels.changed(event.channel)
    await Promise.all([names.person(event.user), names.place(event.channel)])
    if (names.isOutsider(event.user) && names.outsidersIn(event.channel)) await describe(event.channel)
  })
  bolt.event('channel_shared', async ({ event, context }) => shared(workspaceOf(context), event.channel))
  bolt.event('channel_unshared', async ({ event, context }) => shared(workspaceOf(context), event.channel))
  bolt.event('channel_left', async ({ event, context }) => changed(workspaceOf(context), event.channel))
  bolt.event('group_left', async ({ event, context }) => changed(workspaceOf(context), event.channel))
  bolt.event('channel_archive', async ({ event, context }) => changed(workspaceOf(context), event.channel))
  bolt.event('group_archive', async ({ event, context }) => changed(workspaceOf(context), event.channel))
  bolt.event('channel_unarchive', async ({ event, context }) => changed(workspaceOf(context), event.channel))
  bolt.event('group_unarchive', async ({ event, context }) => changed(workspaceOf(context), event.channel))
  bolt.event('channel_deleted', async ({ event, context }) => changed(workspaceOf(context), event.channel))
  bolt.event('group_deleted', async ({ event, context }) => changed(workspaceOf(context), event.channel))
}
