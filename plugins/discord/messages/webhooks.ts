/**
 * Messages under the name and the picture of a persona. Discord has them only of webhooks: one of the bot's application in each
 * channel, which posts in its threads too. https://discord.com/developers/docs/resources/webhook
 */
import {
  type APIMessage,
  type APIWebhook,
  type REST,
  type RESTPatchAPIChannelMessageJSONBody,
  type RESTPostAPIChannelMessageJSONBody,
  type RESTPostAPIWebhookWithTokenJSONBody,
  Routes,
} from 'discord.js'
import { type Clock, type Conversation, KikimimiError, type Logger, RecentMap } from 'kikimimi'
import type { Outgoing, Platform, PlatformContext } from 'kikimimi/platform'
import type { Calls } from '../rest/calls.ts'
import { createClosed } from '../rest/closed-channels.ts'
import { hasNoWebhook, isNameRefused, isNotOwn, isWebhookGone, sentence } from '../rest/errors.ts'
import { channelIn } from './conversations.ts'
import { TEXT_LENGTH } from './text.ts'
import { quotedIn, quoteOf } from './webhook-messages.ts'

type As = NonNullable<Outgoing['as']>

export interface Webhooks {
  /** Whether the persona of a place has another name than the bot, so that its messages may be those of a webhook. */
  speaksIn(conversation: Conversation): boolean
  /**
   * Posts a message under another name, at most once. Resolves with its id, or with nothing where only the bot's account can post: in
   * direct messages, without the permission, and for a name that Discord refuses.
   */
  post(
    conversation: Conversation,
    as: As,
    body: RESTPostAPIChannelMessageJSONBody,
    signal: AbortSignal,
  ): Promise<string | undefined>
  /** Edits a message: of the bot's account with `run`, of a webhook with its token. */
  edit(
    conversation: Conversation,
    message: string,
    body: RESTPatchAPIChannelMessageJSONBody,
    run: () => Promise<unknown>,
    signal: AbortSignal,
  ): Promise<unknown>
  /** The same for a deletion. */
  delete(conversation: Conversation, message: string, run: () => Promise<unknown>, signal: AbortSignal): Promise<unknown>
  /** Whether this process has posted a message under another name for another nonce. Discord shows no nonce. */
  isOfOther(message: string, nonce: string): boolean
  /** Permissions of the bot have changed. */
  forget(): void
}

export interface WebhooksOptions {
  readonly ctx: Pick<PlatformContext, 'bot'>
  readonly call: Calls
  readonly rest: REST
  readonly clock: Clock
  readonly log: Logger
  /** The id of the bot's account. */
  me(): string
  readonly find: NonNullable<Platform['find']>
  /** Aborted when the bot stops. */
  stopping(): AbortSignal
}

interface Hook {
  readonly id: string
  readonly token: string
}

interface Posted {
  readonly hook: string
  /** The line before the text that links the question, or nothing. */
  readonly quote: string
  readonly nonce?: string
}

/** People see it in the settings of the server. */
const NAME = 'kikimimi'
/** Characters of a name over a message. */
const NAME_LENGTH = 80
const REMEMBERED = 1_000

