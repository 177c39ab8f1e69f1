/** Events of one channel are handled in their order: a message is recorded before it is edited or deleted. */
import { type APIUser, type Client, SnowflakeUtil } from 'discord.js'
import type { Logger } from 'kikimimi'
import type { ArrivalKind, PlatformContext, Slot } from 'kikimimi/platform'
import { directPlace, type Place, placeOf } from '../messages/conversations.ts'
import { personOf } from '../messages/messages.ts'
import type { Calls } from '../rest/calls.ts'
import { sentence } from '../rest/errors.ts'

/** An event about a message. `id` is the id of the message. */
export interface Told {
  readonly id: string
  readonly channel_id: string
  readonly guild_id?: string
  readonly author?: APIUser
  /** The place of a command, where the bot may be no member. */
  readonly place?: Place
  /** How urgent it is. Default: `change` */
  readonly kind?: ArrivalKind
  readonly content?: string
}

/** Runs after the earlier events of the same channel, or not at all when the bot cannot keep up. Never rejects. */
export type Take = (told: Told, run: (place: Place, slot: Slot) => Promise<void>) => Promise<void>

/** {@link Take} for the events of any client. */
export type ChannelQueue = (client: Client, told: Told, run: (place: Place, slot: Slot) => Promise<void>) => Promise<void>

export interface ChannelQueueOptions {
  readonly ctx: Pick<PlatformContext, 'admit'>
  readonly call: Calls
  readonly log: Logger
  /** Aborted when the bot handles no further events. */
  stopping(): AbortSignal
}

export function createChannelQueue({ ctx, call, log, stopping }: ChannelQueueOptions): ChannelQueue {
  /** The last event of each channel that has one in progress. */
  const taking = new Map<string, Promise<void>>()

  /** A first direct message since the start, or a channel that discord.js has not been told of. */
  async function lookUp(client: Client, { channel_id: id }: Told): Promise<Place | undefined> {
    try {
      await call(() => client.channels.fetch(id), stopping())
    } catch (error) {
      log.warn(`unknown channel: ${sentence(error)}`, { channel: id })
    }
    return placeOf(client, id)
  }

  /** Without a request. */
  function knownPlace(client: Client, { channel_id: id, guild_id, author, place }: Told): Place | undefined {
    const isDirect = guild_id === undefined && author && author.id !== client.user?.id
    return placeOf(client, id) ?? place ?? (isDirect ? directPlace(id, personOf(author).name) : undefined)
  }

  /** Before it waits for the channel, so that a flood does not fill the memory. */
  function admit(client: Client, told: Told): Slot | undefined {
    if (stopping().aborted) return undefined
    const { id, channel_id: channel, guild_id: workspace = '', kind = 'change', content: text } = told
    const unknown: Place = { platform: 'discord', workspace, channel, name: channel, visibility: 'private' }
    const at = new Date(SnowflakeUtil.timestampFrom(id))
    return ctx.admit({ id, at, kind, conversation: knownPlace(client, told) ?? unknown, ...(text !== undefined && { text }) })
  }

  return (client, told, run) => {
    const { id, channel_id: channel } = told
    const slot = admit(client, told)
    if (!slot) return Promise.resolve()
    const last = (async () => {
      await taking.get(channel)
      if (stopping().aborted) return
      try {
        const place = knownPlace(client, told) ?? (await lookUp(client, told))
        if (place) await run(place, slot)
      } catch (error) {
        if (!stopping().aborted) log.error(`a message could not be taken in: ${sentence(error)}`, { channel, messageId: id })
      }
    })()
    taking.set(channel, last)
    return last.finally(() => {
      slot[Symbol.dispose]()
      if (taking.get(channel) === last) taking.delete(channel)
    })
  }
}
