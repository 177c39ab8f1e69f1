/** One use of the slash command: acknowledged at once, so that people see "thinking…", and answered in its place. */
import { type APIMessage, DiscordAPIError, InteractionResponseType, MessageFlags, type REST, Routes } from 'discord.js'
import { KikimimiError } from 'kikimimi'
import type { PlatformContext } from 'kikimimi/platform'
import { TEXT_LENGTH } from '../messages/text.ts'
import type { Calls } from '../rest/calls.ts'
import { sentence } from '../rest/errors.ts'
import type { Token } from './tokens.ts'

export interface Command {
  /** Puts the question above the text if both fit, because people do not see it otherwise. */
  quoting(text: string): string
  /** Posts the answer in its place. Resolves with its id, or undefined if Discord no longer accepts it. */
  answer(text: string, signal: AbortSignal): Promise<string | undefined>
  /** Time of the answer. */
  readonly answeredAt: number | undefined
  /** Posts another part below the answer. Tries once, because this call has no nonce. */
  goOn(text: string, signal: AbortSignal): Promise<string>
  /** Removes "thinking…" if it is still shown. */
  takeAway(signal: AbortSignal): Promise<void>
}

export interface CommandOptions {
  readonly ctx: Pick<PlatformContext, 'clock' | 'log'>
  readonly call: Calls
  readonly rest: REST
  readonly token: Pick<Token, 'application' | 'token'>
  /** Author and text of the question, as people read it; absent if unknown. */
  readonly asked?: { readonly author: string; readonly text: string } | undefined
  /** Resolves when Discord has the acknowledgement. */
  readonly acknowledged: Promise<unknown>
}

/** Time limit of Discord for the acknowledgement, in milliseconds. */
const ACKNOWLEDGE_MS = 3_000
/** Maximum length of the quoted question, in characters. */
const QUOTED = 200
const ACKNOWLEDGED_ALREADY = 40060

/** Acknowledges the command, so that people see "thinking…". Resolves with whether it was in time. */
export async function acknowledge(
  { ctx: { clock, log }, call, rest }: Pick<CommandOptions, 'ctx' | 'call' | 'rest'>,
  { id, token }: { readonly id: string; readonly token: string },
  signal: AbortSignal,
  flags?: MessageFlags.Ephemeral,
): Promise<boolean> {
  const late = new AbortController()
  const timer = clock.setTimeout(() => late.abort(new Error('Discord did not answer in time')), ACKNOWLEDGE_MS)
  const body = { type: InteractionResponseType.DeferredChannelMessageWithSource, ...(flags && { data: { flags } }) }
  const inTime = AbortSignal.any([late.signal, signal])
  try {
    const route = Routes.interactionCallback(id, token)
    await call(signal => rest.post(route, { body, auth: false, signal }), inTime)
    return true
  } catch (error) {
    // An earlier attempt without a response did it, or another process.
    if (refusal(error)?.code === ACKNOWLEDGED_ALREADY) return true
    if (!signal.aborted) log.warn(`a command could not be acknowledged: ${sentence(error)}`)
    return false
  } finally {
    clock.clearTimeout(timer)
  }
}

/** Answers a command to its author only. Never rejects. */
export async function answerAlone(
  deps: Pick<CommandOptions, 'ctx' | 'call' | 'rest'>,
  told: { readonly id: string; readonly application_id: string; readonly token: string },
  answer: Promise<string>,
  signal: AbortSignal,
): Promise<void> {
  const acknowledged = acknowledge(deps, told, signal, MessageFlags.Ephemeral)
  const token = { application: told.application_id, token: told.token }
  try {
    const shown = await createCommand({ ...deps, token, acknowledged }).answer(await answer, signal)
    if (shown === undefined) deps.ctx.log.debug('the answer to a command could not be shown: its time has passed')
  } catch (error) {
    if (!signal.aborted) deps.ctx.log.warn(`the answer to a command could not be shown: ${sentence(error)}`)
  }
}

export function createCommand({ ctx, call, rest, token: { application, token }, asked, acknowledged }: CommandOptions): Command {
  const { clock, log } = ctx
  const original = Routes.webhookMessage(application, token)
  /** Whether "thinking…" is still shown. */
  let open = true
  let answeredAt: number | undefined

  return {
    quoting(text) {
      const head = asked ? `> ${asked.author}: ${shortened(asked.text)}\n` : ''
      return head.length + text.length <= TEXT_LENGTH ? head + text : text
    },

    async answer(content, signal) {
      await acknowledged
      const body = { content, allowed_mentions: { parse: [] } }
      try {
        const message = await call(
          inTime => rest.patch(original, { body, auth: false, signal: inTime }) as Promise<APIMessage>,
          signal,
        )
        open = false
        answeredAt = clock.now()
        return message.id
      } catch (error) {
        if (!isGone(error)) throw error
        open = false
        return undefined
      }
    },

    get answeredAt() {
      return answeredAt
    },

    async goOn(content, signal) {
      const body = { content, allowed_mentions: { parse: [] } }
      try {
        const message = await rest.post(Routes.webhook(application, token), { body, auth: false, signal })
        return (message as APIMessage).id
      } catch (error) {
        throw new KikimimiError('PLATFORM_REFUSED', sentence(error), { cause: error })
      }
    },

    async takeAway(signal) {
      if (!open) return
      await acknowledged
      const how = { auth: false, signal }
      try {
        // Another process may have answered, or an earlier attempt of this one.
        const { flags = 0 } = await call(() => rest.get(original, how) as Promise<APIMessage>, signal)
        if (flags & MessageFlags.Loading) await call(() => rest.delete(original, how), signal)
        open = false
      } catch (error) {
        // The bot stops. Its shutdown removes "thinking…".
        if (signal.aborted) return
        open = false
        if (!isGone(error)) log.warn(`a command that is not answered could not be taken away: ${sentence(error)}`)
      }
    },
  }
}

function shortened(text: string): string {
  const line = [...text.replace(/\s+/g, ' ').trim()]
  return line.length > QUOTED ? `${line.slice(0, QUOTED - 1).join('')}…` : line.join('')
}

function refusal(error: unknown): DiscordAPIError | undefined {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof DiscordAPIError ? cause : undefined
}

/** Its time limit has passed, it was never acknowledged, or it was deleted. */
function isGone(error: unknown): boolean {
  const status = refusal(error)?.status
  return status === 404 || status === 401
}
