/** REST routes that a bot calls. */
import {
  type APIMessage,
  ChannelType,
  GatewayDispatchEvents,
  type RESTPostAPIChannelMessageJSONBody,
} from 'discord-api-types/v10'
import { type Answer, callsEveryone, checkText, ok, Refusal, type Request, type Route } from './answers.ts'
import { checkCommand, type RegisteredCommand } from './commands.ts'
import { checkComponents } from './components.ts'
import { channelData, guildData, inGuild, isThread, reactionData } from './data.ts'
import { patternOf } from './faults.ts'
import { type Deadlines, type Interaction, interactionRoutes } from './interactions.ts'
import { checkOpen, checkPost, demand, may } from './permissions.ts'
import { checkPoll, pollOf } from './shows.ts'
import { webhookRoutes } from './webhooks.ts'
import type { Channel, World } from './world.ts'

export interface Reaction {
  readonly channel: string
  readonly message: string
  /** The notation of people: `👍`, or `:name:` for an emoji of the guild. */
  readonly emoji: string
}

/** A slash command that the bot has registered. */

export interface RoutesOptions {
  readonly world: World
  readonly gatewayUrl: () => string
  /** Number of shards that Discord recommends. */
  shards(): number
  readonly maxConcurrency: number | undefined
  readonly flags: number
  readonly typingMs: number
  readonly reactions: Reaction[]
  readonly commands: RegisteredCommand[]
  readonly interactions: ReadonlyMap<string, Interaction>
  readonly deadlines: Deadlines
  dispatch(event: GatewayDispatchEvents, data: unknown, guild: string | undefined): void
  /** Sends the event of a new message. */
  announce(channel: Channel, message: APIMessage): void
}

const NONCE_LENGTH = 25
/** Discord says "the past few minutes". https://discord.com/developers/docs/resources/message#create-message */
const NONCE_LIFETIME = 5 * 60_000

