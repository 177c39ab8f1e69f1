/** Packets of sound between the bot and a voice server: RTP with AES-256-GCM, as in Discord's mode `aead_aes256_gcm_rtpsize`. */
import { createCipheriv, createDecipheriv } from 'node:crypto'

/** https://discord.com/developers/docs/topics/voice-connections#transport-encryption-modes */
export const MODE = 'aead_aes256_gcm_rtpsize'

const OPUS = 0x78
const TAG = 16
const NONCE = 4
/** Samples of 20 ms. */
const SAMPLES = 960

/** Encrypts the packets of one person, with a header extension as Discord sends it. */
export function createSender(key: Uint8Array, ssrc: number): (opus: Uint8Array) => Buffer {
  let count = 0
  return opus => {
    count++
    const header = Buffer.alloc(16)
    header.set([0x90, OPUS])
    header.writeUInt16BE(count & 0xffff, 2)
    header.writeUInt32BE((count * SAMPLES) >>> 0, 4)
    header.writeUInt32BE(ssrc, 8)
    // One word of extensions: how loud it is.
    header.set([0xbe, 0xde, 0, 1], 12)
    const nonce = Buffer.alloc(12)
    nonce.writeUInt32BE(count, 0)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(header)
    const sealed = Buffer.concat([cipher.update(Buffer.from([0x10, 0x7f, 0, 0])), cipher.update(opus), cipher.final()])
    return Buffer.concat([header, sealed, cipher.getAuthTag(), nonce.subarray(0, NONCE)])
  }
}

/** The sound in a packet of the bot. Throws if it is not encrypted with the key. */
export function opusIn(packet: Buffer, key: Uint8Array): Buffer {
  const header = packet.subarray(0, 12)
  const end = packet.length - NONCE - TAG
  const nonce = Buffer.alloc(12)
  packet.copy(nonce, 0, packet.length - NONCE)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce)
    .setAAD(header)
    .setAuthTag(packet.subarray(end, end + TAG))
  return Buffer.concat([decipher.update(packet.subarray(12, end)), decipher.final()])
}

/** The request of a client for its own address, and the response. */
export function addressResponse(request: Buffer, address: string, port: number): Buffer | undefined {
  if (request.length !== 74 || request.readUInt16BE(0) !== 1) return undefined
  const response = Buffer.alloc(74)
  response.writeUInt16BE(2, 0)
  response.writeUInt16BE(70, 2)
  request.copy(response, 4, 4, 8)
  response.write(address, 8, 'utf8')
  response.writeUInt16BE(port, 72)
  return response
}
