/** Sounds for tests: tones, whose pitch tells them apart after they have been encoded and decoded. */
import OpusScript from 'opusscript'

const RATE = 48_000
const FRAME = RATE / 50

/** Samples of a tone, as bytes. */
function toneBytes(pitch: number, ms: number, rate: number, channels: number): Buffer {
  const frames = Math.round((rate * ms) / 1_000)
  const bytes = Buffer.alloc(frames * channels * 2)
  for (let at = 0; at < frames * channels; at++) {
    bytes.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * pitch * Math.floor(at / channels)) / rate)), at * 2)
  }
  return bytes
}

/** A tone as a client of Discord sends it. */
export function spokenTone(pitch: number, ms: number): Buffer[] {
  const opus = new OpusScript(RATE, 2, OpusScript.Application.AUDIO)
  const bytes = toneBytes(pitch, ms, RATE, 2)
  const packets = Array.from({ length: Math.floor(ms / 20) }, (_, at) =>
    opus.encode(bytes.subarray(at * FRAME * 4, (at + 1) * FRAME * 4), FRAME),
  )
  opus.delete()
  return packets
}

/** A tone as a file of a model for speech. */
export function toneFile(pitch: number, ms: number): Buffer {
  const [rate, data] = [24_000, toneBytes(pitch, ms, 24_000, 1)]
  const head = Buffer.from('RIFF....WAVEfmt ....................data....', 'latin1')
  head.writeUInt32LE(36 + data.length, 4)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

/** The pitch of a tone in a WAV file of one channel, to 20 Hz. */
export function pitchOfFile(file: Uint8Array): number {
  const bytes = Buffer.from(file)
  return pitchOf(bytes.subarray(44), bytes.readUInt32LE(24), 1)
}

/** The pitch of a tone in packets of the bot, to 20 Hz. */
export function pitchOfPackets(packets: readonly Uint8Array[]): number {
  const opus = new OpusScript(RATE, 2)
  const bytes = Buffer.concat(packets.map(packet => opus.decode(Buffer.from(packet))))
  opus.delete()
  return pitchOf(bytes, RATE, 2)
}

/** By the times at which the first channel crosses zero. */
function pitchOf(bytes: Buffer, rate: number, channels: number): number {
  let [rises, first, last, before] = [-1, 0, 0, 0]
  for (let at = 0; at < bytes.length / 2 / channels; at++) {
    const now = bytes.readInt16LE(at * channels * 2)
    if (before < 0 && now >= 0) {
      if (++rises === 0) first = at
      last = at
    }
    before = now
  }
  return rises < 1 ? 0 : Math.round((rises * rate) / (last - first) / 20) * 20
}
