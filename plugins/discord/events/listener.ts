/** Passes events of Discord to the bot. */
import {
  type Client,
  GatewayDispatchEvents,
  type GatewayGuildMemberRemoveDispatchData,
  type GatewayGuildMemberUpdateDispatchData,
  type GatewayInteractionCreateDispatchData,
  type GatewayMessageCreateDispatchData,
  type GatewayMessageDeleteBulkDispatchData,
  type GatewayMessageDeleteDispatchData,
  MessageType,
} from 'discord.js'
import type { IncomingMessage, Person } from 'kikimimi'
import type { PlatformContext } from 'kikimimi/platform'
import type { Commands } from '../commands/commands.ts'
import { administers, placeOfInteraction } from '../commands/interactions.ts'
import { namesIn, type Place, placeOf } from '../messages/conversations.ts'
import { incoming, saidIn } from '../messages/messages.ts'
import { CONTENT, sentence } from '../rest/errors.ts'
import type { ChannelQueue, Take } from './channel-queue.ts'
import type { Members } from './members.ts'
import { listenToPlaces } from './places.ts'
import { listenToPolls } from './polls.ts'
import { listenToReactions } from './reactions.ts'

export interface ListenOptions {
  readonly ctx: Pick<
    PlatformContext,
    'bot' | 'describe' | 'edit' | 'handleStopCommand' | 'history' | 'log' | 'reaction' | 'receive' | 'remove'
  >
  readonly commands: Commands
  readonly queue: ChannelQueue
  me(): Person
  readonly members: Pick<Members, 'told' | 'left'>
  /** A message of a webhook of the bot, as one of its account. */
  own(message: GatewayMessageCreateDispatchData): GatewayMessageCreateDispatchData
  /** Permissions of the bot have changed. */
  permitted(): void
  /** Aborted when the bot receives no more events. */
  stopping(): AbortSignal
}

