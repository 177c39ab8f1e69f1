/** The channels of the bot. The list is cached while Slack reports every change. */
import type { App as BoltApp } from '@slack/bolt'
import type { Platform, PlatformContext } from 'kikimimi'
import type { Self } from '../web-api/account.ts'
import type { Calls } from '../web-api/calls.ts'
import { channelTypes } from '../web-api/scopes.ts'
import type { Names, Place } from './names.ts'

export interface Channels {
  readonly list: Platform['channels'] & {}
  /** Drops the cached data of one channel. */
  changed(channel: string): void
  /** Drops the cache, because changes are not reported for a while. */
  forget(): void
}

export interface ChannelsOptions {
  readonly ctx: Pick<PlatformContext, 'clock'>
  readonly calls: Calls
  readonly names: Names
  readonly self: () => Self & { readonly scopes?: readonly string[] }
  /** Tells the bot what a channel is called now. */
  readonly describe: (channel: string) => Promise<void>
}

/** Slack advises at most 200 per request. */
const PAGE = 200
/** Limits the number of channels. */
const PAGES = 10
const HOUR = 60 * 60_000

type Found = ReadonlyMap<string, Place>

export function createChannels(bolt: BoltApp, { ctx: { clock }, calls, names, self, describe }: ChannelsOptions): Channels {
  let known: { readonly found: Promise<Found>; readonly until: number } | undefined

  async function ask(signal: AbortSignal): Promise<Found> {
    const found = new Map<string, Place>()
    const asked = { types: channelTypes(self().scopes), exclude_archived: true, limit: PAGE }
    let cursor: string | undefined
    for (let page = 0; page < PAGES && cursor !== ''; page++) {
      const { channels = [], response_metadata } = await calls.call(
        'users.conversations',
        client => client.users.conversations({ ...asked, ...(cursor !== undefined && { cursor }) }),
        { signal },
      )
      for (const channel of channels) if (channel.id !== undefined) found.set(channel.id, names.placeTold(channel.id, channel))
      cursor = response_metadata?.next_cursor ?? ''
    }
    return found
  }

  async function renamed({ id, name }: { readonly id: string; readonly name: string }): Promise<void> {
    known = undefined
    names.channelChanged(id, { name })
    await describe(id)
  }

  function changed(channel: string): void {
    known = undefined
    names.channelForgotten(channel)
  }

  /** Other organizations read the channel now, or do not any more. */
  async function shared(channel: string): Promise<void> {
    changed(channel)
    await describe(channel)
  }

  bolt.event('channel_rename', async ({ event }) => renamed(event.channel))
  bolt.event('group_rename', async ({ event }) => renamed(event.channel))
  bolt.event('member_joined_channel', async ({ event }) => {
    if (event.user === self().me.id) return changed(event.channel)
    await Promise.all([names.person(event.user), names.place(event.channel)])
    if (names.isOutsider(event.user) && names.outsidersIn(event.channel)) await describe(event.channel)
  })
  bolt.event('channel_shared', async ({ event }) => shared(event.channel))
  bolt.event('channel_unshared', async ({ event }) => shared(event.channel))
  bolt.event('channel_left', async ({ event }) => changed(event.channel))
  bolt.event('group_left', async ({ event }) => changed(event.channel))
  bolt.event('channel_archive', async ({ event }) => changed(event.channel))
  bolt.event('group_archive', async ({ event }) => changed(event.channel))
  bolt.event('channel_unarchive', async ({ event }) => changed(event.channel))
  bolt.event('group_unarchive', async ({ event }) => changed(event.channel))
  bolt.event('channel_deleted', async ({ event }) => changed(event.channel))
  bolt.event('group_deleted', async ({ event }) => changed(event.channel))

  return {
    async list(signal) {
      const now = clock.now()
      if (!known || known.until <= now) known = { found: ask(signal), until: now + HOUR }
      const asked = known
      try {
        const { team: workspace } = self()
        return Array.from(await asked.found, ([channel, { name, visibility, outsiders }]) => ({
          ...{ platform: 'slack', workspace, channel },
          ...{ name, visibility, ...(outsiders && { readers: { outsiders } }) },
        }))
      } catch (error) {
        if (known === asked) known = undefined
        throw error
      }
    },

    changed,

    forget() {
      known = undefined
    },
  }
}
