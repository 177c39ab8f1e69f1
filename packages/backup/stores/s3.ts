import { KikimimiError } from 'kikimimi'
import { reason } from 'kikimimi/host'
import { S3mini } from 's3mini'
import { type BackupStore, newestFirst, timeOf } from './store.ts'

export interface S3Options {
  /** `https://s3.eu-central-1.amazonaws.com`, without the bucket. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** The beginning of every key, without a slash at its end. Empty: none. */
  readonly prefix: string
  readonly id: string
  readonly secret: string
}

/** Bytes of a part. A store takes 10,000 parts, so a backup has 156 GB at most. */
const PART = 16 * 1_024 * 1_024

/** Milliseconds of one request. A part on a slow line needs some minutes. */
const REQUEST_MS = 5 * 60_000

/** Backups in a bucket of any S3-compatible store. A request that fails is an error of the whole call. */
export function s3Store({ endpoint, region, bucket, prefix, id, secret }: S3Options): BackupStore {
  const client = new S3mini({
    endpoint: `${endpoint.replace(/\/$/, '')}/${bucket}`,
    region,
    accessKeyId: id,
    secretAccessKey: secret,
    requestAbortTimeout: REQUEST_MS,
  })
  const where = `s3://${bucket}${prefix && `/${prefix}`}`
  const keyOf = (name: string) => (prefix ? `${prefix}/${name}` : name)

  async function asked<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof KikimimiError) throw error
      throw new KikimimiError('BACKUP_STORE', `The store ${where} at ${endpoint} does not do its work: ${reason(error)}`, {
        cause: error,
      })
    }
  }

  async function putParts(key: string, parts: AsyncGenerator<Uint8Array<ArrayBuffer>>): Promise<void> {
    const upload = await client.getMultipartUploadId(key, TYPE)
    try {
      const sent: Awaited<ReturnType<typeof client.uploadPart>>[] = []
      for await (const part of parts) sent.push(await client.uploadPart(key, upload, part, sent.length + 1))
      await client.completeMultipartUpload(key, upload, sent)
    } catch (error) {
      await client.abortMultipartUpload(key, upload).catch(() => {})
      throw error
    }
  }

  return {
    where,
    put: (name, bytes) => asked(() => putParts(keyOf(name), partsOf(bytes))),

    async *get(name) {
      const response = await asked(() => client.getObjectRaw(keyOf(name), true))
      if (!response.body) throw new KikimimiError('BACKUP_STORE', `The store ${where} has an empty answer for ${name}.`)
      yield* response.body
    },

    async list() {
      const objects = (await asked(() => client.listObjects('/', prefix && `${prefix}/`))) ?? []
      return newestFirst(
        objects.flatMap(({ Key: key, Size: bytes }) => {
          const name = key.slice(prefix ? prefix.length + 1 : 0)
          const at = timeOf(name)
          return at ? [{ name, at, bytes: Number(bytes) }] : []
        }),
      )
    },

    remove: name => asked(async () => void (await client.deleteObject(keyOf(name)))),
  }
}

const TYPE = 'application/octet-stream'

async function* partsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let part: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    part.push(chunk)
    size += chunk.length
    if (size < PART) continue
    yield Buffer.concat(part)
    part = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(part)
}
