/**
 * Commands in the chat, once for all platforms: `/kiki status`. A platform hands in what follows `/kiki` and shows the answer to
 * its author. Nothing of it is a message: it goes past the pipeline, so it works where that does not.
 */

import type { ChatCommand, CommandCall, GivenCommand } from '../../api/index.ts'
import { KikimimiError } from '../../base/errors.ts'
import { languageOf } from '../../base/language.ts'
import { redactError } from '../../base/redact-error.ts'
import { splitText } from '../../base/split.ts'
import { withTimeout } from '../../base/timeout.ts'
import type { Kernel } from '../../kernel/host/plugin-context.ts'
import { sanitizeConversation, sanitizePerson, sanitizeText } from '../../kernel/turns/sanitize-input.ts'
import { WORDS } from './words.ts'

/** A command, and who brings it. */
export interface NamedCommand extends ChatCommand {
  readonly plugin: string
}

/** Milliseconds that a command has for its answer, and a platform to tell who may give it. */
const DEADLINE = 20_000
const PERMISSION_DEADLINE = 5_000

/** Where a platform does not say how long a text may be. */
const LENGTH = 2_000

/** At the end of what does not fit. */
const MORE = '\n…'

type Chat = Pick<Kernel, 'chatCommands' | 'platforms' | 'locale' | 'clock' | 'log' | 'closing'>

/** See `PluginContext.command`. */
export function giveCommand(chat: Chat, given: GivenCommand): Promise<string> | undefined {
  const [, name = '', text = ''] = /^\s*(\S+)\s*([\s\S]*?)\s*$/.exec(sanitizeText(given.text)) ?? []
  const command = chat.chatCommands.find(one => one.name === name.toLowerCase())
  if (!command || !takes(command, text)) return undefined
  if (chat.closing.aborted) throw new KikimimiError('STOPPED', 'A command was given, but the bot has stopped.')
  return answer(chat, command, given, {
    conversation: sanitizeConversation(given.conversation),
    person: sanitizePerson(given.person, 'person'),
    text,
    words: text === '' ? [] : text.split(/\s+/),
    locale: languageOf([{ text, own: false }], given.locale ?? chat.locale),
    at: new Date(chat.clock.now()),
  })
}

async function answer(
  chat: Chat,
  command: NamedCommand,
  given: GivenCommand,
  call: Omit<CommandCall, 'signal'>,
): Promise<string> {
  const { platforms, clock, log, closing } = chat
  const words = WORDS[call.locale]
  const { permission } = command
  if (permission !== 'everyone' && !(await may(chat, given, permission))) return words.onlyFor[permission]
  const late = () => new KikimimiError('STAGE_TIMEOUT', `no answer within ${DEADLINE} ms`)
  try {
    const said = await withTimeout({ clock, ms: DEADLINE, late, signal: closing }, async signal =>
      command.run({ ...call, signal }),
    )
    return shortened(sanitizeText(said), platforms.get(call.conversation.platform)?.limits.textLength ?? LENGTH) || words.done
  } catch (error) {
    log.child(command.plugin).warn(`the command "${command.name}" failed: ${redactError(error, [call.text])}`)
    return words.failed
  }
}

/** What fits into one message: whole lines where there are any, and a sign that there is more. */
function shortened(text: string, length: number): string {
  const [whole = '', ...more] = splitText(text, length)
  if (more.length === 0) return whole
  const room = length - MORE.length
  const lines = text.slice(0, text.lastIndexOf('\n', room) + 1).trim()
  return `${lines || splitText(text, room)[0]}${MORE}`
}

async function may({ clock, closing }: Chat, given: GivenCommand, permission: 'moderator' | 'admin'): Promise<boolean> {
  const late = () => new Error('the platform did not say what they may')
  try {
    return await withTimeout({ clock, ms: PERMISSION_DEADLINE, late, signal: closing }, async () => given[permission]())
  } catch {
    return false
  }
}

function takes({ takes, usage }: ChatCommand, text: string): boolean {
  return takes ? takes(text) : usage !== undefined || text === ''
}
