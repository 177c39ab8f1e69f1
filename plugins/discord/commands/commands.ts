/** The slash command `/kiki text`: its registration and its uses. */
import {
  type APIChatInputApplicationCommandInteraction,
  ApplicationCommandType,
  type GatewayInteractionCreateDispatchData,
  InteractionType,
  type REST,
  Routes,
  SnowflakeUtil,
} from 'discord.js'
import { type Conversation, commandName, type IncomingMessage, type PluginHooks, RecentMap } from 'kikimimi'
import { ChatCommands, type PlatformContext } from 'kikimimi/platform'
import { channelIn, type Place } from '../messages/conversations.ts'
import { personOf } from '../messages/messages.ts'
import { type Names, textOf } from '../messages/text.ts'
import type { Calls } from '../rest/calls.ts'
import { sentence } from '../rest/errors.ts'
import { texts } from '../texts.ts'
import { acknowledge, answerAlone, type Command, createCommand } from './command.ts'
import { isCompletion, suggest } from './completion.ts'
import { languageOf, moderates } from './interactions.ts'
import { isMenu, menusOf, pressedButton, usedMenu } from './menus.ts'
import { createTokens, type Token } from './tokens.ts'
import { treeOf, typedIn } from './tree.ts'

export interface Commands {
  /** Registers the command. Never rejects, because mentions work without it. */
  register(application: string, signal: AbortSignal): Promise<void>
  /** Handles a request for autocompletion. Returns whether it was one. */
  complete(told: GatewayInteractionCreateDispatchData, where: Where | undefined, signal: AbortSignal): boolean
  /** Handles a press of a button under an answer of the bot, or the use of the menu of a message. Returns whether it was one. */
  press(told: GatewayInteractionCreateDispatchData, where: Where | undefined, signal: AbortSignal): boolean
  /**
   * Acknowledges a command. Undefined if it is of another application, was received before, is a chat command, which is
   * answered here, or is of a person who may not call the bot.
   */
  begin(told: GatewayInteractionCreateDispatchData, where: Where, signal: AbortSignal): Promise<Begun | undefined>
  /** Removes "thinking…" where the bot does not listen. */
  dismiss(id: string, signal: AbortSignal): Promise<void>
  /** Finds a command by the id of its message, in this process or another. */
  find(conversation: Conversation, id: string | undefined): Promise<Command | undefined>
  /** The last answered command of a channel, if further parts of its answer may follow. */
  answeredIn(channel: string): Command | undefined
  after: NonNullable<PluginHooks['after']>
}

/** The place of a command, as far as it is known at once. */
export interface Where {
  readonly names: Names
  readonly place: Place
  /** Whether the author may manage the whole server. */
  readonly isAdmin: boolean
}

export interface Begun {
  /** The command as a message that mentions the bot. */
  readonly message: Omit<IncomingMessage, 'conversation'>
  readonly interaction: APIChatInputApplicationCommandInteraction
  /** Resolves when any process could answer, or when only this one can. Never rejects. */
  readonly kept: Promise<void>
}

/** Discord accepts an answer for 15 minutes. The rest is for removing "thinking…". */
const LIFETIME = 14.5 * 60_000
const REMEMBERED = 1_000
/** Time in which further parts of an answer follow, in milliseconds. */
const GOES_ON = 60_000
/** Time limit for calls while the bot stops, in milliseconds. */
const FAREWELL_MS = 2_000

export interface CommandsOptions {
  readonly call: Calls
  readonly rest: REST
  /** Whether people can use the command where the bot is no member. */
  readonly userInstall: boolean
}

type CommandsApp = Pick<PlatformContext, 'bot' | 'clock' | 'command' | 'db' | 'history' | 'log' | 'refusal' | 'scope' | 'use'>

