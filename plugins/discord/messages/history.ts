/** Reads messages of a channel from Discord. */
import {
  type APIMessage,
  type Client,
  MessageFlags,
  PermissionFlagsBits,
  type REST,
  type RESTGetAPIChannelMessagesPinsResult,
  Routes,
  SnowflakeUtil,
} from 'discord.js'
import { type Conversation, type IncomingMessage, KikimimiError } from 'kikimimi'
import type { Platform } from 'kikimimi/platform'
import { type Calls, LONGEST_WAIT } from '../rest/calls.ts'
import type { Closed } from '../rest/closed-channels.ts'
import { isUnknownMessage, isUnseen } from '../rest/errors.ts'
import { channelIn, channelOfMessage } from './conversations.ts'
import { incoming } from './messages.ts'
import { type Names, written } from './text.ts'
import { answersTo } from './webhook-messages.ts'

export interface History {
  readonly read: NonNullable<Platform['history']>
  readonly one: NonNullable<Platform['message']>
  readonly pins: NonNullable<Platform['pins']>
  /** See {@link Platform.find}. Discord shows no nonce of a message, so the text and the quoted message must match. */
  readonly find: NonNullable<Platform['find']>
  /** Id of the message that answered a slash command. */
  answerTo(conversation: Conversation, command: string, signal: AbortSignal): Promise<string | undefined>
}

export interface HistoryOptions {
  readonly call: Calls
  readonly rest: REST
  /** Channels that the bot cannot see. */
  readonly unseen: Closed
  /** Whether long answers are posted in threads on their questions. */
  readonly threads: boolean
  /** A message of a webhook of the bot, as one of its account. */
  own(message: APIMessage): APIMessage
  /** Whether a message of the bot was posted for another nonce. */
  isOfOther(message: string, nonce: string): boolean
  /** Names of ids in a server. */
  names(workspace: string): Names
  /** The client of a server, or of any server for direct messages. */
  clientOf(workspace: string): Client | undefined
}

interface Range {
  readonly after?: string | undefined
  readonly before?: string | undefined
  readonly limit: number
}

/** Maximum difference between Discord's clock and ours, in milliseconds. */
const SKEW_MS = 10_000

/** Messages per request. */
const PAGE = 100
/** Pinned messages per request, and requests. A channel has at most 250. */
const PINS = 50
const PIN_PAGES = 10
const READ = 'the bot may not read earlier messages: give its role Read Message History in this channel'

export function createHistory({ call, rest, unseen, names, clientOf, threads, own, isOfOther }: HistoryOptions): History {
  /** Throws if the bot may not read what was said in a channel. Discord then returns an empty page. */
  function check(workspace: string, id: string): void {
    unseen.check(id)
    const channel = clientOf(workspace)?.channels.cache.get(id)
    if (!channel || channel.isDMBased()) return
    const { me } = channel.guild.members
    const permissions = me && channel.permissionsFor(me)
    if (permissions?.has(PermissionFlagsBits.ReadMessageHistory) ?? true) return
    throw new KikimimiError('PLATFORM_REFUSED', READ)
  }

  /** Newest first. A rate limit is waited for where a page is part of many. */
  async function readPage(channel: string, { after, before, limit }: Range, signal: AbortSignal): Promise<readonly APIMessage[]> {
    const query = new URLSearchParams({ limit: String(limit), ...(after && { after }), ...(before && { before }) })
    const page = await unseen.watch(channel, () =>
      call(inTime => rest.get(Routes.channelMessages(channel), { query, signal: inTime }) as Promise<APIMessage[]>, signal, {
        longestWait: before === undefined ? LONGEST_WAIT : 0,
      }),
    )
    return page.map(own)
  }

  return {
    async read(conversation, { after, before, limit }, signal) {
      const { id: _, ...place } = conversation
      const known = names(conversation.workspace)
      check(conversation.workspace, channelIn(conversation))
      const found: IncomingMessage[] = []
      const range = { after, before }
      // Discord's pages also contain notices (joins, pins), which are skipped.
      while (found.length < limit) {
        const asked = Math.min(PAGE, limit - found.length)
        const page = await readPage(channelIn(conversation), { ...range, limit: asked }, signal)
        const read = page.toReversed().flatMap(message => incoming(message, place, known) ?? [])
        if (after === undefined) found.unshift(...read)
        else found.push(...read)
        if (page.length < asked) break
        if (after === undefined) range.before = page.at(-1)?.id
        else range.after = page[0]?.id
      }
      return found
    },

    async one(conversation, id, signal) {
      const { id: _, thread, ...above } = conversation
      const { workspace } = conversation
      const channel = channelOfMessage(clientOf(workspace), conversation, id)
      check(workspace, channel)
      const { details: __, ...bare } = above
      const place = channel === thread ? { ...above, thread } : thread === undefined ? above : bare
      try {
        const message = await unseen.watch(channel, () =>
          call(inTime => rest.get(Routes.channelMessage(channel, id), { signal: inTime }) as Promise<APIMessage>, signal, {
            longestWait: 0,
          }),
        )
        return incoming(own(message), place, names(workspace))
      } catch (error) {
        if (isUnknownMessage(error)) return undefined
        throw error
      }
    },

    async pins(conversation, signal) {
      const { id: _, ...place } = conversation
      const channel = channelIn(conversation)
      check(conversation.workspace, channel)
      const found: IncomingMessage[] = []
      let before: string | undefined
      for (let page = 0; page < PIN_PAGES; page++) {
        const query = new URLSearchParams({ limit: String(PINS), ...(before !== undefined && { before }) })
        const { items, has_more } = await unseen.watch(channel, () =>
          call(
            inTime =>
              rest.get(Routes.channelMessagesPins(channel), {
                query,
                signal: inTime,
              }) as Promise<RESTGetAPIChannelMessagesPinsResult>,
            signal,
            { longestWait: LONGEST_WAIT },
          ),
        )
        found.push(...items.flatMap(({ message }) => incoming(own(message), place, names(conversation.workspace)) ?? []))
        before = items.at(-1)?.pinned_at
        if (!has_more || before === undefined) break
      }
      return found
    },

    async find(conversation, { text, nonce, replyTo, answers, notify, since }, signal) {
      const { workspace, thread } = conversation
      check(workspace, channelIn(conversation))
      const me = clientOf(workspace)?.user?.id
      const range = { after: String(SnowflakeUtil.generate({ timestamp: since.getTime() - SKEW_MS })), limit: PAGE }
      const findIn = async (channel: string, quoted: string | undefined) => {
        const page = await readPage(channel, range, signal)
        const isMeant = (one: APIMessage) =>
          one.author.id === me && one.content === written(text, notify) && answersTo(one, quoted)
        return page.find(one => isMeant(one) && !isOfOther(one.id, nonce))
      }
      const here = await findIn(channelIn(conversation), replyTo)
      if (here) return { id: here.id }
      if (!threads || answers === undefined || thread !== undefined) return undefined
      try {
        const there = await findIn(answers, undefined)
        return there && { id: there.id, thread: answers }
      } catch (error) {
        // The question has no thread.
        if (isUnseen(error)) return undefined
        throw error
      }
    },

    async answerTo(conversation, command, signal) {
      check(conversation.workspace, channelIn(conversation))
      const page = await readPage(channelIn(conversation), { after: command, limit: PAGE }, signal)
      // The oldest one: further parts have the same metadata.
      return page.findLast(one => one.interaction_metadata?.id === command && !((one.flags ?? 0) & MessageFlags.Loading))?.id
    },
  }
}
