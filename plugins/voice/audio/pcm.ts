/** Sound as samples of 16 bits, and the file format WAV. */

/** Samples of all channels in turn: left, right, left, … */
export interface Pcm {
  readonly rate: number
  readonly channels: number
  readonly samples: Int16Array
}

/** The file format WAV. */
export function wavOf({ rate, channels, samples }: Pcm): Uint8Array {
  const data = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(channels, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * channels * 2, 28)
  head.writeUInt16LE(channels * 2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

/** `undefined`: it is no WAV file, or none with samples of 16 bits. A length that is larger than the file means its end. */
export function readWav(data: Uint8Array): Pcm | undefined {
  const file = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  if (file.length < 12 || file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') return undefined
  let format: { readonly rate: number; readonly channels: number } | undefined
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString('latin1', at, at + 4)
    const end = Math.min(at + 8 + file.readUInt32LE(at + 4), file.length)
    const chunk = file.subarray(at + 8, end)
    if (name === 'fmt ') {
      if (chunk.length < 16 || chunk.readUInt16LE(14) !== 16) return undefined
      format = { channels: chunk.readUInt16LE(2), rate: chunk.readUInt32LE(4) }
    }
    if (name === 'data' && format) return isUsual(format) ? { ...format, samples: samplesOf(chunk) } : undefined
    // A chunk has an even length.
    at = end + (end % 2)
  }
  return undefined
}

function isUsual({ rate, channels }: { readonly rate: number; readonly channels: number }): boolean {
  return rate >= 8_000 && rate <= 192_000 && channels >= 1 && channels <= 8
}

/** Samples as they stand in a file, least significant byte first. */
export function samplesOf(bytes: Buffer): Int16Array {
  return Int16Array.from({ length: Math.floor(bytes.length / 2) }, (_, at) => bytes.readInt16LE(at * 2))
}

/** How loud it is: the mean of the squares, 0…1. */
export function powerOf({ samples }: Pcm): number {
  let sum = 0
  for (const sample of samples) sum += (sample / 32_768) ** 2
  return samples.length === 0 ? 0 : sum / samples.length
}

/** The frame of a sound at a time, one value for each ear, between its samples. */
export function stereoAt({ channels, samples }: Pcm, frame: number): readonly [left: number, right: number] {
  const before = Math.floor(frame)
  const share = frame - before
  const read = (channel: number) => {
    const first = samples[before * channels + channel] ?? 0
    const second = samples[(before + 1) * channels + channel] ?? first
    return first + (second - first) * share
  }
  return [read(0), read(channels > 1 ? 1 : 0)]
}
