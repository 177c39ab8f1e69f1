/** Documents by their addresses on the web. */
import { MOST_BYTES, tooLarge } from '../documents/reader.ts'
import { kindOfType } from '../documents/sections.ts'
import { Unreadable } from '../documents/unreadable.ts'
import type { Source } from './source.ts'

const PATIENCE_MS = 20_000

/** Redirects that are followed. */
const HOPS = 5

export function pagesSource({ name, urls }: { readonly name: string; readonly urls: readonly string[] }): Source {
  return {
    name,
    list: async () => ({
      documents: urls.map(url => ({ path: withoutSecrets(url), link: withoutSecrets(url) })),
      async read({ path }, signal) {
        const url = urls.find(one => withoutSecrets(one) === path) ?? path
        const response = await request(new URL(url), AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]))
        const type = response.headers.get('content-type') ?? ''
        const kind = kindOfType(type)
        if (!kind) {
          await response.body?.cancel()
          throw new Unreadable(`it is no document (${type.slice(0, 100) || 'no media type'})`)
        }
        return { kind, bytes: await bytesOf(response) }
      },
    }),
  }
}

/** Follows redirects within the host alone, so that a page cannot lead the bot into the network of its operator. */
async function request(first: URL, signal: AbortSignal): Promise<Response> {
  const { host } = first
  let url = first
  for (let hop = 0; hop <= HOPS; hop++) {
    const credentials =
      url.username === '' ? undefined : `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    const response = await fetch(new URL(url.pathname + url.search, url.origin), {
      redirect: 'manual',
      signal,
      ...(credentials !== undefined && { headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } }),
    })
    const location = response.headers.get('location')
    if (response.ok) return response
    await response.body?.cancel()
    if (response.status < 300 || response.status >= 400 || location === null) {
      throw new Unreadable(`the server answered ${response.status}`)
    }
    const next = new URL(location, url)
    if (next.host !== host || !/^https?:$/.test(next.protocol))
      throw new Unreadable(`it has moved to ${withoutSecrets(next.href)}`)
    next.username = url.username
    next.password = url.password
    url = next
  }
  throw new Unreadable('it redirects too often')
}

async function bytesOf(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MOST_BYTES) throw new Unreadable(tooLarge(size))
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The address without a name and a password. */
export function withoutSecrets(url: string): string {
  if (!URL.canParse(url)) return url
  const plain = new URL(url)
  plain.username = ''
  plain.password = ''
  return plain.href
}
