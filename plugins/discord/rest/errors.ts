/** The meaning of Discord's errors, with remedies. */
import { DiscordAPIError, DiscordjsError, DiscordjsErrorCodes, GatewayCloseCodes, HTTPError, RateLimitError } from 'discord.js'
import { type ErrorCode, KikimimiError } from 'kikimimi'

const PORTAL = 'https://discord.com/developers/applications'
const TOKEN = `Copy a new one from Bot → Reset Token at ${PORTAL} into DISCORD_TOKEN.`

export const CONTENT = `The bot may not read messages. Switch on Bot → Message Content Intent at ${PORTAL}.`

/** Close codes that no reconnect can repair. */
const FATAL: Readonly<Record<number, string>> = {
  [GatewayCloseCodes.AuthenticationFailed]: `Discord does not accept the bot's token. ${TOKEN}`,
  [GatewayCloseCodes.InvalidShard]: `Discord knows no such shard. Set shards: 'auto' in bot.config.ts.`,
  [GatewayCloseCodes.ShardingRequired]: `The bot is in so many servers that it needs more shards. Set shards: 'auto' in bot.config.ts.`,
  [GatewayCloseCodes.InvalidAPIVersion]: 'Discord has ended this version of its API. Update discord.js.',
  [GatewayCloseCodes.InvalidIntents]: 'Discord does not know an intent that the bot asks for. Update discord.js.',
  [GatewayCloseCodes.DisallowedIntents]: CONTENT,
}

/** The message for a close code that ends the connection permanently. */
export function fatal(code: number | undefined): string | undefined {
  return code === undefined ? undefined : FATAL[code]
}

/** The error that ends the bot or its start. `code` is Discord's close code, or 401. */
export function fatalError(code: number, kind: 'PLATFORM_START_FAILED' | 'PLATFORM_LOST'): KikimimiError {
  const told = fatal(code) ?? `Discord no longer accepts the bot's token. ${TOKEN}`
  return failure(kind, `${told} (Discord: ${code})`)
}

/** Why a login failed permanently; undefined if a retry may help. */
export function loginRefused(error: unknown, closeCode: number | undefined): KikimimiError | undefined {
  if (fatal(closeCode) && closeCode !== undefined) return fatalError(closeCode, 'PLATFORM_START_FAILED')
  const isOfToken = error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid
  if (isOfToken || (error instanceof DiscordAPIError && error.status === 401)) {
    return fatalError(GatewayCloseCodes.AuthenticationFailed, 'PLATFORM_START_FAILED')
  }
  const noSessions = error instanceof Error && /^Not enough sessions remaining/.test(error.message)
  if (noSessions) return failure('PLATFORM_START_FAILED', `Discord allows no further login for now: ${error.message}.`)
  return isTemporary(error) ? undefined : failure('PLATFORM_START_FAILED', `Discord refused the login: ${sentence(error)}`)
}

export function unreachable(error: unknown, url = 'https://discord.com/api'): KikimimiError {
  const why = error === undefined ? 'no answer' : sentence(error)
  return failure(
    'PLATFORM_START_FAILED',
    `Discord cannot be reached at ${url} (${why}). Is the network up? https://discordstatus.com tells whether Discord is.`,
  )
}

function failure(code: ErrorCode, message: string): KikimimiError {
  return new KikimimiError(code, `[discord] ${message}`)
}

/** Whether the same call may succeed later. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof DiscordAPIError) return error.status >= 500
  // All other errors of a call come from the network: refused, reset, timed out, cut off.
  return !(error instanceof DiscordjsError) && !(error instanceof RangeError)
}

/** Whether an error is about one call, and says nothing about the connection. */
export function isOfCall({ code }: KikimimiError): boolean {
  return code === 'PLATFORM_REFUSED' || code === 'PLATFORM_UNAVAILABLE'
}

