/** Encrypts tokens for the database: AES-256-GCM. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

export interface Cipher {
  /** @param about what the text is about. It decrypts only with the same words. */
  encrypt(text: string, about: string): string
  /** Throws if the key or `about` is another, or the text was changed. */
  decrypt(text: string, about: string): string
}

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/** The key in base64 or in hexadecimal digits. Undefined if it does not have 32 bytes. */
export function keyIn(text: string): Buffer | undefined {
  const isHex = /^[0-9a-f]{64}$/i.test(text)
  const key = Buffer.from(text, isHex ? 'hex' : 'base64')
  return key.length === KEY_BYTES && (isHex || /^[\w+/-]+={0,2}$/.test(text)) ? key : undefined
}

export function createCipher(key: Buffer): Cipher {
  return {
    encrypt(text, about) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(about))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')
    },

    decrypt(text, about) {
      const all = Buffer.from(text, 'base64')
      const [iv, tag, body] = [
        all.subarray(0, IV_BYTES),
        all.subarray(IV_BYTES, IV_BYTES + TAG_BYTES),
        all.subarray(IV_BYTES + TAG_BYTES),
      ]
      const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(about)).setAuthTag(tag)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
  }
}
