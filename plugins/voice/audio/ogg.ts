/** The packets of an Ogg file: RFC 3533, and RFC 7845 for Opus in it. */

/** The packets of Opus in an Ogg file. `undefined`: it is no such file. A damaged end is left out. */
export function opusPacketsIn(data: Uint8Array): readonly Buffer[] | undefined {
  const file = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  const [head, , ...sound] = packetsIn(file)
  return head?.toString('latin1', 0, 8) === 'OpusHead' ? sound : undefined
}

function packetsIn(file: Buffer): Buffer[] {
  const packets: Buffer[] = []
  let begun: Buffer[] = []
  for (let at = 0; at + 27 <= file.length && file.toString('latin1', at, at + 4) === 'OggS'; ) {
    const segments = file.subarray(at + 27, at + 27 + file.readUInt8(at + 26))
    let from = at + 27 + segments.length
    for (const length of segments) {
      begun.push(file.subarray(from, from + length))
      from += length
      // A packet goes on as long as its segments are full.
      if (length === 255) continue
      packets.push(Buffer.concat(begun))
      begun = []
    }
    at = from
  }
  return packets
}
