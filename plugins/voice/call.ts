/** One voice channel in which the bot is. */
import { entersState, joinVoiceChannel, VoiceConnectionStatus, VoiceUDPSocket } from '@discordjs/voice'
import type { DiscordVoice } from '@kikimimi/discord'
import { type Conversation, conversationId, KikimimiError, type Person, type PluginContext } from 'kikimimi'
import { createEars } from './ears.ts'
import { createMouth } from './mouth.ts'
import { texts } from './texts.ts'

/**
 * A socket of the library sends its first sign of life a moment after it was made. When it is closed meanwhile, that throws outside of any
 * call of the plugin, which would end the process. A closed socket sends nothing.
 */
const { send } = VoiceUDPSocket.prototype
VoiceUDPSocket.prototype.send = function (this: VoiceUDPSocket, buffer) {
  try {
    send.call(this, buffer)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SOCKET_DGRAM_NOT_RUNNING')) throw error
  }
}

/** Milliseconds in which a connection must be there, and there again. */
const CONNECT = 15_000
const RECONNECT = 30_000

export interface CallOptions {
  readonly ctx: Pick<PluginContext, 'bot' | 'log' | 'models' | 'send'>
  readonly voice: Pick<DiscordVoice, 'adapter' | 'hear' | 'roomOf'>
  readonly room: Omit<Conversation, 'id'>
  /** Tells the connections of several bots in one process apart. */
  readonly group: string
  /** Aborts when the bot stops. */
  readonly signal: AbortSignal
  /** A person has said something, which is recorded as a message. */
  heard(message: string): void
  /** It has ended, also by itself. */
  ended(): void
}

export interface Call {
  readonly channel: string
  /** Announces in the chat to whom it listens from now on, and begins to. Rejects if the bot may not post there. */
  listenTo(people: readonly Person[], mayHear: (person: string) => boolean): Promise<void>
  /** Stops to listen to a person at once. */
  drop(person: string): void
  say(text: string): void
  end(): void
}

/** Rejects when there is no connection in time. */
export async function openCall({ ctx, voice, room, group, signal, heard, ended }: CallOptions): Promise<Call> {
  const { workspace, channel } = room
  const conversation = { id: conversationId(room), ...room }
  const adapterCreator = voice.adapter(workspace)
  if (!adapterCreator) throw new KikimimiError('PLATFORM_UNAVAILABLE', '[voice] This process is not connected to the server.')
  const connection = joinVoiceChannel({
    ...{ guildId: workspace, channelId: channel, group, adapterCreator, debug: false },
    ...{ selfDeaf: false, selfMute: !ctx.models.speaks },
  })
  connection.on('error', ({ message }) => ctx.log.warn(`voice connection: ${message}`))
  const end = () => {
    if (connection.state.status !== VoiceConnectionStatus.Destroyed) connection.destroy()
  }
  const ready = (ms: number) => {
    const either = AbortSignal.any([signal, AbortSignal.timeout(ms)])
    return entersState(connection, VoiceConnectionStatus.Ready, either)
  }
  try {
    await ready(CONNECT)
  } catch {
    end()
    throw new KikimimiError('PLATFORM_UNAVAILABLE', `[voice] Discord gave no voice connection within ${CONNECT / 1_000} s.`)
  }

  const mouth = createMouth({ ctx, connection, conversation })
  const ears = createEars({
    ...{ ctx, conversation, receiver: connection.receiver, began: mouth.hush },
    personOf: id => voice.roomOf(workspace)?.people.find(person => person.id === id),
    async heard(person, text) {
      const message = await voice.hear(room, person, text)
      if (message !== undefined) heard(message)
      return message !== undefined
    },
  })
  let listened = new Set<string>()
  const told = new Set<string>()

  connection.on('stateChange', (before, { status }) => {
    if (status === VoiceConnectionStatus.Destroyed) {
      ears.close()
      mouth.hush()
      ended()
    } else if (before.status === VoiceConnectionStatus.Ready && status !== before.status) ready(RECONNECT).catch(end)
  })

  return {
    channel,

    async listenTo(people, mayHear) {
      const fresh = people.filter(({ id }) => !told.has(id))
      if (fresh.length > 0) {
        const names = new Intl.ListFormat(ctx.bot.locale).format(fresh.map(({ name }) => name))
        const text = texts(ctx.bot.locale)(told.size === 0 ? 'listening' : 'listeningToo', { names })
        await ctx.send(room, { kind: 'text', text }, { sources: 'none' })
        for (const { id } of fresh) if (mayHear(id)) told.add(id)
      }
      listened = new Set(people.map(({ id }) => id).filter(mayHear))
      ears.listenTo(listened)
    },

    drop(person) {
      listened.delete(person)
      told.delete(person)
      ears.listenTo(new Set(listened))
    },

    say: mouth.say,
    end,
  }
}
