import {
  type APIMessage,
  type Client,
  GatewayDispatchEvents,
  type GatewayMessageCreateDispatchData,
  type GatewayMessageDeleteBulkDispatchData,
  type GatewayMessageDeleteDispatchData,
  type RESTPostAPIChannelMessageJSONBody,
  Routes,
} from 'discord.js'
import type { App, Conversation, IncomingMessage, Platform } from 'kikimimi'
import { createCalls } from './calls.ts'
import { createClosed } from './closed.ts'
import { type ConnectionOptions, createConnection } from './connection.ts'
import { incoming, personOf, textOf } from './messages.ts'
import { directPlace, emojiOf, namesIn, type Place, placeOf } from './places.ts'
import { sentence } from './trouble.ts'
import { keepTyping } from './typing.ts'

export interface PlatformOptions extends Omit<ConnectionOptions, 'listen'> {}

/** The longest text of one message. */
const TEXT_LENGTH = 2_000
/** Messages that Discord tells at once. */
const PAGE = 100

export function createPlatform(app: App, options: PlatformOptions): Platform {
  const { clock, log } = app
  const call = createCalls(app)
  const closed = createClosed(clock)
  /** What is being taken in, in each channel where something is. */
  const taking = new Map<string, Promise<void>>()
  let stopping: AbortSignal = AbortSignal.abort()
  /** The one that is logging in, or has. */
  let latest: Client | undefined

  const connection = createConnection(app, { ...options, listen })

  function connected(): Client<true> {
    // Before `start` has resolved: what was missed is read as soon as the bot is logged in.
    if (latest?.isReady()) return latest
    throw new Error('not connected to Discord')
  }

  // -------------------------------------------------------------- what Discord tells

  /**
   * Goes by the events as they come, for discord.js keeps no message in memory here, and without one it would not tell of
   * edits and deletions.
   */
  function listen(opened: Client): void {
    const { ws } = opened
    latest = opened
    ws.on(GatewayDispatchEvents.MessageCreate, (data: GatewayMessageCreateDispatchData) =>
      take(opened, data, async place => {
        const message = incoming(data, place, namesIn(opened, data.guild_id))
        if (message) await app.receive(message)
      }),
    )
    ws.on(GatewayDispatchEvents.MessageUpdate, (data: GatewayMessageCreateDispatchData) => {
      // Discord also tells when it has looked up a link: nobody edited anything.
      if (!data.edited_timestamp) return
      take(opened, data, place => app.edit(place, data.id, textOf(data, namesIn(opened, data.guild_id))))
    })
    ws.on(GatewayDispatchEvents.MessageDelete, (data: GatewayMessageDeleteDispatchData) =>
      take(opened, data, place => app.remove(place, data.id)),
    )
    ws.on(GatewayDispatchEvents.MessageDeleteBulk, ({ ids, ...rest }: GatewayMessageDeleteBulkDispatchData) => {
      for (const id of ids) take(opened, { ...rest, id }, place => app.remove(place, id))
    })
    for (const event of [GatewayDispatchEvents.ChannelUpdate, GatewayDispatchEvents.GuildRoleUpdate]) {
      ws.on(event, () => closed.forget())
    }
  }

  /** One after the other in a channel, so that what was said first is recorded first, and deleted only after that. */
  function take(opened: Client, data: GatewayMessageDeleteDispatchData, run: (place: Place) => Promise<void>): void {
    const { id, channel_id: channel } = data
    const last = (async () => {
      await taking.get(channel)
      if (stopping.aborted) return
      try {
        const place = placeOf(opened, channel) ?? (await lookUp(opened, data))
        if (place) await run(place)
      } catch (error) {
        if (!stopping.aborted) log.error(`a message could not be taken in: ${sentence(error)}`, { channel, message: id })
      }
    })()
    taking.set(channel, last)
    void last.finally(() => {
      if (taking.get(channel) === last) taking.delete(channel)
    })
  }

  /** A direct message that is the first since the start, or a channel of which the bot has not been told. */
  async function lookUp(
    opened: Client,
    { channel_id: id, guild_id, author }: { channel_id: string; guild_id?: string; author?: APIMessage['author'] },
  ): Promise<Place | undefined> {
    if (guild_id === undefined && author && author.id !== opened.user?.id) return directPlace(id, personOf(author).name)
    try {
      await call(() => opened.channels.fetch(id), stopping)
    } catch (error) {
      log.warn(`unknown channel: ${sentence(error)}`, { channel: id })
    }
    return placeOf(opened, id)
  }

  // -------------------------------------------------------------- what the bot does

  async function post(conversation: Conversation, body: RESTPostAPIChannelMessageJSONBody, signal: AbortSignal): Promise<string> {
    const channel = channelIn(conversation)
    const { rest } = connected()
    const sent = await closed.watch(channel, () =>
      call(inTime => rest.post(Routes.channelMessages(channel), { body, signal: inTime }) as Promise<APIMessage>, signal),
    )
    return sent.id
  }

  /** Newest first. */
  async function historyPage(
    channel: string,
    { after, before, limit }: { after?: string | undefined; before?: string | undefined; limit: number },
    signal: AbortSignal,
  ): Promise<readonly APIMessage[]> {
    closed.check(channel)
    const { rest } = connected()
    const query = new URLSearchParams({ limit: String(limit), ...(after && { after }), ...(before && { before }) })
    return closed.watch(channel, () =>
      call(inTime => rest.get(Routes.channelMessages(channel), { query, signal: inTime }) as Promise<APIMessage[]>, signal),
    )
  }

  return {
    name: 'discord',
    limits: { textLength: TEXT_LENGTH },
    idempotent: true,

    get me() {
      const account = latest?.user
      // Before the login the account is not known yet, only what the bot is called.
      return { id: account?.id ?? '', name: account?.displayName ?? app.persona.name }
    },

    async start(signal) {
      stopping = signal
      await connection.open(signal)
    },

    unready: connection.unready,

    async send(conversation, { text, replyTo, nonce }, signal) {
      const body: RESTPostAPIChannelMessageJSONBody = {
        content: text,
        // The same nonce again is the same message: an attempt that seemed to fail posts nothing twice.
        nonce,
        enforce_nonce: true,
        allowed_mentions: { parse: [], replied_user: false },
        // Whoever deleted the question still gets the answer, without the quote.
        ...(replyTo !== undefined && { message_reference: { message_id: replyTo, fail_if_not_exists: false } }),
      }
      return { id: await post(conversation, body, signal) }
    },

    async react(conversation, message, emoji, signal) {
      const channel = channelIn(conversation)
      const { rest } = connected()
      const route = Routes.channelMessageOwnReaction(channel, message, emojiOf(connected(), conversation.workspace, emoji))
      await closed.watch(channel, () => call(inTime => rest.put(route, { signal: inTime }), signal))
    },

    typing(conversation, signal) {
      const channel = channelIn(conversation)
      const { rest } = connected()
      const show = async () => {
        if (!closed.has(channel)) await rest.post(Routes.channelTyping(channel), { signal })
      }
      return keepTyping(clock, show, signal)
    },

    async history(conversation, { after, before, limit }, signal) {
      const { id: _, ...place } = conversation
      const names = namesIn(connected(), conversation.workspace || undefined)
      const found: IncomingMessage[] = []
      const range = { after, before }
      // Notices (who joined, what was pinned) count in Discord's pages, and not in ours.
      while (found.length < limit) {
        const asked = Math.min(PAGE, limit - found.length)
        const page = await historyPage(channelIn(conversation), { ...range, limit: asked }, signal)
        const read = page.toReversed().flatMap(message => incoming(message, place, names) ?? [])
        if (after === undefined) found.unshift(...read)
        else found.push(...read)
        if (page.length < asked) break
        if (after === undefined) range.before = page.at(-1)?.id
        else range.after = page[0]?.id
      }
      return found
    },
  }
}

/** Where to post: a thread is a channel of its own in Discord. */
function channelIn({ channel, thread }: Conversation): string {
  return thread ?? channel
}
