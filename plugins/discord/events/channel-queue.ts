/** Events of one channel are handled in their order: a message is recorded before it is edited or deleted. */
import type { APIUser, Client } from 'discord.js'
import type { Logger } from 'kikimimi'
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
}

/** Runs after the earlier events of the same channel. Never rejects. */
export type Take = (told: Told, run: (place: Place) => Promise<void>) => Promise<void>

export interface ChannelQueueOptions {
  readonly call: Calls
  readonly log: Logger
  /** Aborted when the bot handles no further events. */
  stopping(): AbortSignal
}

export function createChannelQueue({ call, log, stopping }: ChannelQueueOptions) {
  /** The last event of each channel that has one in progress. */
  const taking = new Map<string, Promise<void>>()

  /** A first direct message since the start, or a channel that discord.js has not been told of. */
  async function lookUp(client: Client, { channel_id: id, guild_id, author }: Told): Promise<Place | undefined> {
    if (guild_id === undefined && author && author.id !== client.user?.id) return directPlace(id, personOf(author).name)
    try {
      await call(() => client.channels.fetch(id), stopping())
    } catch (error) {
      log.warn(`unknown channel: ${sentence(error)}`, { channel: id })
    }
    return placeOf(client, id)
  }

  return (client: Client, told: Told, run: (place: Place) => Promise<void>): Promise<void> => {
    const { id, channel_id: channel } = told
    const last = (async () => {
      await taking.get(channel)
      if (stopping().aborted) return
      try {
        const place = placeOf(client, channel) ?? told.place ?? (await lookUp(client, told))
        if (place) await run(place)
      } catch (error) {
        if (!stopping().aborted) log.error(`a message could not be taken in: ${sentence(error)}`, { channel, messageId: id })
      }
    })()
    taking.set(channel, last)
    return last.finally(() => {
      if (taking.get(channel) === last) taking.delete(channel)
    })
  }
}
