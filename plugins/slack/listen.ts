/** The events that the bot listens to, and what each means. */
import { createHash } from 'node:crypto'
import type { App as BoltApp } from '@slack/bolt'
import { conversationId, type IncomingMessage } from 'kikimimi'
import { conversationOf, read, type Self, type Told, toIncoming } from './incoming.ts'
import { type Names, nameOf } from './names.ts'
import type { SlackApp } from './platform.ts'

export interface ListenOptions {
  readonly app: SlackApp
  readonly names: Names
  readonly self: () => Self
  /** A message was said, and can be answered under. */
  readonly heard: (conversation: string, ts: string) => void
}

/** Slash commands that were taken, in case they are told again. */
const COMMANDS = 1_000

export function listen(bolt: BoltApp, { app, names, self, heard }: ListenOptions): void {
  const inOrder = createQueues()
  const commands = new Set<string>()

  async function said(told: Told, channel: string, type?: string): Promise<void> {
    const message = await toIncoming(told, { channel, type, names, self: self() })
    if (message) await take(message)
  }

  async function take(message: IncomingMessage): Promise<void> {
    if (message.author.id !== self().me.id) heard(conversationId(message.conversation), message.id)
    await app.receive(message)
  }

  async function changed(told: Told, before: Told, channel: string, type: string): Promise<void> {
    if (told.subtype === 'tombstone') return removed(told, channel, type)
    // A link that was unfolded, or a reply that was counted, is no edit.
    if (told.ts === undefined || told.text === before.text) return
    const { text } = await read(told.text ?? '', names, self())
    await app.edit(await conversationOf(told, { channel, type, names, self: self() }), told.ts, text)
  }

  async function removed(told: Told, channel: string, type: string): Promise<void> {
    if (told.ts === undefined) return
    await app.remove(await conversationOf(told, { channel, type, names, self: self() }), told.ts)
  }

  bolt.event('message', async ({ event }) => {
    const { channel, channel_type: type } = event
    await inOrder(channel, async () => {
      if (event.subtype === 'message_changed') await changed(event.message as Told, event.previous_message as Told, channel, type)
      else if (event.subtype === 'message_deleted') await removed(event.previous_message as Told, channel, type)
      else await said(event as Told, channel, type)
    })
  })

  // The same message again, with the same ts. It comes alone where the bot may not read the channel.
  bolt.event('app_mention', async ({ event }) => inOrder(event.channel, () => said(event as Told, event.channel)))

  bolt.event('channel_rename', async ({ event }) => names.channelRenamed(event.channel.id, event.channel.name))
  bolt.event('group_rename', async ({ event }) => names.channelRenamed(event.channel.id, event.channel.name))
  bolt.event('member_joined_channel', async ({ event }) => {
    if (event.user === self().me.id) names.channelForgotten(event.channel)
  })
  bolt.event('channel_left', async ({ event }) => names.channelForgotten(event.channel))
  bolt.event('group_left', async ({ event }) => names.channelForgotten(event.channel))
  bolt.event('channel_deleted', async ({ event }) => names.channelForgotten(event.channel))
  bolt.event('user_change', async ({ event }) => names.personRenamed(event.user.id, nameOf(event.user)))

  bolt.command(/.*/, async ({ command, ack }) => {
    // Everybody sees what was asked, and so what the bot answers to.
    await ack({ response_type: 'in_channel' })
    if (commands.has(command.trigger_id)) return
    commands.add(command.trigger_id)
    if (commands.size > COMMANDS) commands.delete(commands.values().next().value ?? '')
    const [author, { text, mentions }, conversation] = await Promise.all([
      names.person(command.user_id),
      read(command.text, names, self()),
      conversationOf({}, { channel: command.channel_id, names, self: self() }),
    ])
    const now = app.clock.now()
    await inOrder(command.channel_id, () =>
      take({
        id: `${(now / 1_000).toFixed(6)}-${createHash('sha256').update(command.trigger_id).digest('hex').slice(0, 8)}`,
        conversation,
        author,
        text,
        at: new Date(now),
        mentions: [self().me, ...mentions.filter(({ id }) => id !== self().me.id)],
      }),
    )
  })
}

/** One thing after the other in each channel, so that looking up a name changes no order. */
function createQueues(): (channel: string, work: () => Promise<void>) => Promise<void> {
  const last = new Map<string, Promise<void>>()
  return (channel, work) => {
    const mine = (last.get(channel) ?? Promise.resolve()).catch(() => {}).then(work)
    last.set(channel, mine)
    const done = () => {
      if (last.get(channel) === mine) last.delete(channel)
    }
    mine.then(done, done)
    return mine
  }
}
