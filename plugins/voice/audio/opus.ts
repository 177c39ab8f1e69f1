/** Opus, which Discord speaks: RFC 6716, in WebAssembly. */
import OpusScript from 'opusscript'
import { opusPacketsIn } from './ogg.ts'
import { type Pcm, readWav, samplesOf, stereoAt } from './pcm.ts'

/** What Discord sends and takes: packets of 20 ms. */
const RATE = 48_000
const CHANNELS = 2
const FRAME = RATE / 50

/** What models for recordings want. */
const HEARD_RATE = 16_000

/** The sound of packets that arrive one by one. Dispose it at the end: its memory is none of the heap. */
export interface Decoder extends Disposable {
  /** Adds a packet. One that is damaged is left out. */
  add(packet: Buffer): void
  /** The number of packets so far. */
  readonly length: number
  sound(): Pcm
}

export function createDecoder(): Decoder {
  const opus = new OpusScript(HEARD_RATE, 1)
  const parts: Buffer[] = []
  return {
    add(packet) {
      if (packet.length > OpusScript.MAX_PACKET_SIZE) return
      try {
        parts.push(opus.decode(packet))
      } catch {
        // Sound that was lost or changed on its way. The rest is understood without it.
      }
    },
    get length() {
      return parts.length
    },
    sound: () => ({ rate: HEARD_RATE, channels: 1, samples: samplesOf(Buffer.concat(parts)) }),
    [Symbol.dispose]: () => opus.delete(),
  }
}

/** The sound of a file that a model has made. `undefined`: neither WAV with samples of 16 bits nor Ogg with Opus. */
export function readSound(data: Uint8Array): Pcm | undefined {
  const packets = opusPacketsIn(data)
  return packets ? decoded(packets) : readWav(data)
}

function decoded(packets: readonly Buffer[]): Pcm {
  const opus = new OpusScript(RATE, CHANNELS)
  try {
    return { rate: RATE, channels: CHANNELS, samples: samplesOf(Buffer.concat(packets.map(packet => opus.decode(packet)))) }
  } finally {
    opus.delete()
  }
}

/** Packets for Discord, made when they are needed. */
export function* packetsOf(sound: Pcm): Generator<Buffer, void> {
  const opus = new OpusScript(RATE, CHANNELS, OpusScript.Application.AUDIO)
  const step = sound.rate / RATE
  const length = Math.floor(sound.samples.length / sound.channels / step)
  try {
    for (let from = 0; from < length; from += FRAME) {
      const frame = Buffer.alloc(FRAME * CHANNELS * 2)
      for (let at = 0; at < FRAME && from + at < length; at++) {
        const [left, right] = stereoAt(sound, (from + at) * step)
        frame.writeInt16LE(Math.round(left), at * 4)
        frame.writeInt16LE(Math.round(right), at * 4 + 2)
      }
      yield opus.encode(frame, FRAME)
    }
  } finally {
    opus.delete()
  }
}
