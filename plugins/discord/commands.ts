/** The slash command, `/kiki text`: told to Discord, and what becomes of each use of it. */
import {
  type APIChatInputApplicationCommandInteraction,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  type Client,
  type GatewayInteractionCreateDispatchData,
  InteractionContextType,
  InteractionType,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
  Routes,
  SnowflakeUtil,
} from 'discord.js'
import type { App, IncomingMessage, PluginParts } from 'kikimimi'
import type { Calls } from './calls.ts'
import { type Command, createCommand } from './command.ts'
import { personOf, textOf } from './messages.ts'
import { namesIn } from './places.ts'
import { sentence } from './trouble.ts'

export interface Commands {
  /** Tells Discord of it. Never rejects: without it the bot still hears who mentions it. */
  register(client: Client<true>, signal: AbortSignal): Promise<void>
  /** Acknowledges it. Nothing when it is none of ours, or has come before. */
  begin(client: Client, told: GatewayInteractionCreateDispatchData, signal: AbortSignal): Begun | undefined
  /** By the id of its message. */
  find(id: string | undefined): Command | undefined
  /** The one that was answered last in a channel, so short a time ago that its answer may not have ended. */
  answeredIn(channel: string): Command | undefined
  after: NonNullable<PluginParts['after']>
}

export interface Begun {
  readonly command: Command
  /** What it is to the bot: a message that mentions it. */
  readonly message: Omit<IncomingMessage, 'conversation'>
  readonly interaction: APIChatInputApplicationCommandInteraction
}

/** Discord takes an answer for 15 minutes. The rest is for taking "thinking…" away. */
const LIFETIME = 14.5 * 60_000
const REMEMBERED = 1_000
/** Milliseconds in which the rest of an answer follows its beginning. */
const GOES_ON = 60_000
/** Milliseconds for the last words to Discord when the bot stops. */
const FAREWELL_MS = 2_000
const OPTION = 'text'

export function createCommands(app: Pick<App, 'clock' | 'log' | 'persona' | 'scope'>, call: Calls): Commands {
  const { clock, log, scope } = app
  const name = commandName(app.persona.name)
  const known = new Map<string, { readonly command: Command; readonly channel: string; readonly timer: unknown }>()
  const stopped = new AbortController()

  scope.defer(async () => {
    // What is answered after the next start is posted in the channel.
    const farewell = clock.setTimeout(() => {
      log.warn('a command that is not answered may still show the bot thinking: Discord did not answer in time')
      stopped.abort(new Error('The bot has stopped.'))
    }, FAREWELL_MS)
    await Promise.all([...known.keys()].map(forget))
    clock.clearTimeout(farewell)
  })

  async function forget(id: string): Promise<void> {
    const found = known.get(id)
    if (!found) return
    known.delete(id)
    clock.clearTimeout(found.timer)
    await found.command.takeAway(stopped.signal)
  }

  return {
    async register(client, signal) {
      const route = Routes.applicationCommands(client.application.id)
      try {
        // By name: what else the application has stays as it is.
        await call(inTime => client.rest.post(route, { body: definitionOf(name), signal: inTime }), signal)
      } catch (error) {
        if (!signal.aborted) log.warn(`the command /${name} could not be registered: ${sentence(error)}`)
      }
    },

    begin(client, told, signal) {
      if (!isChatInput(told) || told.data.name !== name || known.has(told.id)) return undefined
      const user = told.member?.user ?? told.user
      if (!user) return undefined
      const names = namesIn(client, told.guild_id)
      const author = personOf(user, told.member?.nick)
      const option = told.data.options?.find(one => one.name === OPTION)
      const content = option?.type === ApplicationCommandOptionType.String ? option.value : ''
      const text = textOf({ content, mentions: [] }, names)
      const command = createCommand({
        ...{ app, call, rest: client.rest, interaction: told, author: author.name, text, signal },
      })
      const timer = clock.setTimeout(() => void forget(told.id), LIFETIME)
      known.set(told.id, { command, channel: told.channel.id, timer })
      const [oldest] = known.keys()
      if (known.size > REMEMBERED && oldest !== undefined) void forget(oldest)
      const at = new Date(SnowflakeUtil.timestampFrom(told.id))
      return { command, message: { id: told.id, author, text, at, mentions: [names.me] }, interaction: told }
    },

    find: id => (id === undefined ? undefined : known.get(id)?.command),

    answeredIn(channel) {
      const here = [...known.values()].filter(one => one.channel === channel).map(({ command }) => command)
      const latest = here.toSorted((a, b) => (a.answeredAt ?? 0) - (b.answeredAt ?? 0)).at(-1)
      return latest && clock.now() - (latest.answeredAt ?? 0) < GOES_ON ? latest : undefined
    },

    async after({ messages, signal }, { outcome }) {
      // Another turn follows, or another process has the word.
      if (outcome === 'delayed' || outcome === 'cancelled') return
      await Promise.all(messages.map(({ id }) => known.get(id)?.command.takeAway(signal)))
    },
  }
}

/** https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-naming */
function commandName(persona: string): string {
  const name = persona.toLowerCase()
  return /^[-_'\p{L}\p{N}\p{Script=Devanagari}\p{Script=Thai}]{1,32}$/u.test(name) ? name : 'kiki'
}

function definitionOf(name: string): RESTPostAPIChatInputApplicationCommandsJSONBody {
  return {
    name,
    type: ApplicationCommandType.ChatInput,
    description: 'Say something to the bot',
    description_localizations: { ja: 'ボットに話しかけます' },
    // Where it can hear and speak.
    integration_types: [ApplicationIntegrationType.GuildInstall],
    contexts: [InteractionContextType.Guild, InteractionContextType.BotDM],
    options: [
      {
        name: OPTION,
        type: ApplicationCommandOptionType.String,
        description: 'What you want to say',
        description_localizations: { ja: '言いたいこと' },
        required: true,
      },
    ],
  }
}

function isChatInput(told: GatewayInteractionCreateDispatchData): told is APIChatInputApplicationCommandInteraction {
  return told.type === InteractionType.ApplicationCommand && told.data.type === ApplicationCommandType.ChatInput
}
