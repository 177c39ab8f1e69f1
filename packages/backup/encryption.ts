/** Encryption of backups in the format age (age-encryption.org/v1), which the programs `age` and `rage` read. */
import { KikimimiError } from 'kikimimi'
import { reason } from 'kikimimi/host'

/** The beginning of every file in this format. */
const MAGIC = 'age-encryption.org/'

/**
 * A key for backups: `age1…` encrypts only, `AGE-SECRET-KEY-1…` encrypts and decrypts. The keys that `age-keygen` makes.
 */
export type Key = string

export function isSecret(key: Key): boolean {
  return key.startsWith('AGE-SECRET-KEY-')
}

/** Why the text is no key. Undefined: it is one. */
export async function keyProblem(key: string): Promise<string | undefined> {
  try {
    await createEncrypter(key)
    return undefined
  } catch (error) {
    return reason(error)
  }
}

export async function newKey(): Promise<{ readonly secret: Key; readonly recipient: Key }> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption')
  const secret = await generateX25519Identity()
  return { secret, recipient: await identityToRecipient(secret) }
}

export async function* encrypted(bytes: AsyncIterable<Uint8Array>, key: Key): AsyncGenerator<Uint8Array, void> {
  const encrypter = await createEncrypter(key)
  yield* await encrypter.encrypt(ReadableStream.from(bytes))
}

async function createEncrypter(key: Key) {
  const { Encrypter, identityToRecipient } = await import('age-encryption')
  const encrypter = new Encrypter()
  encrypter.addRecipient(isSecret(key) ? await identityToRecipient(key) : key)
  return encrypter
}

/**
 * The bytes without encryption. Bytes that are not encrypted stay as they are.
 *
 * @param name for the error
 * @throws BACKUP_LOCKED without the right key, BACKUP_UNREADABLE for bytes that were changed or that end too early
 */
export async function* decrypted(
  bytes: AsyncIterable<Uint8Array>,
  { key, name }: { readonly key: Key | undefined; readonly name: string },
): AsyncGenerator<Uint8Array, void> {
  const source = bytes[Symbol.asyncIterator]()
  const first = await beginning(source)
  const whole = prepended(first, source)
  if (!Buffer.from(first).toString('latin1').startsWith(MAGIC)) return yield* whole
  if (key === undefined || !isSecret(key)) {
    throw new KikimimiError(
      'BACKUP_LOCKED',
      `${name} is encrypted. Set BACKUP_KEY to the secret key, which begins with AGE-SECRET-KEY-1.`,
    )
  }
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  decrypter.addIdentity(key)
  const plain = await decrypter.decrypt(ReadableStream.from(whole)).catch(error => {
    throw new KikimimiError(
      'BACKUP_LOCKED',
      `${name} cannot be decrypted: ${reason(error)}. Set BACKUP_KEY to the secret key that belongs to it.`,
      { cause: error },
    )
  })
  try {
    yield* plain
  } catch (error) {
    throw new KikimimiError('BACKUP_UNREADABLE', `${name} was changed, or it is not complete: ${reason(error)}`, { cause: error })
  }
}

/** Enough bytes to know the format. */
async function beginning(source: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let first = Buffer.alloc(0)
  while (first.length < MAGIC.length) {
    const { value, done } = await source.next()
    if (done) break
    first = Buffer.concat([first, value])
  }
  return first
}

async function* prepended(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield first
    for (;;) {
      const { value, done } = await rest.next()
      if (done) return
      yield value
    }
  } finally {
    await rest.return?.()
  }
}