export function createListener({
  ctx,
  commands,
  queue,
  me,
  members,
  own,
  permitted,
  stopping,
}: ListenOptions): (client: Client) => void {
  const { log } = ctx
  let isWarned = false

  /** Discord delivers messages without their content when the intent was switched off after the login. */
  function warnOfBlank(message: GatewayMessageCreateDispatchData, client: Client): void {
    if (isWarned || message.guild_id === undefined || message.author.id === client.user?.id || !isBlank(message)) return
    isWarned = true
    log.warn(`a message has no content. ${CONTENT}`)
  }

  /** Whether it addresses the bot, or is the bot's own, without a look-up. */
  function addresses(data: GatewayMessageCreateDispatchData, early: IncomingMessage | undefined): boolean {
    const { id } = me()
    if (data.guild_id === undefined || data.author.id === id || data.referenced_message?.author.id === id) return true
    return [...data.mentions, ...(early?.mentions ?? [])].some(person => person.id === id)
  }

  async function hearCommand(client: Client, told: GatewayInteractionCreateDispatchData, take: Take): Promise<void> {
    if (stopping().aborted) return
    members.told(told.guild_id, told.member?.user.id, told.member)
    const place = placeOfInteraction(client, told)
    const names = namesIn(client, me(), told.guild_id, ctx.bot.locale)
    const where = place && { names, place, isAdmin: administers(client, told) }
    if (commands.complete(told, where, stopping()) || commands.press(told, where, stopping())) return
    const begun = where && (await commands.begin(told, where, stopping()))
    if (!begun) return
    const { interaction, kept, message } = begun
    const { channel, guild_id, member, user = member?.user } = interaction
    let isRecorded = false
    await take(
      {
        id: message.id,
        channel_id: channel.id,
        place: where.place,
        kind: 'call',
        ...(guild_id && { guild_id }),
        ...(user && { author: user }),
      },
      async (conversation, slot) => {
        await kept
        await ctx.receive({ ...message, conversation }, { slot })
        isRecorded = (await ctx.history(conversation)).some(({ id }) => id === message.id)
      },
    )
    if (!isRecorded) await commands.dismiss(message.id, stopping())
  }

  /**
   * Handles raw events, because discord.js keeps no messages in memory here, and without them it reports neither edits
   * nor deletions.
   */
  return client => {
    const { ws } = client
    const take: Take = (told, run) => queue(client, told, run)

    ws.on(GatewayDispatchEvents.MessageCreate, (told: GatewayMessageCreateDispatchData) => {
      const data = own(told)
      // The message that a thread hangs on was said before, in the channel above.
      if (data.type === MessageType.ThreadStarterMessage) return
      const messageIn = (place: Place) => {
        const message = incoming(data, place, namesIn(client, me(), data.guild_id, ctx.bot.locale))
        return message && { ...message, admin: administers(client, data) }
      }
      if (data.webhook_id === undefined) members.told(data.guild_id, data.author.id, data.member)
      warnOfBlank(data, client)
      const known = placeOf(client, data.channel_id)
      const early = known && messageIn(known)
      if (early) ctx.handleStopCommand(early)
      void take({ ...data, kind: addresses(data, early) ? 'call' : 'talk' }, async (place, slot) => {
        const message = messageIn(place)
        if (message) await ctx.receive(message, { slot })
      })
    })
    ws.on(GatewayDispatchEvents.MessageUpdate, (told: GatewayMessageCreateDispatchData) => {
      const data = own(told)
      // An edit by Discord, such as a link preview, has no author.
      if (data.webhook_id === undefined) members.told(data.guild_id, data.author?.id, data.member)
      // Discord also sends this event for link previews and ended polls. The bot knows its own messages.
      if (data.content === undefined || data.author.id === client.user?.id) return
      void take(data, place => ctx.edit(place, data.id, saidIn(data, namesIn(client, me(), data.guild_id, ctx.bot.locale))))
    })
    ws.on(GatewayDispatchEvents.MessageDelete, (data: GatewayMessageDeleteDispatchData) => {
      void take({ ...data, kind: 'call' }, place => ctx.remove(place, data.id))
    })
    ws.on(GatewayDispatchEvents.MessageDeleteBulk, ({ ids, ...rest }: GatewayMessageDeleteBulkDispatchData) => {
      for (const id of ids) void take({ ...rest, id, kind: 'call' }, place => ctx.remove(place, id))
    })
    ws.on(GatewayDispatchEvents.InteractionCreate, (data: GatewayInteractionCreateDispatchData) => {
      const failed = (error: unknown) => log.error(`a command could not be taken in: ${sentence(error)}`)
      void hearCommand(client, data, take).catch(failed)
    })
    listenToReactions(client, ctx, members, take)
    listenToPolls(client, ctx, take)
    listenToPlaces(client, ctx, take)
    for (const event of [GatewayDispatchEvents.ChannelUpdate, GatewayDispatchEvents.GuildRoleUpdate]) {
      ws.on(event, permitted)
    }
    // For other members, Discord sends this only with the Server Members Intent.
    ws.on(GatewayDispatchEvents.GuildMemberUpdate, ({ user, guild_id, ...member }: GatewayGuildMemberUpdateDispatchData) => {
      members.told(guild_id, user.id, member)
      if (user.id === client.user?.id) permitted()
    })
    ws.on(GatewayDispatchEvents.GuildMemberRemove, ({ user, guild_id }: GatewayGuildMemberRemoveDispatchData) => {
      members.left(guild_id, user.id)
    })
  }
}

/** Discord posts no empty message. */
function isBlank(message: GatewayMessageCreateDispatchData): boolean {
  const { type, content, attachments, embeds, sticker_items, components, poll, message_snapshots, activity } = message
  const shown = [content, attachments, embeds, sticker_items ?? [], components ?? [], message_snapshots ?? []]
  return type === MessageType.Default && !poll && !activity && shown.every(({ length }) => length === 0)
}
