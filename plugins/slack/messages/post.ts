/** Posts messages of the bot, each once. */
import type { webApi } from '@slack/bolt'
import type { Clock, Conversation } from 'kikimimi'
import { isThere, type Outgoing, type Platform, type Posted, withMentions } from 'kikimimi/platform'
import { type Self, userOf } from '../web-api/account.ts'
import { type Calls, refusalOf } from '../web-api/calls.ts'
import { blocksOf } from './buttons.ts'
import { isTimestamp, type Told } from './incoming.ts'
import { toMrkdwn } from './mrkdwn.ts'

/**
 * How to answer at the address of a slash command. Undefined if the message neither answers a command nor continues
 * such an answer.
 */
export type AnswerCommand = (
  conversation: Conversation,
  message: Outgoing,
) => Promise<((markup: string, signal: AbortSignal) => Promise<void>) | undefined>

export interface PostOptions {
  readonly calls: Calls
  readonly clock: Clock
  /** Answers to slash commands in channels without the bot. */
  readonly commands: { readonly answer: AnswerCommand }
  readonly self: () => Self
}

/** Maximum difference between Slack's clock and ours. */
const SKEW_MS = 60_000
/** More than the number of messages within {@link SKEW_MS}. */
const POSTED = 200

/** Characters of a name. Slack cuts a longer one. */
const NAME = 80

/** Messages per request, and maximum number of requests of a search: a thread is listed from its beginning. */
const PAGE = 200
const PAGES = 5

/** The message is not there any more. */
const isGone = (error: unknown) => ['message_not_found', 'channel_not_found'].includes(refusalOf(error) ?? '')

/** The bot is not in the channel. Slack hides a private channel from non-members. */
const OUTSIDE: ReadonlySet<string | undefined> = new Set(['not_in_channel', 'channel_not_found'])

/** Rate limits that a post waits for itself, in milliseconds. The bot waits for longer ones. */
const WAIT_MS = 5_000

type Post = Required<Pick<Platform, 'send' | 'find' | 'edit' | 'delete'>>

