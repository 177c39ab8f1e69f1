/** Takes what arrives: events that a platform keeps until they are confirmed, and commands that people write as messages. */
import { randomUUID } from 'node:crypto'
import {
  type BotIdentity,
  conversationId,
  type IncomingMessage,
  type Platform,
  type PlatformContext,
  type ReceiveOptions,
} from '../../api/index.ts'
import { KikimimiError } from '../../base/errors.ts'
import { retryAfterMs } from '../../base/retry-after.ts'
import { isUnanswered } from '../../base/unanswered.ts'
import { commandName } from '../../prompt/persona.ts'

/**
 * Takes an event of a platform that keeps its events until they are confirmed. Rejects when the event must come again: without a
 * database or a network, with PLATFORM_UNAVAILABLE, and when its signal has aborted. Any other error would come each time, so the event is
 * logged and left out: MESSAGE_INVALID, PLATFORM_REFUSED without `retryAfterMs`, and a mistake in code.
 */
export async function takeEvent({ log }: Pick<PlatformContext, 'log'>, take: () => Promise<void>): Promise<void> {
  try {
    await take()
  } catch (error) {
    if (!isLasting(error)) throw error
    log.error('an event could not be taken', { error })
  }
}

function isLasting(error: unknown): boolean {
  if (isUnanswered(error) || (error instanceof Error && error.name === 'AbortError')) return false
  if (!(error instanceof KikimimiError) || error.code === 'MESSAGE_INVALID') return true
  return error.code === 'PLATFORM_REFUSED' && retryAfterMs(error) === undefined
}

/** What follows the name of the bot in a message such as `!kiki status`. `undefined`: it does not begin so. */
export function orderIn(bot: Pick<BotIdentity, 'name'>, text: string): string | undefined {
  const [word = '', ...rest] = text.split(' ')
  return word.toLowerCase() === `!${commandName(bot)}` ? rest.join(' ').trim() : undefined
}

/** Milliseconds for what the platform does about a command. */
const TIMEOUT = 20_000
/** Characters of a nonce: see `Outgoing.nonce`. */
const NONCE = 25

/**
 * Runs a command that a person wrote as a message, and posts its answer. False when there is no such command: the text is then a message
 * to the bot. Admins are those to whom `membership` of the platform gives the rank `admin` or `owner`.
 * @param text all that follows the name of the bot: see {@link orderIn}
 * @param answer posts the answer. Default: as a reply, with `send` of the platform
 */
export function takeCommand(
  { command, log }: Pick<PlatformContext, 'command' | 'log'>,
  platform: Pick<Platform, 'membership' | 'send'>,
  { id, conversation: place, author: person }: Pick<IncomingMessage, 'id' | 'conversation' | 'author'>,
  text: string,
  answer?: (text: string, signal: AbortSignal) => Promise<unknown>,
): boolean {
  const conversation = { ...place, id: conversationId(place) }
  const isAdmin = async () => {
    const member = await platform.membership?.(conversation, person, AbortSignal.timeout(TIMEOUT))
    return member?.rank === 'admin' || member?.rank === 'owner'
  }
  const reply = (text: string, signal: AbortSignal) =>
    platform.send(conversation, { text, replyTo: id, nonce: randomUUID().slice(0, NONCE) }, signal)
  const answered = command({ conversation, person, text, moderator: isAdmin, admin: isAdmin })
  answered
    ?.then(said => (answer ?? reply)(said, AbortSignal.timeout(TIMEOUT)))
    .catch((error: unknown) => log.warn('a command could not be answered', { error }))
  return answered !== undefined
}

/** How {@link takeMessage} takes a message. */
export interface TakeOptions extends ReceiveOptions {
  /** What follows the name of the bot, for a platform with a sign of its own for commands. Default: see {@link orderIn}. */
  readonly order?: string | undefined
}

/**
 * Passes a message to the bot, as {@link PlatformContext.receive} does, or runs the command in it: see {@link takeCommand}. What follows the
 * name of the bot and is not a command is a message that mentions the bot.
 */
export async function takeMessage(
  ctx: Pick<PlatformContext, 'bot' | 'command' | 'log' | 'receive'>,
  platform: Pick<Platform, 'me' | 'meIn' | 'membership' | 'send'>,
  message: IncomingMessage,
  { order = orderIn(ctx.bot, message.text), ...how }: TakeOptions = {},
): Promise<void> {
  if (order === undefined) return ctx.receive(message, how)
  const me = (await platform.meIn?.(message.conversation)) ?? platform.me
  if (message.author.id === me.id) return ctx.receive(message, how)
  if (takeCommand(ctx, platform, message, order)) return
  await ctx.receive({ ...message, text: order, mentions: [me, ...(message.mentions ?? [])] }, how)
}
