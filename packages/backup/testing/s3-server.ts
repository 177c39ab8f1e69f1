/** An S3-compatible store in memory, for tests. It checks signature version 4 of each request, and can damage what it stores. */
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface S3Server extends AsyncDisposable {
  readonly endpoint: string
  /** Content by `bucket/key`. */
  readonly objects: Map<string, Buffer>
  /** Multipart uploads that are neither complete nor aborted. */
  readonly uploads: Map<string, Map<number, Buffer>>
  /** Number of requests with a wrong signature. */
  readonly refused: () => number
  /** Changes the content of the next objects. */
  damage: ((content: Buffer) => Buffer) | undefined
  /** Answers every request with this status. */
  down: number | undefined
}

export const KEYS = { id: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }

export async function startS3(): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Map<number, Buffer>>()
  let refused = 0
  const http = createServer(async (request, response) => {
    const body = await buffer(request)
    const url = new URL(request.url ?? '/', 'http://store')
    if (here.down !== undefined) return end(response, here.down, error('SlowDown'))
    if (!isSigned(request, url, body)) {
      refused++
      return end(response, 403, error('SignatureDoesNotMatch'))
    }
    const [status, text] = answer(request.method ?? '', url, body)
    end(response, status, text)
  })

  function answer(method: string, url: URL, body: Buffer): readonly [number, string | Buffer] {
    const key = decodeURIComponent(url.pathname.slice(1))
    const query = url.searchParams
    const upload = uploads.get(query.get('uploadId') ?? '')
    if (method === 'POST' && query.has('uploads')) {
      const id = randomUUID()
      uploads.set(id, new Map())
      return [200, `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`]
    }
    if (method === 'PUT' && upload) {
      upload.set(Number(query.get('partNumber')), body)
      return [200, '']
    }
    if (method === 'POST' && upload) {
      const parts = [...upload].sort(([one], [other]) => one - other).map(([, part]) => part)
      const content = Buffer.concat(parts)
      objects.set(key, here.damage ? here.damage(content) : content)
      uploads.delete(query.get('uploadId') ?? '')
      return [
        200,
        `<CompleteMultipartUploadResult><Key>${key}</Key><ETag>"${hash(content)}"</ETag></CompleteMultipartUploadResult>`,
      ]
    }
    if (method === 'DELETE') {
      if (!uploads.delete(query.get('uploadId') ?? '')) objects.delete(key)
      return [204, '']
    }
    if (method === 'GET' && query.has('list-type')) {
      const beginning = `${key.replace(/\/$/, '')}/`
      const found = [...objects].filter(([name]) => name.startsWith(`${beginning}${query.get('prefix') ?? ''}`))
      const contents = found.map(
        ([name, content]) =>
          `<Contents><Key>${name.slice(beginning.length)}</Key><Size>${content.length}</Size><ETag>"${hash(content)}"</ETag><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>`,
      )
      return [200, `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`]
    }
    const content = objects.get(key)
    return method === 'GET' && content ? [200, content] : [404, error('NoSuchKey')]
  }

  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  const here: S3Server = {
    endpoint: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    objects,
    uploads,
    refused: () => refused,
    damage: undefined,
    down: undefined,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
  return here
}

function end(response: ServerResponse, status: number, body: string | Buffer): void {
  response.writeHead(status, {
    'content-type': typeof body === 'string' ? 'application/xml' : 'application/octet-stream',
    etag: `"${hash(body)}"`,
  })
  response.end(body)
}

const error = (code: string) => `<Error><Code>${code}</Code><Message>${code}</Message></Error>`
const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
function isSigned({ method, headers }: IncomingMessage, url: URL, body: Buffer): boolean {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/[^/]+\/s3\/aws4_request), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/
  const [, id, scope = '', signed = '', signature = ''] = given.exec(headers.authorization ?? '') ?? []
  const claimed = String(headers['x-amz-content-sha256'])
  if (id !== KEYS.id || (claimed !== 'UNSIGNED-PAYLOAD' && claimed !== hash(body))) return false
  const query = [...url.searchParams]
    .map(pair => pair.map(encode).join('='))
    .sort()
    .join('&')
  const lines = signed.split(';').map(name => `${name}:${String(headers[name]).trim()}\n`)
  const path = url.pathname
    .split('/')
    .map(part => encode(decodeURIComponent(part)))
    .join('/')
  const canonical = [method, path, query, lines.join(''), signed, claimed].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>((before, part) => hmac(before, part), `AWS4${KEYS.secret}`)
  return timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'))
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