export function createPost({ calls, clock, commands, self }: PostOptions): Post {
  /** Ids of the last messages whose posts had a response. */
  const posted = new Set<string>()

  function posting(
    { channel, thread }: Conversation,
    { text, replyTo, nonce, notify, handles, as }: Pick<Outgoing, 'text' | 'replyTo' | 'nonce' | 'notify' | 'handles' | 'as'>,
  ) {
    const quoted = isTimestamp(replyTo) ? replyTo : undefined
    const under = thread ?? quoted
    const body = {
      channel,
      text: written(text, notify),
      mrkdwn: true,
      ...(handles && { blocks: blocksOf(toMrkdwn(text), handles) }),
      metadata: { event_type: NONCE, event_payload: { nonce } },
      ...(under !== undefined && { thread_ts: under }),
      // Slack ignores both without the scope chat:write.customize.
      ...(as && { username: as.name.slice(0, NAME), ...(as.picture !== undefined && { icon_url: as.picture }) }),
    }
    return {
      body,
      /** The quoted message becomes the first one of a thread with the answer. */
      toPosted: (id: string): Posted => ({ id, ...(under !== undefined && under !== thread && { thread: under }) }),

      /** Looks for the message that an attempt without a response may have posted. */
      async search(client: webApi.WebClient, since: number): Promise<{ readonly ts?: string } | undefined> {
        // Older messages are excluded.
        const oldest = ((since - SKEW_MS) / 1_000).toFixed(6)
        const messages = await readFrom(client, { channel, oldest }, under)
        return (
          messages.find(({ metadata }) => nonceOf(metadata) === nonce) ??
          // Slack may not store metadata. Then the text of a message of the bot must match.
          messages.find(
            ({ ts = '', user, bot_id, text, metadata }) =>
              // A message under another name has no user.
              (user === self().user || bot_id === self().botId) &&
              text === body.text &&
              nonceOf(metadata) === undefined &&
              // The first message of a thread is always included.
              Number(ts) > Number(oldest) &&
              !posted.has(`${channel}/${ts}`),
          )
        )
      },
    }
  }

  /** Posts a message once, even if an attempt has no response. */
  async function post(conversation: Conversation, message: Outgoing, signal: AbortSignal): Promise<Posted> {
    const { body, toPosted, search } = posting(conversation, message)
    const begun = clock.now()
    const { ts = '' } = await calls.call<{ ts?: string }>('chat.postMessage', client => client.chat.postMessage(body), {
      signal,
      longestWait: WAIT_MS,
      done: client => search(client, begun),
    })
    posted.add(`${body.channel}/${ts}`)
    if (posted.size > POSTED) posted.delete(posted.keys().next().value ?? '')
    return toPosted(ts)
  }

  return {
    async send(conversation, message, signal) {
      try {
        return await post(conversation, message, signal)
      } catch (error) {
        const answer = OUTSIDE.has(refusalOf(error)) ? await commands.answer(conversation, message) : undefined
        if (!answer) throw error
        await answer(toMrkdwn(message.text), signal)
        // Slack does not return an id. Ids of the bot begin with the time, too.
        return { id: `${(clock.now() / 1_000).toFixed(6)}-${message.nonce.slice(0, 8)}` }
      }
    },

    async edit({ channel }, ts, { text, handles }, signal) {
      // Without a list, Slack keeps the blocks of before, and shows them instead of the text.
      const change = { channel, ts, text: toMrkdwn(text), blocks: blocksOf(toMrkdwn(text), handles) }
      const how = { signal, longestWait: WAIT_MS }
      return isThere(isGone, () => calls.call('chat.update', client => client.chat.update(change), how))
    },

    async delete({ channel }, ts, signal) {
      const how = { signal, longestWait: WAIT_MS }
      await isThere(isGone, () => calls.call('chat.delete', client => client.chat.delete({ channel, ts }), how))
    },

    async find(conversation, { since, ...message }, signal) {
      const { toPosted, search } = posting(conversation, message)
      const how = { signal, longestWait: WAIT_MS }
      const found = await calls.call('conversations.history', client => search(client, since.getTime()), how)
      return found && toPosted(found.ts ?? '')
    },
  }
}

/** The text of a message, with mentions of the people whom it notifies: https://docs.slack.dev/messaging/formatting-message-text */
function written(text: string, notify: Outgoing['notify']): string {
  return withMentions(text, notify)
    .map(piece => (typeof piece === 'string' ? toMrkdwn(piece) : `<@${userOf(piece.id)}>`))
    .join('')
}

async function readFrom(
  client: webApi.WebClient,
  range: { readonly channel: string; readonly oldest: string },
  thread: string | undefined,
): Promise<readonly Found[]> {
  const found: Found[] = []
  let cursor: string | undefined
  for (let page = 0; page < PAGES && cursor !== ''; page++) {
    const asked = { ...range, limit: PAGE, include_all_metadata: true, ...(cursor !== undefined && { cursor }) }
    const told: webApi.ConversationsHistoryResponse | webApi.ConversationsRepliesResponse = await (thread === undefined
      ? client.conversations.history(asked)
      : client.conversations.replies({ ...asked, ts: thread }))
    found.push(...(told.messages ?? []))
    cursor = told.response_metadata?.next_cursor ?? ''
  }
  return found
}

/**
 * Marks messages of the bot, so that one whose post had no response is found again. Reading the mark in a history needs no
 * scope; only events of it do: https://docs.slack.dev/messaging/message-metadata
 */
const NONCE = 'kikimimi_message'

type Found = Told & { readonly metadata?: unknown }

function nonceOf(metadata: unknown): unknown {
  const payload =
    typeof metadata === 'object' && metadata !== null && 'event_payload' in metadata ? metadata.event_payload : undefined
  return typeof payload === 'object' && payload !== null && 'nonce' in payload ? payload.nonce : undefined
}
