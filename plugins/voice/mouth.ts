/** Speaks in a voice channel, one text after the other, until somebody else begins to speak. */
import { Readable } from 'node:stream'
import { AudioPlayerStatus, AudioResource, createAudioPlayer, NoSubscriberBehavior, type VoiceConnection } from '@discordjs/voice'
import { type Conversation, KikimimiError, type PluginContext } from 'kikimimi'
import { packetsOf, readSound } from './audio/opus.ts'
import type { Pcm } from './audio/pcm.ts'
import { spokenPieces } from './words.ts'

/** Texts that wait until those before them are spoken. */
const WAITING = 5
/** Largest file of a model. */
const BYTES = 20 * 1024 * 1024
/** Packets that are made ahead. */
const AHEAD = 10

export interface MouthOptions {
  readonly ctx: Pick<PluginContext, 'log' | 'models'>
  readonly connection: VoiceConnection
  readonly conversation: Conversation
}

export interface Mouth {
  /** Speaks a text after those before it. */
  say(text: string): void
  /** Says no more of all texts so far. */
  hush(): void
}

export function createMouth({ ctx, connection, conversation }: MouthOptions): Mouth {
  const { log, models } = ctx
  const player = createAudioPlayer({ behaviors: { noSubscriber: NoSubscriberBehavior.Stop }, debug: false })
  player.on('error', ({ message }) => log.warn(`an answer could not be spoken: ${message}`))
  connection.subscribe(player)
  let hushed = new AbortController()
  let waiting = 0
  let last = Promise.resolve()

  async function soundOf(text: string, signal: AbortSignal): Promise<Pcm> {
    const { data, type } = await models.speak(text, { conversation, signal })
    const sound = data.length <= BYTES ? readSound(data) : undefined
    if (sound) return sound
    throw new KikimimiError(
      'MODEL_UNREADABLE',
      `[voice] models.speak returned ${type}, ${data.length} bytes. It must return WAV with samples of 16 bits or Ogg with Opus, 20 MB at most.`,
    )
  }

  async function speak(text: string, signal: AbortSignal): Promise<void> {
    const [first, ...rest] = spokenPieces(text)
    let next = first === undefined ? undefined : soundOf(first, signal)
    for (let at = 0; next; at++) {
      const sound = await next
      const following = rest[at]
      // Made while the piece before it is spoken.
      next = following === undefined ? undefined : soundOf(following, signal)
      next?.catch(() => {})
      await play(sound, signal)
    }
  }

  async function play(sound: Pcm, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const stop = () => player.stop(true)
    player.once(AudioPlayerStatus.Idle, resolve)
    signal.addEventListener('abort', stop, { once: true })
    const packets = Readable.from(packetsOf(sound), { objectMode: true, highWaterMark: AHEAD })
    player.play(new AudioResource([], [packets], null, 5))
    await promise
    signal.removeEventListener('abort', stop)
  }

  return {
    say(text) {
      if (!models.speaks || waiting >= WAITING) return
      const { signal } = hushed
      waiting++
      const spoken = async () => {
        try {
          if (!signal.aborted) await speak(text, signal)
        } catch (error) {
          if (!signal.aborted)
            log.warn(`an answer could not be spoken: ${error instanceof Error ? error.message : String(error)}`)
        }
      }
      last = last.then(spoken).finally(() => waiting--)
    },

    hush() {
      hushed.abort()
      hushed = new AbortController()
    },
  }
}