export function createWebhooks({ ctx, call, rest, clock, log, me, find, stopping }: WebhooksOptions): Webhooks {
  const hooks = new RecentMap<Promise<Hook>>(REMEMBERED)
  const without = createClosed(clock, hasNoWebhook)
  const posted = new RecentMap<Posted>(REMEMBERED)
  /** What the log has said: channels without a webhook, and refused names. */
  const told = new RecentMap<true>(REMEMBERED)
  const refusedNames = new RecentMap<true>(REMEMBERED)

  function tell(about: string, text: string, details: Record<string, string>): void {
    if (!told.has(about)) log.warn(text, details)
    told.set(about, true)
  }

  /** The webhooks that the bot has made in a channel, the oldest first. Discord shows no token of others. */
  async function ownIn(channel: string, signal: AbortSignal): Promise<Hook[]> {
    const route = Routes.channelWebhooks(channel)
    const all = await call(inTime => rest.get(route, { signal: inTime }) as Promise<APIWebhook[]>, signal)
    return all.flatMap(({ id, token, user }) => (token !== undefined && user?.id === me() ? [{ id, token }] : []))
  }

  async function ensure(channel: string): Promise<Hook> {
    const signal = stopping()
    const [own] = await ownIn(channel, signal)
    if (own) return own
    const route = Routes.channelWebhooks(channel)
    const { id, token = '' } = await call(
      inTime => rest.post(route, { body: { name: NAME }, signal: inTime }) as Promise<APIWebhook>,
      signal,
    )
    return { id, token }
  }

  /** One webhook serves a channel and all its threads. */
  function hookOf(channel: string): Promise<Hook> {
    const known = hooks.get(channel)
    if (known !== undefined) return known
    const made = without.watch(channel, () => ensure(channel))
    hooks.set(channel, made)
    made.catch(() => hooks.delete(channel))
    return made
  }

  /** Runs with the webhook of a channel, and with a new one if it was deleted. */
  async function withHook<T>(channel: string, run: (hook: Hook) => Promise<T>): Promise<T> {
    try {
      return await run(await hookOf(channel))
    } catch (error) {
      if (!isWebhookGone(error)) throw error
      hooks.delete(channel)
      return run(await hookOf(channel))
    }
  }

  async function execute(
    conversation: Conversation,
    as: As,
    given: RESTPostAPIChannelMessageJSONBody,
    signal: AbortSignal,
  ): Promise<string> {
    const { content: text = '', message_reference: reference, allowed_mentions, components } = given
    const nonce = String(given.nonce)
    const replyTo = reference?.message_id
    const quote = quoteOf(conversation, text, replyTo)
    const body: RESTPostAPIWebhookWithTokenJSONBody = {
      content: quote + text,
      username: as.name.slice(0, NAME_LENGTH),
      ...(as.picture !== undefined && { avatar_url: as.picture }),
      ...(allowed_mentions && { allowed_mentions }),
      ...(components && { components }),
    }
    const query = new URLSearchParams({ wait: 'true', ...inThread(conversation) })
    const since = new Date(clock.now())
    // A webhook knows no nonce.
    const about = { text, nonce, since, ...(replyTo !== undefined && { replyTo }) }
    const done = async () => (await find(conversation, about, signal))?.id
    return withHook(conversation.channel, async hook => {
      const post = async (inTime: AbortSignal) => {
        const how = { auth: false, body, query, signal: inTime }
        return ((await rest.post(Routes.webhook(hook.id, hook.token), how)) as APIMessage).id
      }
      const id = await call(post, signal, { done })
      posted.set(id, { hook: hook.id, quote, nonce })
      return id
    })
  }

  /** The webhook of a message. Nothing for a message of none, or of one that was deleted. */
  async function sourceOf(conversation: Conversation, message: string, signal: AbortSignal) {
    const known = posted.get(message) ?? (await lookUp(conversation, message, signal))
    if (!known) return undefined
    const latest = await hooks.get(conversation.channel)?.catch(() => undefined)
    const all = latest?.id === known.hook ? [latest] : await ownIn(conversation.channel, signal)
    const hook = all.find(({ id }) => id === known.hook)
    return hook && { hook, quote: known.quote }
  }

  async function lookUp(conversation: Conversation, message: string, signal: AbortSignal): Promise<Posted | undefined> {
    const route = Routes.channelMessage(channelIn(conversation), message)
    const { webhook_id: hook, content } = await call(inTime => rest.get(route, { signal: inTime }) as Promise<APIMessage>, signal)
    return hook === undefined ? undefined : { hook, quote: quotedIn(content) }
  }

  /** The bot's account may not edit a message of a webhook. After a restart it learns from that which one it is. */
  async function change(
    conversation: Conversation,
    message: string,
    { run, byHook }: { run(): Promise<unknown>; byHook(route: `/${string}`, quote: string): Promise<unknown> },
    signal: AbortSignal,
  ): Promise<unknown> {
    const byWebhook = async () => {
      const source = await sourceOf(conversation, message, signal)
      if (!source) return undefined
      const { hook, quote } = source
      try {
        await byHook(Routes.webhookMessage(hook.id, hook.token, message), quote)
      } catch (error) {
        if (!isWebhookGone(error)) throw error
        hooks.delete(conversation.channel)
        return undefined
      }
      return source
    }
    if (posted.has(message) && (await byWebhook())) return undefined
    try {
      return await run()
    } catch (error) {
      if (!isNotOwn(error) || !(await byWebhook())) throw error
    }
  }

  return {
    speaksIn: conversation => conversation.visibility !== 'direct' && ctx.bot.personaIn(conversation).name !== ctx.bot.name,

    async post(conversation, as, body, signal) {
      const { channel, name: channelName, visibility } = conversation
      if (visibility === 'direct' || refusedNames.has(as.name) || without.has(channel)) return undefined
      try {
        return await execute(conversation, as, body, signal)
      } catch (error) {
        const about = { channel: channelName, persona: as.name }
        const own = 'The bot posts under its own name.'
        if (isNameRefused(error)) {
          refusedNames.set(as.name, true)
          tell(`name ${as.name}`, `Discord refuses the name or the picture of a persona. ${own} ${sentence(error)}`, about)
        } else if (without.has(channel)) {
          tell(`channel ${channel}`, `no webhook for the name of a persona. ${own} ${reasonOf(error)}`, about)
        } else throw error
        return undefined
      }
    },

    edit(conversation, message, { content, ...body }, run, signal) {
      const query = new URLSearchParams(inThread(conversation))
      const byHook = (route: `/${string}`, quote: string) => {
        const fits = quote.length + (content ?? '').length <= TEXT_LENGTH
        const edited = { ...body, content: fits ? `${quote}${content ?? ''}` : content }
        return call(inTime => rest.patch(route, { auth: false, body: edited, query, signal: inTime }), signal)
      }
      return change(conversation, message, { run, byHook }, signal)
    },

    delete(conversation, message, run, signal) {
      const query = new URLSearchParams(inThread(conversation))
      const byHook = (route: `/${string}`) => call(inTime => rest.delete(route, { auth: false, query, signal: inTime }), signal)
      return change(conversation, message, { run, byHook }, signal)
    },

    isOfOther(message, nonce) {
      const known = posted.get(message)
      return known !== undefined && known.nonce !== nonce
    },

    forget: () => without.forget(),
  }
}

/** What to do, besides the answer of Discord. */
function reasonOf(error: unknown): string {
  const cause = error instanceof KikimimiError ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  const todo = code === 30007 ? 'Delete one of the webhooks of the channel' : 'Give its role Manage Webhooks there'
  return `${todo} (${sentence(error)})`
}

function inThread({ thread }: Conversation): { thread_id?: string } {
  return thread === undefined ? {} : { thread_id: thread }
}
