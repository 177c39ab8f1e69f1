/** The REST routes that a bot calls, over the world. */
import {
  type APIMessage,
  ChannelType,
  GatewayDispatchEvents,
  type RESTPostAPIChannelMessageJSONBody,
} from 'discord-api-types/v10'
import { patternOf } from './faults.ts'
import { type Channel, channelData, guildData, isThread, type World } from './world.ts'

export interface Request {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: unknown
}

/** What is answered; 204 without a body. */
export interface Answer {
  readonly status: number
  readonly body?: unknown
}

/** A slash command that somebody has used. */
export interface Interaction {
  readonly id: string
  readonly token: string
  readonly channel: string
  /** People see "kiki is thinking…". */
  deferred: boolean
  /** What was answered, oldest first. */
  readonly answers: string[]
}

export interface Reaction {
  readonly channel: string
  readonly message: string
  /** As people see it: `👍`, or `:name:` for one of the guild's own. */
  readonly emoji: string
}

export interface RoutesOptions {
  readonly world: World
  readonly gatewayUrl: () => string
  readonly shards: number
  readonly typingMs: number
  readonly reactions: Reaction[]
  readonly commands: unknown[]
  readonly interactions: Map<string, Interaction>
  dispatch(event: GatewayDispatchEvents, data: unknown, guild: string | undefined): void
  /** A new message, told to whoever listens. */
  announce(channel: Channel, message: APIMessage): void
}

/** An error as Discord tells it. https://discord.com/developers/docs/topics/opcodes-and-status-codes */
class Refusal extends Error {
  readonly answer: Answer
  constructor(status: number, code: number, message: string) {
    super(message)
    this.answer = { status, body: { code, message } }
  }
}

type Route = readonly [pattern: RegExp, run: (request: Request) => Answer]

const TEXT_LENGTH = 2_000
const NONCE_LENGTH = 25

