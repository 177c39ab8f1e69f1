/**
 * Slash commands: questions in any channel. Where the bot is no member it may only answer at an address that comes with
 * the command: https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 */
import { createHash } from 'node:crypto'
import type { App as BoltApp } from '@slack/bolt'
import { type App, type Conversation, conversationId, type IncomingMessage, type Outgoing } from 'kikimimi'
import type { InOrder } from './in-order.ts'
import { conversationOf, read, type Self } from './incoming.ts'
import type { Names } from './names.ts'

export interface Commands {
  /** How to answer at the command's own address, where the message is an answer to one, or the rest of such an answer. */
  answer(conversation: Conversation, message: Outgoing): ((markup: string, signal: AbortSignal) => Promise<void>) | undefined
}

export interface CommandsOptions {
  readonly app: Pick<App, 'clock' | 'receive'>
  readonly names: Names
  readonly self: () => Self
  readonly inOrder: InOrder
}

interface Command {
  readonly message: string
  readonly conversation: string
  readonly address: string
  readonly at: number
  /** When it was answered at its address last; 0: never. */
  answeredAt: number
}

/** Those that were taken, in case they are told again. */
const COMMANDS = 1_000
/** Slack takes answers for so long. */
const OPEN_MS = 30 * 60_000
/** The parts of one answer come one right after the other. */
const REST_MS = 60_000

export function listenToCommands(bolt: BoltApp, { app, names, self, inOrder }: CommandsOptions): Commands {
  const { clock } = app
  const taken = new Map<string, Command>()

  bolt.command(/.*/, async ({ command: { trigger_id, response_url, channel_id, user_id, text }, ack }) => {
    // Everybody sees what was asked, and so what the bot answers to.
    await ack({ response_type: 'in_channel' })
    await inOrder(channel_id, async () => {
      if (taken.has(trigger_id)) return
      const [author, { text: said, mentions }, conversation] = await Promise.all([
        names.person(user_id),
        read(text, names, self()),
        conversationOf({}, { channel: channel_id, names, self: self() }),
      ])
      const at = clock.now()
      const id = `${(at / 1_000).toFixed(6)}-${createHash('sha256').update(trigger_id).digest('hex').slice(0, 8)}`
      const message: IncomingMessage = {
        id,
        conversation,
        author,
        text: said,
        at: new Date(at),
        mentions: [self().me, ...mentions.filter(person => person.id !== self().me.id)],
      }
      taken.set(trigger_id, { message: id, conversation: conversationId(conversation), address: response_url, at, answeredAt: 0 })
      if (taken.size > COMMANDS) taken.delete(taken.keys().next().value ?? '')
      try {
        await app.receive(message)
      } catch (error) {
        taken.delete(trigger_id)
        throw error
      }
    })
  })

  function commandFor({ id }: Conversation, { answers }: Outgoing): Command | undefined {
    const open = Array.from(taken.values()).filter(({ at }) => clock.now() - at < OPEN_MS)
    if (answers !== undefined) return open.find(({ message }) => message === answers)
    return open
      .filter(({ conversation, answeredAt }) => conversation === id && clock.now() - answeredAt < REST_MS)
      .sort((one, other) => other.answeredAt - one.answeredAt)[0]
  }

  return {
    answer(conversation, message) {
      const command = commandFor(conversation, message)
      if (!command) return undefined
      return async (text, signal) => {
        // Tried once: whether an attempt without an answer was seen cannot be found out, and twice is worse than not at all.
        const { ok, status } = await fetch(command.address, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ response_type: 'in_channel', text }),
          signal,
        })
        if (!ok)
          throw new Error(`Slack refused the answer to the command: HTTP ${status}. Invite the bot to the channel: /invite @bot.`)
        command.answeredAt = clock.now()
      }
    },
  }
}
