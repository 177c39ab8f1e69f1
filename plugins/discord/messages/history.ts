/** Reads the history of a channel from Discord. */
import { type APIMessage, type Client, MessageFlags, type REST, Routes } from 'discord.js'
import type { Conversation, IncomingMessage, Person, Platform } from 'kikimimi'
import type { Calls } from '../rest/calls.ts'
import type { Closed } from '../rest/closed-channels.ts'
import { channelIn, namesIn } from './conversations.ts'
import { incoming } from './messages.ts'

export interface History {
  readonly read: NonNullable<Platform['history']>
  /** Id of the message that answered a slash command. */
  answerTo(conversation: Conversation, command: string, signal: AbortSignal): Promise<string | undefined>
}

export interface HistoryOptions {
  readonly call: Calls
  readonly rest: REST
  /** Channels that the bot cannot see. */
  readonly unseen: Closed
  me(): Person
  /** The client of a server, or of any server for direct messages. */
  clientOf(workspace: string): Client | undefined
}

interface Range {
  readonly after?: string | undefined
  readonly before?: string | undefined
  readonly limit: number
}

/** Messages per request. */
const PAGE = 100

export function createHistory({ call, rest, unseen, me, clientOf }: HistoryOptions): History {
  /** Newest first. */
  async function readPage(channel: string, { after, before, limit }: Range, signal: AbortSignal): Promise<readonly APIMessage[]> {
    unseen.check(channel)
    const query = new URLSearchParams({ limit: String(limit), ...(after && { after }), ...(before && { before }) })
    return unseen.watch(channel, () =>
      call(inTime => rest.get(Routes.channelMessages(channel), { query, signal: inTime }) as Promise<APIMessage[]>, signal),
    )
  }

  return {
    async read(conversation, { after, before, limit }, signal) {
      const { id: _, ...place } = conversation
      const names = namesIn(clientOf(conversation.workspace), me(), conversation.workspace || undefined)
      const found: IncomingMessage[] = []
      const range = { after, before }
      // Discord's pages also contain notices (joins, pins), which are skipped.
      while (found.length < limit) {
        const asked = Math.min(PAGE, limit - found.length)
        const page = await readPage(channelIn(conversation), { ...range, limit: asked }, signal)
        const read = page.toReversed().flatMap(message => incoming(message, place, names) ?? [])
        if (after === undefined) found.unshift(...read)
        else found.push(...read)
        if (page.length < asked) break
        if (after === undefined) range.before = page.at(-1)?.id
        else range.after = page[0]?.id
      }
      return found
    },

    async answerTo(conversation, command, signal) {
      const page = await readPage(channelIn(conversation), { after: command, limit: PAGE }, signal)
      // The oldest one: further parts have the same metadata.
      return page.findLast(one => one.interaction_metadata?.id === command && !((one.flags ?? 0) & MessageFlags.Loading))?.id
    },
  }
}
