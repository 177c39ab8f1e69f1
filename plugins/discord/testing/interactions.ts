/** Slash commands of people, and the routes that answer them. */
import {
  type APIMessage,
  type APIUser,
  GatewayDispatchEvents,
  type InteractionResponseType,
  InteractionType,
  MessageFlags,
  MessageType,
  type RESTPatchAPIWebhookWithTokenMessageJSONBody,
  type RESTPostAPIInteractionCallbackJSONBody,
  type RESTPostAPIWebhookWithTokenJSONBody,
} from 'discord-api-types/v10'
import { type Answer, callsEveryone, checkText, ok, Refusal, type Request, type Route } from './answers.ts'
import { inGuild } from './data.ts'
import type { Channel, World } from './world.ts'

/** A use of a slash command. */
export interface Interaction {
  readonly id: string
  readonly token: string
  readonly channel: string
  /** When it was used, in milliseconds since the epoch. */
  readonly at: number
  /** The author. */
  readonly user: APIUser
  /** Whether people see "kiki is thinking…". */
  deferred: boolean
  /** Suggestions of autocompletion. */
  choices?: readonly string[]
  /** Whether only its author sees the answers. */
  ephemeral: boolean
  /** The answers, oldest first. */
  readonly answers: string[]
  /** The first answer, while it exists. */
  original?: APIMessage
}

/** https://discord.com/developers/docs/interactions/receiving-and-responding */
export interface Deadlines {
  /** Time for the acknowledgement, in milliseconds. Default 3_000. */
  readonly acknowledgeMs?: number
  /** Time for the answers, in milliseconds. Default 15 minutes. */
  readonly answerMs?: number
}

export interface InteractionsOptions {
  readonly world: World
  readonly interactions: ReadonlyMap<string, Interaction>
  readonly deadlines: Deadlines
  dispatch(event: GatewayDispatchEvents, data: unknown, guild: string | undefined): void
  announce(channel: Channel, message: APIMessage): void
}

const DEFER: InteractionResponseType.DeferredChannelMessageWithSource = 5
const SUGGEST: InteractionResponseType.ApplicationCommandAutocompleteResult = 8

export function interactionRoutes({
  world,
  interactions,
  deadlines: { acknowledgeMs = 3_000, answerMs = 15 * 60_000 },
  dispatch,
  announce,
}: InteractionsOptions): [string, Route][] {
  const acknowledged = new Set<string>()

  function interactionOf({ params: { token = '' } }: Request): Interaction {
    const found = [...interactions.values()].find(one => one.token === token)
    if (found) return found
    throw new Refusal(404, 10062, 'Unknown interaction')
  }

  /** For the routes that answer. */
  function openOf(request: Request): Interaction {
    const interaction = interactionOf(request)
    if (!acknowledged.has(interaction.id)) throw new Refusal(404, 10015, 'Unknown Webhook')
    if (Date.now() - interaction.at > answerMs) throw new Refusal(401, 50027, 'Invalid Webhook Token')
    return interaction
  }

  function originalOf(interaction: Interaction): APIMessage {
    if (interaction.original) return interaction.original
    throw new Refusal(404, 10008, 'Unknown Message')
  }

  /** The bot gets no events of other servers and groups. */
  function isMember({ guild, hidden }: Channel): boolean {
    return guild === undefined ? !hidden : world.guilds.has(guild)
  }

  function write(interaction: Interaction, text: string, flags: number, mentionEveryone = false): APIMessage {
    const channel = world.channel(interaction.channel)
    const { id, user } = interaction
    const type = InteractionType.ApplicationCommand
    const message = world.write(channel, world.bot, text, {
      mentionEveryone,
      more: {
        type: MessageType.ChatInputCommand,
        flags,
        webhook_id: world.bot.id,
        application_id: world.bot.id,
        interaction_metadata: { id, type, user, authorizing_integration_owners: {} },
      },
    })
    if (flags & MessageFlags.Ephemeral) channel.messages.delete(message.id)
    else if (isMember(channel)) announce(channel, message)
    return message
  }

  function callback(request: Request): Answer {
    const interaction = interactionOf(request)
    const { type, ...rest } = request.body as RESTPostAPIInteractionCallbackJSONBody
    if (Date.now() - interaction.at > acknowledgeMs) throw new Refusal(404, 10062, 'Unknown interaction')
    if (acknowledged.has(interaction.id)) throw new Refusal(400, 40060, 'Interaction has already been acknowledged.')
    acknowledged.add(interaction.id)
    if (type === SUGGEST) {
      interaction.choices =
        'data' in rest && rest.data && 'choices' in rest.data ? (rest.data.choices?.map(({ name }) => name) ?? []) : []
      return { status: 204 }
    }
    const flags = ('data' in rest && rest.data && 'flags' in rest.data && rest.data.flags) || 0
    interaction.ephemeral = (flags & MessageFlags.Ephemeral) !== 0
    if (type === DEFER) {
      interaction.deferred = true
      interaction.original = write(interaction, '', MessageFlags.Loading | flags)
      return { status: 204 }
    }
    const content = ('data' in rest && rest.data && 'content' in rest.data && rest.data.content) || ''
    interaction.answers.push(content)
    interaction.original = write(interaction, content, flags)
    return { status: 204 }
  }

  function replace(request: Request): Answer {
    const interaction = openOf(request)
    const message = originalOf(interaction)
    const { content, allowed_mentions: allowed } = request.body as RESTPatchAPIWebhookWithTokenMessageJSONBody
    checkText(content ?? '')
    const flags = interaction.ephemeral ? MessageFlags.Ephemeral : 0
    Object.assign(message, { content, flags, mention_everyone: callsEveryone(content ?? '', allowed) })
    interaction.deferred = false
    interaction.answers.push(message.content)
    const channel = world.channel(interaction.channel)
    if (!interaction.ephemeral) dispatch(GatewayDispatchEvents.MessageUpdate, { ...message, ...inGuild(channel) }, channel.guild)
    return ok(message)
  }

  function takeAway(request: Request): Answer {
    const interaction = openOf(request)
    const { id } = originalOf(interaction)
    const channel = world.channel(interaction.channel)
    channel.messages.delete(id)
    delete interaction.original
    interaction.deferred = false
    dispatch(GatewayDispatchEvents.MessageDelete, { id, channel_id: channel.id, ...inGuild(channel) }, channel.guild)
    return { status: 204 }
  }

  function follow(request: Request): Answer {
    const interaction = openOf(request)
    const { content = '', allowed_mentions: allowed } = request.body as RESTPostAPIWebhookWithTokenJSONBody
    checkText(content)
    interaction.answers.push(content)
    return ok(write(interaction, content, 0, callsEveryone(content, allowed)))
  }

  const own = `/webhooks/${world.bot.id}/:token`
  return [
    ['POST /interactions/:id/:token/callback', callback],
    [`GET ${own}/messages/@original`, request => ok(originalOf(openOf(request)))],
    [`PATCH ${own}/messages/@original`, replace],
    [`DELETE ${own}/messages/@original`, takeAway],
    [`POST ${own}`, follow],
  ]
}
