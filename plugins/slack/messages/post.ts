/** What the bot says, posted once. */
import type { webApi } from '@slack/bolt'
import type { Clock, Conversation, Outgoing, Platform, Posted } from 'kikimimi'
import type { Self } from '../web-api/account.ts'
import { type Calls, refusalOf } from '../web-api/calls.ts'
import { isTimestamp, type Told } from './incoming.ts'
import { toMrkdwn } from './mrkdwn.ts'

/**
 * How to answer at a slash command's own address. Undefined when the message neither answers a command nor continues such an
 * answer.
 */
export type AnswerCommand = (
  conversation: Conversation,
  message: Outgoing,
) => Promise<((markup: string, signal: AbortSignal) => Promise<void>) | undefined>

export interface PostOptions {
  readonly calls: Calls
  readonly clock: Clock
  /** Answers to slash commands, where the bot is not in the channel. */
  readonly commands: { readonly answer: AnswerCommand }
  readonly self: () => Self
}

/** How far Slack's clock and ours may lie apart. */
const SKEW_MS = 60_000
/** More than are said within {@link SKEW_MS}. */
const POSTED = 200

/** Messages of one request, and how many requests a look may take: a thread is told from its beginning on. */
const PAGE = 200
const PAGES = 5

/** The bot is not in the channel; Slack hides a private one from who is not in it. */
const OUTSIDE: ReadonlySet<string | undefined> = new Set(['not_in_channel', 'channel_not_found'])

export function createPost({ calls, clock, commands, self }: PostOptions): Platform['send'] {
  /** Where the last posts stand whose answers came. */
  const posted = new Set<string>()

  /** Once, also when an attempt gets no answer. */
  async function post(
    { channel, thread }: Conversation,
    { text, replyTo, nonce }: Outgoing,
    signal: AbortSignal,
  ): Promise<Posted> {
    const quoted = isTimestamp(replyTo) ? replyTo : undefined
    const under = thread ?? quoted
    const body = {
      channel,
      text: toMrkdwn(text),
      mrkdwn: true,
      metadata: { event_type: NONCE, event_payload: { nonce } },
      ...(under !== undefined && { thread_ts: under }),
    }
    // What was said before this is in the way.
    const oldest = ((clock.now() - SKEW_MS) / 1_000).toFixed(6)
    const { ts = '' } = await calls.call<{ ts?: string }>('chat.postMessage', client => client.chat.postMessage(body), {
      signal,
      async done(client) {
        const messages = await readFrom(client, { channel, oldest }, under)
        return (
          messages.find(({ metadata }) => nonceOf(metadata) === nonce) ??
          // Slack may keep no metadata, and then the words have to do: those of the bot, under no other name.
          messages.find(
            ({ ts = '', user, text, metadata }) =>
              user === self().me.id &&
              text === body.text &&
              nonceOf(metadata) === undefined &&
              // A thread's first message is told whatever is asked for.
              Number(ts) > Number(oldest) &&
              !posted.has(`${channel}/${ts}`),
          )
        )
      },
    })
    posted.add(`${channel}/${ts}`)
    if (posted.size > POSTED) posted.delete(posted.keys().next().value ?? '')
    // What is quoted becomes the first message of a thread, and the answer stands in that.
    return { id: ts, ...(under !== undefined && under !== thread && { thread: under }) }
  }

  return async (conversation, message, signal) => {
    try {
      return await post(conversation, message, signal)
    } catch (error) {
      const answer = OUTSIDE.has(refusalOf(error)) ? await commands.answer(conversation, message) : undefined
      if (!answer) throw error
      await answer(toMrkdwn(message.text), signal)
      // Slack does not say what it is called. The bot's own ids begin with the time, too.
      return { id: `${(clock.now() / 1_000).toFixed(6)}-${message.nonce.slice(0, 8)}` }
    }
  }
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
 * Names the bot's messages, so that one that was sent without an answer is found again. Reading it in a history takes no
 * scope, only events of it do: https://docs.slack.dev/messaging/message-metadata
 */
const NONCE = 'kikimimi_message'

type Found = Told & { readonly metadata?: unknown }

function nonceOf(metadata: unknown): unknown {
  const payload =
    typeof metadata === 'object' && metadata !== null && 'event_payload' in metadata ? metadata.event_payload : undefined
  return typeof payload === 'object' && payload !== null && 'nonce' in payload ? payload.nonce : undefined
}
