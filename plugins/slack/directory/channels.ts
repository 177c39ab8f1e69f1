/** The channels of the bot. The list is cached while Slack reports every change. */
import type { Clock } from 'kikimimi'
import type { Platform } from 'kikimimi/platform'
import type { Account } from '../web-api/account.ts'
import type { Calls } from '../web-api/calls.ts'
import { channelTypes } from '../web-api/scopes.ts'
import type { Names, Place } from './names.ts'

export interface Channels {
  readonly list: Platform['channels'] & {}
  /** Drops the cached data of one channel. */
  changed(channel: string): void
  renamed(channel: string, name: string): void
  /** Drops the cache, because changes are not reported for a while. */
  forget(): void
}

export interface ChannelsOptions {
  readonly clock: Clock
  readonly calls: Calls
  readonly names: Names
  readonly account: Account
}

/** Slack advises at most 200 per request. */
const PAGE = 200
/** Limits the number of channels. */
const PAGES = 10
const HOUR = 60 * 60_000

type Found = ReadonlyMap<string, Place>

export function createChannels({ clock, calls, names, account }: ChannelsOptions): Channels {
  let known: { readonly found: Promise<Found>; readonly until: number } | undefined

  async function ask(signal: AbortSignal): Promise<Found> {
    const found = new Map<string, Place>()
    const asked = { types: channelTypes(account.scopes), exclude_archived: true, limit: PAGE }
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

  return {
    async list(signal) {
      const now = clock.now()
      if (!known || known.until <= now) known = { found: ask(signal), until: now + HOUR }
      const asked = known
      try {
        const { team: workspace } = account
        return Array.from(await asked.found, ([channel, { name, visibility, outsiders }]) => ({
          ...{ platform: 'slack', workspace, channel },
          ...{ name, visibility, ...(outsiders && { readers: { outsiders } }) },
        }))
      } catch (error) {
        if (known === asked) known = undefined
        throw error
      }
    },

    changed(channel) {
      known = undefined
      names.channelForgotten(channel)
    },

    renamed(id, name) {
      known = undefined
      names.channelChanged(id, { name })
    },

    forget() {
      known = undefined
    },
  }
}
