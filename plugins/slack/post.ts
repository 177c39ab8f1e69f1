/** What the bot says, posted once. */
import type { Clock, Conversation, Outgoing, Platform, Posted } from 'kikimimi'
import { type Calls, refusalOf } from './calls.ts'
import type { Commands } from './commands.ts'
import { toMrkdwn } from './mrkdwn.ts'

export interface PostOptions {
  readonly calls: Calls
  readonly clock: Clock
  readonly commands: Commands
}

/** The bot is not in the channel; Slack hides a private one from who is not in it. */
const OUTSIDE: ReadonlySet<string | undefined> = new Set(['not_in_channel', 'channel_not_found'])

export function createPost({ calls, clock, commands }: PostOptions): Platform['send'] {
  return async (conversation, message, signal) => {
    try {
      return await post(calls, conversation, message, signal)
    } catch (error) {
      const answer = OUTSIDE.has(refusalOf(error)) ? commands.answer(conversation, message) : undefined
      if (!answer) throw error
      await answer(toMrkdwn(message.text), signal)
      // Slack does not say what it is called. The bot's own ids begin with the time, too.
      return { id: `${(clock.now() / 1_000).toFixed(6)}-${message.nonce.slice(0, 8)}` }
    }
  }
}

/** Once, also when an attempt gets no answer. */
async function post(
  calls: Calls,
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
  const posted = await calls.call<{ ts?: string }>('chat.postMessage', client => client.chat.postMessage(body), {
    signal,
    async done(client) {
      const latest = { channel, include_all_metadata: true }
      const { messages = [] } = await (under === undefined
        ? client.conversations.history({ ...latest, limit: 20 })
        : client.conversations.replies({ ...latest, ts: under, limit: 200 }))
      return messages.find(({ metadata }) => nonceOf(metadata) === nonce)
    },
  })
  // What is quoted becomes the first message of a thread, and the answer stands in that.
  return { id: posted.ts ?? '', ...(under !== undefined && under !== thread && { thread: under }) }
}

/** Names the bot's messages, so that one that was sent without an answer is found again. */
const NONCE = 'kikimimi_message'

function nonceOf(metadata: unknown): unknown {
  const payload =
    typeof metadata === 'object' && metadata !== null && 'event_payload' in metadata ? metadata.event_payload : undefined
  return typeof payload === 'object' && payload !== null && 'nonce' in payload ? payload.nonce : undefined
}

function isTimestamp(id: string | undefined): id is string {
  return id !== undefined && /^\d+\.\d+$/.test(id)
}
