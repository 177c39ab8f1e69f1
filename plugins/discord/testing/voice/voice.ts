/** Voice channels of the emulator: who is in them, and the voice server to which the bot connects. */
import { randomUUID } from 'node:crypto'
import { GatewayDispatchEvents } from 'discord-api-types/v10'
import { voiceStateData } from '../data.ts'
import type { World } from '../world.ts'
import { startVoiceServer, type VoiceServer } from './server.ts'

/** What people do and hear in voice channels. */
export interface VoiceEmulator {
  /** A person enters a voice channel, or changes to it. */
  enter(author: string, channel: string): void
  /** A person leaves the voice channel. */
  exit(author: string): void
  /**
   * A person says something: packets of Opus, 20 ms each. The bot gets them at once, and then silence, so that time does not pass.
   * Resolves when they are sent. Throws if the bot is not connected.
   */
  say(author: string, packets: readonly Uint8Array[]): Promise<void>
  /** The name of the voice channel in which the bot is. */
  readonly bot: string | undefined
  /** Whether the bot is in a voice channel and connected to its voice server. */
  readonly isConnected: boolean
  /** What the bot has said, oldest first: packets of Opus, 20 ms each, without silence. */
  readonly heard: readonly Uint8Array[]
  /** Whether the bot is speaking. */
  readonly isSpeaking: boolean
}

export interface VoiceOptions {
  readonly world: World
  /** Sends an event to the clients of the guild. */
  dispatch(event: GatewayDispatchEvents, data: unknown, guild: string | undefined): void
}

export interface Voice {
  readonly emulator: VoiceEmulator
  /** The bot asks to enter a voice channel, or to leave it (null). */
  moveBot(guild: string, channel: string | null): void
  close(): Promise<void>
}

/** A packet of Opus with which a client ends what it says. */
const SILENCE = Buffer.from([0xf8, 0xff, 0xfe])

export function createVoice({ world, dispatch }: VoiceOptions): Voice {
  const heard: Buffer[] = []
  let server: Promise<VoiceServer> | undefined
  let running: VoiceServer | undefined
  let isSpeaking = false
  const token = randomUUID()

  function move(account: string, guild: string, channel: string | null): void {
    if (channel === null) world.inVoice.delete(account)
    else world.inVoice.set(account, channel)
    dispatch(GatewayDispatchEvents.VoiceStateUpdate, voiceStateData(world, account, guild, channel), guild)
  }

  async function tellServer(guild: string): Promise<void> {
    server ??= startVoiceServer({
      token,
      heard: opus => void (opus.equals(SILENCE) || heard.push(opus)),
      speaking: now => {
        isSpeaking = now
      },
    })
    running = await server
    dispatch(GatewayDispatchEvents.VoiceServerUpdate, { token, guild_id: guild, endpoint: running.endpoint }, guild)
  }

  const botIn = () => world.channels.get(world.inVoice.get(world.bot.id) ?? '')

  return {
    emulator: {
      enter(author, name) {
        const { id, guild = '' } = world.channel(name)
        move(world.user(author).id, guild, id)
      },
      exit(author) {
        const { id } = world.user(author)
        const { guild = '' } = world.channel(world.inVoice.get(id) ?? '')
        move(id, guild, null)
      },
      async say(author, packets) {
        if (!running) throw new Error('The bot is in no voice channel.')
        await running.say(world.user(author).id, [...packets, ...Array.from({ length: 5 }, () => SILENCE)])
      },
      get bot() {
        return botIn()?.name
      },
      get isConnected() {
        return botIn() !== undefined && (running?.isReady ?? false)
      },
      heard,
      get isSpeaking() {
        return isSpeaking
      },
    },

    moveBot(guild, channel) {
      const isNew = channel !== null && channel !== world.inVoice.get(world.bot.id)
      move(world.bot.id, guild, channel)
      if (isNew) void tellServer(guild)
    },

    async close() {
      await (await server)?.close()
    },
  }
}
