import { randomUUID } from 'node:crypto'
import type { Writable } from 'node:stream'
import { type Conversation, commandName, type IncomingMessage } from 'kikimimi'
import type { Platform, PlatformContext } from 'kikimimi/platform'
import { commandIn, mentioned, mentionsIn, person, type Said } from './lines.ts'
import type { Screen } from './screen.ts'

export interface PlatformOptions {
  readonly screen: Screen
  readonly output: Writable
  readonly channel: string
}

/** Number of recent messages whose author a reply or a reaction can still name. */
const REMEMBERED = 1_000

/** A screen as a platform. */
export function createPlatform(
  ctx: Pick<PlatformContext, 'bot' | 'clock' | 'log' | 'scope' | 'receive' | 'command'>,
  options: PlatformOptions,
): Platform {
  const { screen, output, channel } = options
  const me = person(ctx.bot.name)
  const authors = new Map<string, string>()
  const closed = Promise.withResolvers<void>()
  const deaf = new AbortController()

  function remember(id: string, author: string): void {
    authors.set(id, author)
    for (const oldest of authors.keys()) {
      if (authors.size <= REMEMBERED) break
      authors.delete(oldest)
    }
  }

  function incoming({ author, bot, text, channel: where = channel, thread, mentions, replyTo, id, at }: Said): IncomingMessage {
    const conversation = placeOf(where, thread)
    const { names } = ctx.bot.personaIn(conversation)
    const repliedTo = replyTo === undefined ? undefined : authors.get(replyTo)
    return {
      // Ids are random, because a database may hold the messages of many runs.
      id: id ?? randomUUID(),
      conversation,
      author: person(author, bot),
      text,
      at: at ?? new Date(ctx.clock.now()),
      admin: true,
      mentions: mentions?.map(name => mentioned(name, me, names)) ?? mentionsIn(text, me, names),
      ...(replyTo !== undefined && {
        replyTo: { id: replyTo, ...(repliedTo !== undefined && { author: person(repliedTo).id }) },
      }),
    }
  }

  /** Runs a command. Returns what remains as a message: a text after `/kiki` that is not a command is a message to the bot. */
  async function commanded(said: Said): Promise<Said | undefined> {
    const given = commandIn(said.text, commandName(ctx.bot))
    if (!given) return said
    const conversation = placeOf(said.channel ?? channel, said.thread)
    const { text, isNamed } = given
    const may = () => true
    const answer = ctx.command({ conversation, person: person(said.author, said.bot), text, moderator: may, admin: may })
    if (answer !== undefined) await screen.answer(conversation, await answer)
    else if (isNamed) return { ...said, text, mentions: [me.name] }
    else return screen.unknown ? screen.unknown(said.text) : said
    return undefined
  }

  function broken({ code }: NodeJS.ErrnoException): void {
    if (code !== 'EPIPE') ctx.log.warn('the output broke', { code })
    deaf.abort()
  }

  async function listen(signal: AbortSignal): Promise<void> {
    // One after the other: this keeps the order, and further input waits outside the process.
    for await (const { line, said } of screen.said(signal)) {
      try {
        const heard = await commanded(said)
        if (!heard) continue
        const message = incoming(heard)
        remember(message.id, message.author.name)
        await ctx.receive(message)
      } catch (error) {
        screen.refused(line, error instanceof Error ? error.message : String(error))
      }
    }
  }

  return {
    name: 'terminal',
    isConsole: true,
    me,
    limits: { textLength: 4_000 },
    closed: closed.promise,

    start(signal) {
      output.off('error', unheard).on('error', unheard).on('error', broken)
      ctx.scope.defer(() => void output.off('error', broken))
      void listen(AbortSignal.any([signal, deaf.signal]))
        .catch((error: unknown) => {
          if (!signal.aborted) ctx.log.warn('the input broke', { error })
        })
        .finally(closed.resolve)
    },

    async send(conversation, message) {
      const id = randomUUID()
      remember(id, me.name)
      await screen.message(conversation, id, message)
      return { id }
    },

    react: (conversation, message, emoji) => screen.reaction(conversation, { message, emoji, author: authors.get(message) }),

    typing: () => screen.typing?.() ?? (() => {}),
  }
}

/** Listens for the life of the process, because a broken pipe may be reported after the last line was written. */
function unheard(): void {}

export function placeOf(channel: string, thread?: string): Omit<Conversation, 'id'> {
  const place = { platform: 'terminal', workspace: '', channel, name: channel, visibility: 'public' } as const
  return thread === undefined ? place : { ...place, thread }
}
