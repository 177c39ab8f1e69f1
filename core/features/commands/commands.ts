/**
 * The chat commands, once for all platforms: `/kiki status`. A platform passes the text after `/kiki` and shows the answer
 * to its author. A command is not a message and skips the pipeline, so it works when the pipeline does not.
 */

import { sanitizeConversation, sanitizeId, sanitizePerson, sanitizeText } from '../../api/checks/sanitize.ts'
import type { ChatCommand, ChatCommands, CommandCall, GivenCommand, Platform, Turn } from '../../api/index.ts'
import type { Awaitable } from '../../base/awaitable.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { redactError } from '../../base/redact-error.ts'
import { texts } from '../../base/text/core-texts.ts'
import { languageOf } from '../../base/text/language.ts'
import { splitText } from '../../base/text/split.ts'
import type { Locale } from '../../base/text/texts.ts'
import { withTimeout } from '../../base/timeout.ts'
import type { PluginHost } from '../../kernel/host/plugin-host.ts'
import { currentTurn } from '../../kernel/pipeline/trace.ts'
import type { Caller, Overdrawn } from '../../models/budget.ts'
import { fit } from '../../models/structured.ts'
import type { BotAccess } from '../access/access.ts'

/** A command and the plugin that has it. */
export interface NamedCommand extends ChatCommand {
  readonly plugin: string
}

/** Milliseconds that a command has for its answer, and a platform for a check of rights. */
const DEADLINE = 20_000
const PERMISSION_DEADLINE = 5_000
/** A later suggestion is of no use: people type on. */
const SUGGESTION_DEADLINE = 2_000

/** Text length for a platform without `limits.textLength`. */
const LENGTH = 2_000

/** The sign that a text was cut. */
const MORE = '\n…'

export interface CommandsOptions {
  readonly host: Pick<PluginHost, 'hooks'>
  readonly platforms: ReadonlyMap<string, Platform>
  readonly clock: Clock
  readonly log: Logger
  /** Aborts when the bot takes no more messages. */
  readonly closing: AbortSignal
  /** The language of the bot. */
  locale(): Locale
  /** Who may call the bot and give it orders. */
  readonly access: Pick<BotAccess, 'refuses' | 'refusesOrders' | 'callerIn'>
  /** Counts a call of a person, or says why it is refused. */
  admit(caller: Caller | undefined): Awaitable<Overdrawn | undefined>
}

/** The commands as the bot runs them: those of `/kiki`, and those in messages. */
export interface RunningCommands extends ChatCommands {
  readonly all: readonly NamedCommand[]
  /** Those that messages call, such as `!roll`. */
  readonly inMessages: readonly NamedCommand[]
  /** Runs a command that a message calls. `text` follows its name. Never rejects. */
  answer(turn: Turn, command: NamedCommand, text: string): Promise<string>
}

export function createChatCommands(chat: CommandsOptions): RunningCommands {
  let inMessages: { readonly of: unknown; readonly commands: readonly NamedCommand[] } | undefined

  return {
    get inMessages() {
      const of = chat.host.hooks('commands')
      if (inMessages?.of !== of) inMessages = { of, commands: commandsOf(chat).filter(({ prefix }) => prefix !== undefined) }
      return inMessages.commands
    },
    answer({ conversation, message }, command, text) {
      // The message was admitted as a call.
      const given = { conversation, person: message.author, text, moderator: () => false, admin: () => false }
      return answer(chat, command, given, callOf(chat, given, text))
    },
    refusal: given => refusal(chat, given),
    get all() {
      return commandsOf(chat)
    },
    run: given => run(chat, given),
    suggest: given => suggest(chat, given),
  }
}

function commandsOf({ host }: CommandsOptions): readonly NamedCommand[] {
  return host.hooks('commands').flatMap(({ plugin, hook }) => hook.map(command => ({ ...command, plugin })))
}

/** See {@link ChatCommands.run}. */
function run(chat: CommandsOptions, given: GivenCommand): Promise<string> | undefined {
  const whole = sanitizeText(given.text).trim()
  const [name = ''] = /^\S+/.exec(whole) ?? []
  const text = whole.slice(name.length).trim()
  const command = commandNamed(chat, name)
  if (!command || !takes(command, text)) return undefined
  // A press names any command; only those for messages are meant for one.
  if (given.message !== undefined && !command.on) return undefined
  if (chat.closing.aborted) throw new KikimimiError('STOPPED', 'A command was given, but the bot has stopped.')
  const call = callOf(chat, given, text)
  return answer(chat, command, given, call, () => refusalOf(chat, command, call))
}

/** See {@link ChatCommands.refusal}. */
async function refusal(chat: CommandsOptions, given: Asked): Promise<string | undefined> {
  const { clock, log, closing, access } = chat
  const late = () => new KikimimiError('STAGE_TIMEOUT', `no answer within ${SUGGESTION_DEADLINE} ms`)
  const say = texts(languageOf([{ text: given.text, own: false }], given.locale ?? chat.locale()))
  try {
    const conversation = sanitizeConversation(given.conversation)
    const person = sanitizePerson(given.person, 'person')
    const asked = async () => access.refuses(conversation, person)
    const why = await withTimeout({ clock, ms: SUGGESTION_DEADLINE, late, signal: closing }, asked)
    return why === undefined ? undefined : say('refused.call')
  } catch (error) {
    log.debug(`a call is refused: ${redactError(error, [given.text])}`)
    return say('refused.call')
  }
}