/** Codes of a lasting refusal in a channel. https://discord.com/developers/docs/topics/opcodes-and-status-codes */
const UNSEEN = [10003, 50001]
/** No direct messages, missing permissions. */
const UNWANTED = [50007, 50013]
const UNKNOWN_MESSAGE = 10008
const HAS_THREAD = 160004
/** Unknown Webhook, Invalid Webhook Token. */
const NO_WEBHOOK = [10015, 50027]
/** The bot may not manage webhooks, the channel has too many, or it is of a kind that has none. */
const WITHOUT_WEBHOOK = [30007, 50001, 50013, 50024]
/** The message is of another author, or deleting it takes a permission. */
const NOT_OWN = [50005, 50013]
/** No such member, no such account. */
const STRANGER = [10007, 10013]

/** Whether an error means that the channel is gone, or that the bot cannot see it. */
export function isUnseen(error: unknown): boolean {
  return isOneOf(error, UNSEEN)
}

/** The same, or that the bot may not make this call there. */
export function isClosed(error: unknown): boolean {
  return isOneOf(error, [...UNSEEN, ...UNWANTED])
}

/** Whether the message has a thread already. */
export function hasThread(error: unknown): boolean {
  return isOneOf(error, [HAS_THREAD])
}

/** Whether Discord refuses the call for good. */
export function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof DiscordAPIError && !isTemporary(cause)
}

export function isUnknownMessage(error: unknown): boolean {
  return isOneOf(error, [UNKNOWN_MESSAGE])
}

/** Whether a webhook was deleted. */
export function isWebhookGone(error: unknown): boolean {
  return isOneOf(error, NO_WEBHOOK)
}

/** Whether the bot can have no webhook in the channel. */
export function hasNoWebhook(error: unknown): boolean {
  return isOneOf(error, WITHOUT_WEBHOOK)
}

/** Whether a message is not of the bot's account. */
export function isNotOwn(error: unknown): boolean {
  return isOneOf(error, NOT_OWN)
}

/** Whether Discord refuses the name or the picture over a message. */
export function isNameRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  const errors = cause instanceof DiscordAPIError && 'errors' in cause.rawError ? cause.rawError.errors : undefined
  return typeof errors === 'object' && ('username' in errors || 'avatar_url' in errors)
}

/** Whether an error means that there is no such member: the person has left, or the author is a webhook. */
export function isStranger(error: unknown): boolean {
  return isOneOf(error, STRANGER)
}

function isOneOf(error: unknown, codes: readonly (number | string)[]): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof DiscordAPIError && codes.includes(cause.code)
}

const MEANINGS = new Map<number | string, string>([
  [10003, 'the channel is gone'],
  [10008, 'the message is gone'],
  [10014, 'there is no such emoji here'],
  [50001, 'the bot cannot see the channel: give its role View Channel there'],
  [50007, 'this person takes no direct messages from the bot'],
  [
    50013,
    'the bot may not: give its role Send Messages (in Threads), Read Message History, Add Reactions and Create Polls there',
  ],
  [30010, 'the message has too many reactions'],
  [50083, 'the thread or post is closed'],
  [160005, 'the thread is locked'],
])

/** The error as a sentence without a token or a message text. */
export function sentence(error: unknown): string {
  if (error instanceof DiscordAPIError) {
    // The class takes any response with an error status for one of the API.
    if (error.code === undefined) return `Discord answered ${error.status} with a page, not as its API does`
    const meaning = MEANINGS.get(error.code)
    const told = `Discord: ${error.code} ${error.rawError && 'message' in error.rawError ? error.rawError.message : error.message}`
    return meaning ? `${meaning} (${told})` : told
  }
  if (error instanceof RateLimitError) {
    return error.retryAfter > 0
      ? `Discord asks to wait for ${Math.ceil(error.retryAfter / 1_000)} s`
      : 'Discord asks to slow down (429)'
  }
  if (error instanceof KikimimiError) return error.message
  if (error instanceof HTTPError) return `Discord answered ${error.status}`
  if (!(error instanceof Error)) return 'the connection failed'
  if (error.name === 'AbortError') return 'Discord did not answer in time'
  return 'code' in error && typeof error.code === 'string' ? `the connection failed: ${error.code}` : error.message
}