/** Returns the function that answers one call. */
export function createRoutes(
  options: RoutesOptions,
): (method: string, path: string, query: URLSearchParams, body: unknown) => Answer {
  const { world, gatewayUrl, shards, maxConcurrency, flags, typingMs } = options
  const { reactions, commands, interactions, deadlines, dispatch, announce } = options
  /** Messages of the bot by nonce, in all channels, oldest first. */
  const sent = new Map<string, { readonly at: number; readonly message: APIMessage }>()

  function channelOf({ params }: Request): Channel {
    const found = world.channels.get(params.channel ?? '')
    if (!found) throw new Refusal(404, 10003, 'Unknown Channel')
    if (found.hidden || found.locked) throw new Refusal(403, 50001, 'Missing Access')
    return found
  }

  function messageOf(request: Request): APIMessage {
    const found = channelOf(request).messages.get(request.params.message ?? '')
    if (found) return found
    throw new Refusal(404, 10008, 'Unknown Message')
  }

  function ownMessage(request: Request): APIMessage {
    const message = messageOf(request)
    if (message.author.id === world.bot.id) return message
    throw new Refusal(403, 50005, 'Cannot edit a message authored by another user')
  }

  function post(request: Request): Answer {
    const channel = channelOf(request)
    const body = request.body as RESTPostAPIChannelMessageJSONBody
    const { content = '', nonce, enforce_nonce, message_reference: reference, allowed_mentions: allowed, poll, components } = body
    if (poll) checkPoll(poll)
    else checkText(content)
    checkComponents((components ?? []) as never)
    if (String(nonce ?? '').length > NONCE_LENGTH) throw new Refusal(400, 50035, 'Invalid Form Body: nonce')
    const unknown = reference?.message_id !== undefined && !channel.messages.has(reference.message_id)
    if (unknown && reference.fail_if_not_exists !== false) throw new Refusal(400, 50035, 'Invalid Form Body: message_reference')
    for (const [old, { at }] of sent) if (Date.now() - at >= NONCE_LIFETIME) sent.delete(old)
    const known = enforce_nonce ? sent.get(String(nonce)) : undefined
    if (known) return { status: 200, body: known.message }
    const refusal = checkPost(world, channel)
    if (refusal) return refusal
    if (poll) demand(world, channel, 'SendPolls')
    if (channel.archived) {
      channel.archived = false
      dispatch(GatewayDispatchEvents.ThreadUpdate, channelData(channel, world), channel.guild)
    }
    const message = world.write(channel, world.bot, content, {
      mentionEveryone: callsEveryone(content, allowed),
      ...(nonce !== undefined && { nonce }),
      more: { ...(poll && { poll: pollOf(poll) }), ...(components && { components: components as never }) },
      ...(reference?.message_id !== undefined && !unknown && { replyTo: reference.message_id }),
    })
    if (nonce !== undefined) sent.set(String(nonce), { at: Date.now(), message })
    channel.typingUntil = 0
    announce(channel, message)
    return { status: 200, body: message }
  }

  function history(request: Request): Answer {
    const { query } = request
    const channel = channelOf(request)
    // Not a refusal: without the permission, Discord returns no messages.
    if (!may(world, channel, 'ReadMessageHistory')) return ok([])
    const newestFirst = [...channel.messages.values()].sort((a, b) => compare(b.id, a.id))
    const limit = Number(query.get('limit') ?? 50)
    if (!(limit >= 1 && limit <= 100)) throw new Refusal(400, 50035, 'Invalid Form Body: limit')
    const [after, before, around] = ['after', 'before', 'around'].map(name => query.get(name))
    if (after) return { status: 200, body: newestFirst.filter(({ id }) => compare(id, after) > 0).slice(-limit) }
    if (before) return { status: 200, body: newestFirst.filter(({ id }) => compare(id, before) < 0).slice(0, limit) }
    const middle = around ? newestFirst.findIndex(({ id }) => compare(id, around) <= 0) : 0
    const start = around ? Math.max(0, middle - Math.floor(limit / 2)) : 0
    return { status: 200, body: newestFirst.slice(start, start + limit) }
  }

  /** The latest pin first: https://discord.com/developers/docs/resources/message#get-channel-pins */
  function pins(request: Request): Answer {
    const { query } = request
    const channel = channelOf(request)
    // Not a refusal: without the permission, Discord returns no pins.
    if (!may(world, channel, 'ReadMessageHistory')) return ok({ items: [], has_more: false })
    const limit = Number(query.get('limit') ?? 50)
    if (!(limit >= 1 && limit <= 50)) throw new Refusal(400, 50035, 'Invalid Form Body: limit')
    const before = query.get('before')
    const all = [...channel.pins].toReversed().flatMap(([id, pinned_at]) => {
      const message = channel.messages.get(id)
      return message ? [{ pinned_at, message }] : []
    })
    const left = all.filter(({ pinned_at }) => before === null || pinned_at < before)
    return ok({ items: left.slice(0, limit), has_more: left.length > limit })
  }

  /** `👍`, or `:name:`. */
  function emojiIn({ params: { emoji = '' } }: Request): string {
    const [name = '', id] = emoji.split(':')
    const own = [...world.guilds.values()].some(({ emojis }) => emojis.some(one => one.id === id && one.name === name))
    if (id === undefined ? /^[\w:]*$/.test(emoji) : !own) throw new Refusal(400, 10014, 'Unknown Emoji')
    return id === undefined ? emoji : `:${name}:`
  }

  function react(request: Request, removed: boolean): Answer {
    const { id: message } = messageOf(request)
    const channel = channelOf(request)
    demand(world, channel, 'ReadMessageHistory', ...(removed ? [] : ['AddReactions' as const]))
    checkOpen(channel)
    const emoji = emojiIn(request)
    const known = reactions.findIndex(one => one.message === message && one.emoji === emoji)
    if (known >= 0 !== removed) return { status: 204 }
    if (removed) reactions.splice(known, 1)
    else reactions.push({ channel: channel.id, message, emoji })
    const event = removed ? GatewayDispatchEvents.MessageReactionRemove : GatewayDispatchEvents.MessageReactionAdd
    dispatch(event, reactionData(channel, message, { by: world.bot.id, emoji }, world), channel.guild)
    return { status: 204 }
  }

  function thread(request: Request, from?: APIMessage): Answer {
    const parent = channelOf(request)
    demand(world, parent, 'CreatePublicThreads')
    if (from && world.channels.has(from.id)) throw new Refusal(400, 160004, 'A thread has already been created for this message')
    const { name, type = ChannelType.PublicThread } = request.body as { name: string; type?: ChannelType }
    const made = world.addChannel({
      name,
      type,
      parent: parent.id,
      private: type === ChannelType.PrivateThread,
      ...(parent.guild && { guild: parent.guild }),
      ...(from && { id: from.id }),
    })
    const data = channelData(made, world)
    dispatch(GatewayDispatchEvents.ThreadCreate, { ...data, newly_created: true }, made.guild)
    return { status: 201, body: data }
  }

  function person({ params: { user = '' } }: Request) {
    const found = world.userById(user)
    if (found) return found
    throw new Refusal(404, 10013, 'Unknown User')
  }

  function member(request: Request) {
    const user = person(request)
    const own = world.guilds.get(request.params.guild ?? '')?.roles.map(({ id }) => id) ?? []
    return { user, roles: [...(world.held.get(user.id) ?? [])].filter(id => own.includes(id)), flags: 0 }
  }

  const registered = (command: RegisteredCommand) => ({
    ...{ id: world.snowflake(), application_id: world.bot.id, version: '1' },
    ...command,
  })

  const limits = { total: 1_000, remaining: 1_000, reset_after: 86_400_000, max_concurrency: maxConcurrency ?? 16 }
  const routes: readonly (readonly [RegExp, Route])[] = (
    [
      ['GET /gateway/bot', () => ok({ url: gatewayUrl(), shards: shards(), session_start_limit: limits })],
      ['GET /users/@me', () => ok(world.bot)],
      ['GET /users/@me/guilds', () => ok([...world.guilds.values()].map(({ id, name }) => ({ id, name })))],
      ['GET /users/:user', request => ok(person(request))],
      [
        'POST /users/@me/channels',
        request => {
          const { recipient_id } = request.body as { recipient_id: string }
          return ok(channelData(world.direct(person({ ...request, params: { user: recipient_id } })), world))
        },
      ],
      ['GET /channels/:channel', request => ok(channelData(channelOf(request), world))],
      [
        'PATCH /channels/:channel',
        request => {
          const channel = channelOf(request)
          channel.name = (request.body as { name?: string }).name ?? channel.name
          return ok(channelData(channel, world))
        },
      ],
      ['GET /channels/:channel/messages', history],
      ['POST /channels/:channel/messages', post],
      ['GET /channels/:channel/messages/pins', pins],
      [
        'GET /channels/:channel/messages/:message',
        request => {
          demand(world, channelOf(request), 'ReadMessageHistory')
          return ok(messageOf(request))
        },
      ],
      [
        'PATCH /channels/:channel/messages/:message',
        request => {
          const [channel, message] = [channelOf(request), ownMessage(request)]
          const { content = '', components } = request.body as Pick<APIMessage, 'components'> & { content?: string }
          checkText(content)
          checkComponents(components ?? [])
          Object.assign(message, { content, ...(components && { components }), edited_timestamp: new Date().toISOString() })
          dispatch(GatewayDispatchEvents.MessageUpdate, { ...message, ...inGuild(channel) }, channel.guild)
          return ok(message)
        },
      ],
      [
        'DELETE /channels/:channel/messages/:message',
        request => {
          const [channel, { id }] = [channelOf(request), ownMessage(request)]
          channel.messages.delete(id)
          dispatch(GatewayDispatchEvents.MessageDelete, { id, channel_id: channel.id, ...inGuild(channel) }, channel.guild)
          return { status: 204 }
        },
      ],
      ['PUT /channels/:channel/messages/:message/reactions/:emoji/@me', request => react(request, false)],
      ['DELETE /channels/:channel/messages/:message/reactions/:emoji/@me', request => react(request, true)],
      [
        'POST /channels/:channel/typing',
        request => {
          channelOf(request).typingUntil = Date.now() + typingMs
          return { status: 204 }
        },
      ],
      ['POST /channels/:channel/messages/:message/threads', request => thread(request, messageOf(request))],
      ['POST /channels/:channel/threads', request => thread(request)],
      ['PUT /channels/:channel/thread-members/@me', () => ({ status: 204 })],
      [
        'GET /guilds/:guild/threads/active',
        ({ params }) => {
          const own = [...world.channels.values()].filter(channel => channel.guild === params.guild && isThread(channel))
          return ok({ threads: own.map(channel => channelData(channel, world)), members: [] })
        },
      ],
      [
        'GET /guilds/:guild',
        ({ params }) => {
          const guild = world.guilds.get(params.guild ?? '')
          if (!guild) throw new Refusal(404, 10004, 'Unknown Guild')
          return ok(guildData(guild, world))
        },
      ],
      ['GET /guilds/:guild/emojis', ({ params }) => ok(world.guilds.get(params.guild ?? '')?.emojis ?? [])],
      ['GET /guilds/:guild/members/:user', request => ok(member(request))],
      [
        'POST /applications/:app/commands',
        ({ body }) => {
          const given = body as RegisteredCommand
          checkCommand(given)
          const known = commands.findIndex(({ name }) => name === given.name)
          commands.splice(known < 0 ? commands.length : known, 1, given)
          return { status: known < 0 ? 201 : 200, body: registered(given) }
        },
      ],
      [
        'PUT /applications/:app/commands',
        ({ body }) => {
          const given = body as RegisteredCommand[]
          commands.splice(0, Number.POSITIVE_INFINITY, ...given)
          return ok(given.map(registered))
        },
      ],
      ['GET /applications/:app/commands', () => ok(commands)],
      ...['/oauth2/applications/@me', '/applications/@me'].map((path): [string, Route] => [
        `GET ${path}`,
        () => ok({ id: world.bot.id, name: world.bot.username, description: '', bot_public: true, flags }),
      ]),
      ...interactionRoutes({ world, interactions, deadlines, dispatch, announce }),
      ...webhookRoutes({ world, dispatch, announce, channelOf }),
    ] satisfies [string, Route][]
  ).map(([route, run]) => [patternOf(route), run])

  return (method, path, query, body) => {
    for (const [pattern, run] of routes) {
      const match = pattern.exec(`${method} ${path}`)
      if (!match) continue
      try {
        return run({ params: match.groups ?? {}, query, body })
      } catch (error) {
        if (error instanceof Refusal) return error.answer
        throw error
      }
    }
    return { status: 404, body: { code: 0, message: `404: Not Found (${method} ${path})` } }
  }
}

/** Compares snowflakes by age. */
function compare(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b))
}