/** Why a person may not give the command, as a sentence. A call that may be given is counted. */
async function refusalOf(
  { access, admit }: CommandsOptions,
  { permission, access: rule = permission === 'everyone' ? 'call' : 'order' }: NamedCommand,
  { conversation, person, locale }: Pick<CommandCall, 'conversation' | 'person' | 'locale'>,
): Promise<string | undefined> {
  const say = texts(locale)
  if (rule === 'always') return undefined
  if (rule === 'order') return (await access.refusesOrders(conversation, person)) && say('refused.orders')
  if (await access.refuses(conversation, person)) return say('refused.call')
  return (await admit(access.callerIn(conversation, person))) && say('refused.overQuota')
}

type Asked = Parameters<ChatCommands['refusal']>[0]

function commandNamed(chat: CommandsOptions, name: string): NamedCommand | undefined {
  const meant = name.normalize('NFC').toLowerCase()
  const all = commandsOf(chat)
  return all.find(one => one.name === meant) ?? all.find(({ names = {} }) => Object.values(names).includes(meant))
}

/** See {@link ChatCommands.suggest}. */
async function suggest(chat: CommandsOptions, given: GivenCommand): Promise<readonly string[]> {
  const { clock, log, closing } = chat
  const [, name = '', text] = /^\s*(\S+)\s([\s\S]*)$/.exec(sanitizeText(given.text)) ?? []
  const command = commandNamed(chat, name)
  if (!command?.complete || text === undefined || closing.aborted) return []
  const late = () => new KikimimiError('STAGE_TIMEOUT', `no suggestion within ${SUGGESTION_DEADLINE} ms`)
  try {
    return await withTimeout({ clock, ms: SUGGESTION_DEADLINE, late, signal: closing }, async signal => {
      const { permission } = command
      if (permission !== 'everyone' && !(await may(chat, given, permission))) return []
      const { at: _, ...call } = callOf(chat, given, text)
      const isOrder = command.access === 'order' || permission !== 'everyone'
      if (isOrder && (await chat.access.refusesOrders(call.conversation, call.person))) return []
      return (await command.complete?.({ ...call, words: text.trimStart().split(/\s+/), signal })) ?? []
    })
  } catch (error) {
    log.child(command.plugin).debug(`"${command.name}" could not suggest anything: ${redactError(error, [text])}`)
    return []
  }
}

/** What a command gets, but for what its own declaration and deadline add. */
function callOf(chat: CommandsOptions, given: GivenCommand, text: string): Omit<CommandCall, 'args' | 'signal'> {
  return {
    conversation: sanitizeConversation(given.conversation),
    person: sanitizePerson(given.person, 'person'),
    ...(given.message !== undefined && { message: sanitizeId(given.message) }),
    moderates: () => may(chat, given, 'moderator'),
    text,
    words: text === '' ? [] : text.split(/\s+/),
    locale: languageOf([{ text, own: false }], given.locale ?? chat.locale()),
    at: new Date(chat.clock.now()),
  }
}

async function answer(
  chat: CommandsOptions,
  command: NamedCommand,
  given: GivenCommand,
  call: Omit<CommandCall, 'args' | 'signal'>,
  refused?: () => Promise<string | undefined>,
): Promise<string> {
  const { platforms, clock, log, closing } = chat
  const say = texts(call.locale)
  const { permission } = command
  if (permission !== 'everyone' && !(await may(chat, given, permission))) return say(`onlyFor.${permission}`)
  const late = () => new KikimimiError('STAGE_TIMEOUT', `no answer within ${DEADLINE} ms`)
  try {
    const no = await refused?.()
    if (no !== undefined) return no
    const fitted = command.args ? await fit(command.args, call.words) : { value: call.words }
    if (!('value' in fitted)) return say('usage', { call: usageOf(command) })
    const said = await withTimeout({ clock, ms: DEADLINE, late, signal: closing }, async signal =>
      currentTurn.run({ conversation: call.conversation, askers: [call.person], caller: call.person }, async () =>
        command.run({ ...call, args: fitted.value, signal }),
      ),
    )
    return shortened(sanitizeText(said), platforms.get(call.conversation.platform)?.limits.textLength ?? LENGTH) || say('done')
  } catch (error) {
    log.child(command.plugin).warn(`the command "${command.name}" failed: ${redactError(error, [call.text])}`)
    return say('failed')
  }
}

/** The command as people write it: `!roll [sides]`, or `roll [sides]` after `/kiki`. */
export function usageOf({ name, prefix = '', usage }: ChatCommand): string {
  return `${prefix}${name}${usage === undefined ? '' : ` ${usage}`}`
}

/** The part of a text that fits into one message: whole lines when possible, and a sign that there is more. */
function shortened(text: string, length: number): string {
  const [whole = '', ...more] = splitText(text, length)
  if (more.length === 0) return whole
  const room = length - MORE.length
  const lines = text.slice(0, text.lastIndexOf('\n', room) + 1).trim()
  return `${lines || splitText(text, room)[0]}${MORE}`
}

async function may(
  { clock, closing }: CommandsOptions,
  given: GivenCommand,
  permission: 'moderator' | 'admin',
): Promise<boolean> {
  const late = () => new Error('the platform did not report the rights of the person')
  try {
    return await withTimeout({ clock, ms: PERMISSION_DEADLINE, late, signal: closing }, async () => given[permission]())
  } catch {
    return false
  }
}

function takes({ takes, usage }: ChatCommand, text: string): boolean {
  return takes ? takes(text) : usage !== undefined || text === ''
}