/** Answers one call. */
export function createRoutes(
  options: RoutesOptions,
): (method: string, path: string, query: URLSearchParams, body: unknown) => Answer {
  const { world, gatewayUrl, shards, typingMs, reactions, commands, interactions, dispatch, announce } = options
  const sent = new Map<string, APIMessage>()

  function channelOf({ params }: Request): Channel {
    const found = world.channels.get(params.channel ?? '')
    if (found) return found
    throw new Refusal(404, 10003, 'Unknown Channel')
  }

  function messageOf(request: Request): APIMessage {
    const found = channelOf(request).messages.get(request.params.message ?? '')
    if (found) return found
    throw new Refusal(404, 10008, 'Unknown Message')
  }

  function post(request: Request): Answer {
    const channel = channelOf(request)
    const body = request.body as RESTPostAPIChannelMessageJSONBody
    const { content = '', nonce, enforce_nonce, message_reference: reference, allowed_mentions: allowed } = body
    checkText(content)
    if (String(nonce ?? '').length > NONCE_LENGTH) throw new Refusal(400, 50035, 'Invalid Form Body: nonce')
    const unknown = reference?.message_id !== undefined && !channel.messages.has(reference.message_id)
    if (unknown && reference.fail_if_not_exists !== false) throw new Refusal(400, 50035, 'Invalid Form Body: message_reference')
    const key = `${channel.id} ${nonce}`
    const known = enforce_nonce ? sent.get(key) : undefined
    if (known) return { status: 200, body: known }
    const everyone = /@(?:everyone|here)/.test(content) && (allowed?.parse?.some(one => one === 'everyone') ?? true)
    const message = world.write(channel, world.bot, content, {
      mentionEveryone: everyone,
      ...(nonce !== undefined && { nonce }),
      ...(reference?.message_id !== undefined && !unknown && { replyTo: reference.message_id }),
    })
    if (nonce !== undefined) sent.set(key, message)
    channel.typingUntil = 0
    announce(channel, message)
    return { status: 200, body: message }
  }

  function history(request: Request): Answer {
    const { query } = request
    const newestFirst = [...channelOf(request).messages.values()].sort((a, b) => compare(b.id, a.id))
    const limit = Number(query.get('limit') ?? 50)
    if (!(limit >= 1 && limit <= 100)) throw new Refusal(400, 50035, 'Invalid Form Body: limit')
    const [after, before, around] = ['after', 'before', 'around'].map(name => query.get(name))
    if (after) return { status: 200, body: newestFirst.filter(({ id }) => compare(id, after) > 0).slice(-limit) }
    if (before) return { status: 200, body: newestFirst.filter(({ id }) => compare(id, before) < 0).slice(0, limit) }
    const middle = around ? newestFirst.findIndex(({ id }) => compare(id, around) <= 0) : 0
    const start = around ? Math.max(0, middle - Math.floor(limit / 2)) : 0
    return { status: 200, body: newestFirst.slice(start, start + limit) }
  }

  function react(request: Request): Answer {
    const message = messageOf(request)
    const { emoji = '' } = request.params
    const [name = '', id] = emoji.split(':')
    const own = [...world.guilds.values()].some(({ emojis }) => emojis.some(one => one.id === id && one.name === name))
    if (id === undefined ? /^[\w:]*$/.test(emoji) : !own) throw new Refusal(400, 10014, 'Unknown Emoji')
    reactions.push({ channel: message.channel_id, message: message.id, emoji: id === undefined ? emoji : `:${name}:` })
    return { status: 204 }
  }

  function thread(request: Request, from?: APIMessage): Answer {
    const parent = channelOf(request)
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

  function interactionOf({ params: { token = '' } }: Request): Interaction {
    const found = [...interactions.values()].find(one => one.token === token)
    if (found) return found
    throw new Refusal(404, 10062, 'Unknown interaction')
  }

  function callback(request: Request): Answer {
    const interaction = interactionOf(request)
    const { type, data } = request.body as { type: number; data?: { content?: string } }
    if (interaction.deferred || interaction.answers.length > 0) throw new Refusal(400, 40060, 'Interaction already acknowledged')
    // https://discord.com/developers/docs/interactions/receiving-and-responding: 5 defers, 4 answers.
    if (type === 5) interaction.deferred = true
    else interaction.answers.push(data?.content ?? '')
    return { status: 204 }
  }

  function answer(request: Request): Answer {
    const interaction = interactionOf(request)
    const { content = '' } = request.body as { content?: string }
    checkText(content)
    interaction.deferred = false
    interaction.answers.push(content)
    const channel = world.channel(interaction.channel)
    const message = world.write(channel, world.bot, content)
    announce(channel, message)
    return { status: 200, body: message }
  }

  const limits = { total: 1_000, remaining: 1_000, reset_after: 86_400_000, max_concurrency: 16 }
  const routes: readonly Route[] = (
    [
      ['GET /gateway/bot', () => ok({ url: gatewayUrl(), shards, session_start_limit: limits })],
      ['GET /users/@me', () => ok(world.bot)],
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
      ['GET /channels/:channel/messages/:message', request => ok(messageOf(request))],
      [
        'PATCH /channels/:channel/messages/:message',
        request => {
          const message = messageOf(request)
          const { content = '' } = request.body as { content?: string }
          checkText(content)
          Object.assign(message, { content, edited_timestamp: new Date().toISOString() })
          return ok(message)
        },
      ],
      [
        'DELETE /channels/:channel/messages/:message',
        request => {
          channelOf(request).messages.delete(messageOf(request).id)
          return { status: 204 }
        },
      ],
      ['PUT /channels/:channel/messages/:message/reactions/:emoji/@me', react],
      ['DELETE /channels/:channel/messages/:message/reactions/:emoji/@me', () => ({ status: 204 })],
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
      ['GET /guilds/:guild/members/:user', request => ok({ user: person(request), roles: [], flags: 0 })],
      [
        'PUT /applications/:app/commands',
        ({ body }) => {
          const given = body as object[]
          commands.splice(0, Number.POSITIVE_INFINITY, ...given)
          return ok(given.map(command => ({ id: world.snowflake(), application_id: world.bot.id, version: '1', ...command })))
        },
      ],
      ['GET /applications/:app/commands', () => ok(commands)],
      ['POST /interactions/:id/:token/callback', callback],
      ['PATCH /webhooks/:app/:token/messages/@original', answer],
      ['POST /webhooks/:app/:token', answer],
    ] satisfies [string, Route[1]][]
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

const ok = (body: unknown): Answer => ({ status: 200, body })

function checkText(text: string): void {
  if (text.trim() === '') throw new Refusal(400, 50006, 'Cannot send an empty message')
  if (text.length > TEXT_LENGTH) throw new Refusal(400, 50035, `Invalid Form Body: content: ${text.length} characters`)
}

/** Snowflakes by age. */
function compare(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b))
}
