/** Fetches files over https, only from public addresses: a link must not make the bot read its own network. */
import { lookup } from 'node:dns'
import { get } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import type { Attachment } from '../../api/index.ts'
import { KikimimiError } from '../../base/errors.ts'
import { Unreadable } from './unreadable.ts'

export interface Download {
  /** The bytes, cut at the limit. */
  readonly bytes: Buffer
  /** The size of the whole file, as far as it is known. */
  readonly size: number
  /** False: the file is larger than `bytes`. */
  readonly isWhole: boolean
  /** The media type that the server names, in lower case; empty when it names none. */
  readonly type: string
}

export interface SizeLimits {
  /** The largest file that is downloaded, in bytes. */
  readonly max: number
  /** What is downloaded of a file that says that it is larger, in bytes. */
  readonly head: number
}

/** @param fetchOwn fetches the file with the platform's own token. Undefined: the file is public */
export async function download(
  attachment: Attachment,
  fetchOwn: (signal: AbortSignal) => Promise<Response> | undefined,
  { max, head }: SizeLimits,
  signal: AbortSignal,
): Promise<Download> {
  const fetched = fetchOwn(signal) ?? fetchPublic(attachment.url, signal)
  const { ok, status, headers, body } = await fetched
  const reader = body?.getReader()
  const cancel = () => void reader?.cancel().catch(() => {})
  try {
    signal.addEventListener('abort', cancel, { once: true })
    if (!ok) throw new Unreadable('status', { status: String(status) })
    const told = Number(headers.get('content-length') ?? 0)
    const limit = told > max ? head : max
    const chunks: Uint8Array[] = []
    let bytes = 0
    for (let next = await reader?.read(); next && !next.done && bytes <= limit; next = await reader?.read()) {
      chunks.push(next.value)
      bytes += next.value.length
    }
    signal.throwIfAborted()
    return {
      bytes: Buffer.concat(chunks).subarray(0, limit),
      size: Math.max(told, bytes),
      isWhole: bytes <= limit,
      type: typeOf(headers.get('content-type')),
    }
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}

/** The check uses the address of the connection itself; redirects are refused. */
function fetchPublic(url: string, signal: AbortSignal): Promise<Response> {
  const { protocol, hostname } = new URL(url)
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (protocol !== 'https:') throw refused('only https is fetched')
  if (isIP(literal) && !isPublic(literal)) throw refused('its address is not public')
  return new Promise((resolve, reject) => {
    const request = get(url, { lookup: lookupPublic, signal, agent: false }, response => {
      const { statusCode = 0, headers } = response
      if (statusCode !== 200) {
        response.destroy()
        reject(new Unreadable('status', { status: String(statusCode) }))
        return
      }
      const told = { 'content-type': headers['content-type'] ?? '', 'content-length': headers['content-length'] ?? '0' }
      resolve(new Response(Readable.toWeb(response), { headers: told }))
    })
    request.on('error', reject)
  })
}

const lookupPublic: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, found) => {
    const [first, ...rest] = (found ?? []).filter(({ address }) => isPublic(address))
    if (error) done(error, '')
    else if (!first) done(refused('its address is not public'), '')
    else if (options.all) done(null, [first, ...rest])
    else done(null, first.address, first.family)
  })
}

const PRIVATE = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  PRIVATE.addSubnet(network, bits, 'ipv4')
}
/** The allocated part of IPv6, without the tunnels to IPv4 in it. */
const GLOBAL = new BlockList()
GLOBAL.addSubnet('2000::', 3, 'ipv6')
PRIVATE.addSubnet('2001::', 32, 'ipv6')
PRIVATE.addSubnet('2002::', 16, 'ipv6')

function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !PRIVATE.check(address, 'ipv4')
  return GLOBAL.check(address, 'ipv6') && !PRIVATE.check(address, 'ipv6')
}

/** A media type without its parameters, in lower case. */
export function typeOf(type: string | null | undefined): string {
  return (type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

function refused(why: string): KikimimiError {
  return new KikimimiError('ATTACHMENT_REFUSED', why)
}
