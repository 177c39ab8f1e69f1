/** A chat room in the page, as a platform: one person plays all participants. */
import { randomUUID } from 'node:crypto'
import { commandIn, mentionsIn, person } from '@kikimimi/terminal/lines'
import { type Conversation, commandName, conversationId, type IncomingMessage, type Locale } from 'kikimimi'
import type { Platform, PlatformContext } from 'kikimimi/platform'
import { findMessage, placeView } from '../history/turns.ts'
import type { MessageView } from '../history/views.ts'
import type { Feed } from '../server/feed.ts'

export interface Said {
  /** Name of the room; `@alice` is a direct conversation of alice with the bot. */
  readonly room: string
  readonly thread?: string | undefined
  readonly author: string
  readonly text: string
  readonly replyTo?: string | undefined
  /** Language of the page, for answers to commands. */
  readonly locale?: Locale | undefined
}

export interface Heard {
  /** Id of the message; absent for a command. */
  readonly id?: string
  /** Whether the message was recorded: a filter may have dropped it. */
  readonly heard: boolean
  /** Answer to a command, for its author only. */
  readonly answer?: string
}

export interface Playground {
  readonly platform: Platform
  /** The names of the bot in a room. */
  namesIn(room: string): readonly string[]
  say(said: Said): Promise<Heard>
  /** Returns false if the message does not exist or is from the bot. */
  edit(room: string, message: string, text: string): Promise<boolean>
  remove(room: string, message: string): Promise<boolean>
  /** Returns false if the message does not exist. */
  react(room: string, message: string, change: { by: string; emoji: string; removed?: boolean | undefined }): Promise<boolean>
}

const NAME = 'playground'

type PlaygroundApp = Pick<PlatformContext, 'bot' | 'clock' | 'use' | 'receive' | 'edit' | 'remove' | 'reaction' | 'command'>

export interface PlaygroundOptions {
  readonly feed: Feed
  /** See `Platform.companion`. */
  readonly companion: boolean
}

export function createPlayground(ctx: PlaygroundApp, { feed, companion }: PlaygroundOptions): Playground {
  /** A getter, because the name can change while the bot runs. */
  const me = () => person(ctx.bot.name)

  /** A message and its room. */
  async function find(room: string, message: string) {
    const found = await findMessage(ctx, conversationId(placeOf(room)), message)
    return found ? { found, where: placeOf(room, found.thread) } : undefined
  }

  async function change(
    where: Omit<Conversation, 'id'>,
    message: string,
    reaction: Parameters<PlatformContext['reaction']>[2],
  ): Promise<void> {
    await ctx.reaction(where, message, reaction)
    const now = await findMessage(ctx, conversationId(placeOf(where.channel)), message)
    feed.tell({ type: 'reactions', conversation: conversationId(where), message, reactions: now?.reactions ?? [] })
  }

  const platform: Platform = {
    name: NAME,
    get me() {
      return me()
    },
    limits: { textLength: 4_000 },
    companion,
    isConsole: true,

    async send(conversation, { text, replyTo }) {
      const id = randomUUID()
      const message: MessageView = {
        id,
        ...(conversation.thread !== undefined && { thread: conversation.thread }),
        author: me(),
        own: true,
        text,
        at: new Date(ctx.clock.now()).toISOString(),
        ...(replyTo !== undefined && { replyTo }),
        reactions: [],
      }
      feed.tell({ type: 'message', place: placeView(conversation), message })
      return { id }
    },

    react: (conversation, message, emoji) => change(conversation, message, { emoji, by: me().id }),

    typing({ id: conversation }) {
      feed.tell({ type: 'typing', conversation, on: true })
      return () => feed.tell({ type: 'typing', conversation, on: false })
    },
  }

  return {
    platform,
    namesIn: room => ctx.bot.personaIn(placeOf(room)).names,

    async say(said) {
      const conversation = placeOf(said.room, said.thread)
      const given = commandIn(said.text, commandName(ctx.bot))
      const may = () => true
      const order = given && {
        conversation,
        person: person(said.author),
        text: given.text,
        locale: said.locale ?? ctx.bot.locale,
        moderator: may,
        admin: may,
      }
      const answer = order && ctx.command(order)
      if (answer !== undefined) return { heard: true, answer: await answer }
      // A text after `/kiki` that is not a command is a message to the bot.
      const text = given?.isNamed ? given.text : said.text
      const answered = said.replyTo === undefined ? undefined : await find(said.room, said.replyTo)
      const message: IncomingMessage = {
        id: randomUUID(),
        conversation,
        author: person(said.author),
        text,
        at: new Date(ctx.clock.now()),
        admin: true,
        mentions: given?.isNamed ? [me()] : mentionsIn(text, me(), ctx.bot.personaIn(conversation).names),
        ...(answered && { replyTo: { id: answered.found.id, author: answered.found.author.id } }),
      }
      await ctx.receive(message)
      const kept = await findMessage(ctx, conversationId(placeOf(said.room)), message.id)
      if (!kept) return { id: message.id, heard: false }
      const { conversation: id, ...view } = kept
      feed.tell({ type: 'message', place: placeView({ id, ...conversation }), message: view })
      return { id: message.id, heard: true }
    },

    async edit(room, message, text) {
      const it = await find(room, message)
      if (!it || it.found.own) return false
      await ctx.edit(it.where, message, { text })
      feed.tell({ type: 'edited', conversation: conversationId(it.where), message, text })
      return true
    },

    async remove(room, message) {
      const it = await find(room, message)
      if (!it || it.found.own) return false
      await ctx.remove(it.where, message)
      feed.tell({ type: 'removed', conversation: conversationId(it.where), message })
      return true
    },

    async react(room, message, { by, emoji, removed }) {
      const it = await find(room, message)
      if (it) await change(it.where, message, { emoji, by: person(by).id, ...(removed && { removed }) })
      return it !== undefined
    },
  }
}

/** A person must not have the id of the bot. */
export function isBot(name: string, names: readonly string[]): boolean {
  return names.some(own => person(own).id === person(name).id)
}

export function placeOf(room: string, thread?: string): Omit<Conversation, 'id'> {
  const alone = room.startsWith('@')
  return {
    platform: NAME,
    workspace: '',
    channel: room,
    ...(thread !== undefined && { thread }),
    name: room.replace(/^@/, ''),
    visibility: alone ? 'direct' : 'public',
  }
}
