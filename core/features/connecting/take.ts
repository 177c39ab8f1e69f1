/** Takes what arrives: events that a platform keeps until they are confirmed, and commands that people write as messages. */
import type { IncomingMessage, Persona, PlatformContext } from '../../api/index.ts'
import type { Awaitable } from '../../base/awaitable.ts'
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
export function orderIn(persona: Pick<Persona, 'name'>, text: string): string | undefined {
  const [word = '', ...rest] = text.split(' ')
  return word.toLowerCase() === `!${commandName(persona)}` ? rest.join(' ').trim() : undefined
}

/** A message that may be a command. */
export interface WrittenCommand {
  /** All that follows the name of the bot: see {@link orderIn}. */
  readonly text: string
  /** Whether the author is an admin of the channel. The bot calls it only when a command needs it. */
  isAdmin(): Awaitable<boolean>
  /** Posts the answer. An error is logged. */
  answer(text: string): Promise<unknown>
}

/** Runs a command that a person wrote as a message. False when there is no such command: the text is then a message to the bot. */
export function takeCommand(
  { command, log }: Pick<PlatformContext, 'command' | 'log'>,
  { conversation, author: person }: Pick<IncomingMessage, 'conversation' | 'author'>,
  { text, isAdmin, answer }: WrittenCommand,
): boolean {
  const answered = command({ conversation, person, text, moderator: isAdmin, admin: isAdmin })
  answered?.then(answer).catch((error: unknown) => log.warn('a command could not be answered', { error }))
  return answered !== undefined
}