export function createCommands(ctx: CommandsApp, { call, rest, userInstall }: CommandsOptions): Commands {
  const { clock, log, scope } = ctx
  const name = commandName(ctx.bot)
  const known = new Map<string, { readonly command: Command; readonly channel: string; readonly timer: unknown }>()
  /** Commands whose author is being looked up. */
  const beginning = new Set<string>()
  /** Chat commands that were answered. */
  const answered = new RecentMap<true>(REMEMBERED)
  const stopped = new AbortController()
  // With a server, any process may run the turn.
  const tokens = ctx.db.kind === 'postgres' ? createTokens(ctx) : undefined

  scope.defer(async () => {
    if (tokens) {
      // Another process answers, or this one after its restart.
      for (const { timer } of known.values()) clock.clearTimeout(timer)
      return
    }
    // An answer after the next start is posted in the channel.
    const farewell = clock.setTimeout(() => {
      log.warn('an unanswered command may still show "thinking…": Discord did not respond in time')
      stopped.abort(new Error('The bot has stopped.'))
    }, FAREWELL_MS)
    await Promise.all([...known.keys()].map(forget))
    clock.clearTimeout(farewell)
  })

  function remember(id: string, channel: string, command: Command): Command {
    const timer = clock.setTimeout(() => void forget(id), LIFETIME)
    known.set(id, { command, channel, timer })
    const [oldest] = known.keys()
    if (known.size > REMEMBERED && oldest !== undefined) void forget(oldest)
    return command
  }

  async function forget(id: string): Promise<void> {
    const found = known.get(id)
    if (!found) return
    known.delete(id)
    clock.clearTimeout(found.timer)
    await found.command.takeAway(stopped.signal)
  }

  /** A command that another process has acknowledged. */
  function fromElsewhere(token: Token, asked?: { readonly author: string; readonly text: string }): Command {
    return createCommand({ ctx, call, rest, token, asked, acknowledged: Promise.resolve() })
  }

  function tellAlone(told: GatewayInteractionCreateDispatchData, answer: Promise<string>, signal: AbortSignal): void {
    answered.set(told.id, true)
    void answerAlone({ ctx, call, rest }, told, answer, signal)
  }

  /** The message is still recorded. A process without the token answers in the channel. */
  function notKept(error: unknown): void {
    log.warn(`how a command is answered could not be shared with other processes: ${sentence(error)}`)
  }

  /** Ends commands without an answer. */
  async function end(ids: readonly string[], signal: AbortSignal): Promise<void> {
    const left = (await tokens?.drop(ids).catch(notKept)) ?? []
    const strange = left.filter(({ message }) => !known.has(message)).map(token => fromElsewhere(token))
    const commands = [...ids.flatMap(id => known.get(id)?.command ?? []), ...strange]
    await Promise.all(commands.map(command => command.takeAway(signal)))
  }

  return {
    async register(application, signal) {
      const route = Routes.applicationCommands(application)
      try {
        // By name, so that other commands of the application stay.
        await call(
          inTime => rest.post(route, { body: treeOf(name, ctx.use(ChatCommands).all, userInstall), signal: inTime }),
          signal,
        )
        for (const body of menusOf(ctx.use(ChatCommands).all))
          await call(inTime => rest.post(route, { body, signal: inTime }), signal)
      } catch (error) {
        if (!signal.aborted) log.warn(`the command /${name} could not be registered: ${sentence(error)}`)
      }
    },

    complete(told, where, signal) {
      if (!isCompletion(told, name)) return false
      void suggest({ ctx, rest }, told, where, signal)
      return true
    },

    press(told, where, signal) {
      if (told.type !== InteractionType.MessageComponent && !isMenu(told)) return false
      const pressed = isMenu(told) ? usedMenu(told, ctx.use(ChatCommands).all) : pressedButton(told, where?.names.me.id)
      if (!pressed) return true
      const { member, user = member?.user } = told
      const { command, message } = pressed
      if (!where || !user || answered.has(told.id)) return true
      const rights = { moderator: () => moderates(told), admin: () => where.isAdmin }
      const given = { conversation: where.place, person: personOf(user, member?.nick), ...rights, ...languageOf(told) }
      const { locale = ctx.bot.locale } = given
      // The name alone: a text after it would make it a message to the bot.
      const answer = ctx.command({ ...given, text: command, message })
      tellAlone(told, answer ?? Promise.resolve(texts(locale)('command.gone', { name: command })), signal)
      return true
    },

    async begin(told, { names, place, isAdmin }, signal) {
      if (!isChatInput(told) || told.data.name !== name || known.has(told.id) || beginning.has(told.id)) return undefined
      const user = told.member?.user ?? told.user
      if (!user) return undefined
      const author = personOf(user, told.member?.nick)
      const { text: content, subcommand } = typedIn(told.data.options)
      const text = textOf({ content }, names)
      if (answered.has(told.id)) return undefined
      const rights = { moderator: () => moderates(told), admin: () => isAdmin }
      const { locale = ctx.bot.locale } = languageOf(told)
      const isGone = subcommand !== undefined && !ctx.use(ChatCommands).all.some(one => one.name === subcommand)
      const gone = isGone ? Promise.resolve(texts(locale)('command.gone', { name: subcommand })) : undefined
      const answer = gone ?? ctx.command({ conversation: place, person: author, text, ...rights, ...languageOf(told) })
      if (answer !== undefined) {
        tellAlone(told, answer, signal)
        return undefined
      }
      // Before people see the question.
      beginning.add(told.id)
      const refused = await ctx.refusal({ conversation: place, person: author, text, ...languageOf(told) })
      beginning.delete(told.id)
      if (refused !== undefined) {
        tellAlone(told, Promise.resolve(refused), signal)
        return undefined
      }
      const token: Token = { message: told.id, application: told.application_id, token: told.token }
      const acknowledged = acknowledge({ ctx, call, rest }, told, signal)
      remember(
        told.id,
        told.channel.id,
        createCommand({ ctx, call, rest, token, asked: { author: author.name, text }, acknowledged }),
      )
      const at = new Date(SnowflakeUtil.timestampFrom(told.id))
      return {
        message: { id: told.id, author, text, at, mentions: [names.me] },
        interaction: told,
        // Not before Discord has the acknowledgement: an earlier answer is refused as an unknown interaction.
        kept: (async () => {
          if (!tokens || !(await acknowledged)) return
          await tokens.keep(token, new Date(clock.now() + LIFETIME)).catch(notKept)
        })(),
      }
    },

    dismiss: (id, signal) => end([id], signal),

    async find(conversation, id) {
      if (id === undefined) return undefined
      const token = known.has(id) ? undefined : await tokens?.find(id)
      if (!token) return known.get(id)?.command
      const message = (await ctx.history(conversation)).find(one => one.id === id)
      return remember(
        id,
        channelIn(conversation),
        fromElsewhere(token, message && { author: message.author.name, text: message.text }),
      )
    },

    answeredIn(channel) {
      const here = [...known.values()].filter(one => one.channel === channel).map(({ command }) => command)
      const latest = here.toSorted((a, b) => (a.answeredAt ?? 0) - (b.answeredAt ?? 0)).at(-1)
      return latest && clock.now() - (latest.answeredAt ?? 0) < GOES_ON ? latest : undefined
    },

    async after({ conversation, messages, added, signal }, { outcome }) {
      // Another turn follows, or another process runs it.
      if (conversation.platform !== 'discord' || outcome === 'delayed' || outcome === 'cancelled') return
      const ids = [...messages, ...added].filter(({ addressed }) => addressed === 'mention').map(({ id }) => id)
      if (ids.length > 0) await end(ids, signal)
    },
  }
}

function isChatInput(told: GatewayInteractionCreateDispatchData): told is APIChatInputApplicationCommandInteraction {
  return told.type === InteractionType.ApplicationCommand && told.data.type === ApplicationCommandType.ChatInput
}
