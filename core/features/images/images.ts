/** Pictures of messages in the form for models: data URLs. */
import { lookup } from 'node:dns'
import { get } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import type { Attachment, Platform } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { withTimeout } from '../../base/timeout.ts'

/** Types that every model with vision accepts. */
const TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp'])

const MOST = 4
const MAX_BYTES = 5 * 1024 * 1024
const DEADLINE_MS = 10_000

export interface ImagesOptions {
  readonly platform: Pick<Platform, 'fetchAttachment'>
  readonly clock: Clock
  readonly log: Logger
  readonly signal?: AbortSignal | undefined
}

/** Pictures that cannot be read are left out, with a line in the log. It rejects only with the reason of `signal`. */
export async function readImages(attachments: readonly Attachment[], options: ImagesOptions): Promise<readonly string[]> {
  const { platform, clock, log, signal } = options
  const late = () => refused(`not there after ${DEADLINE_MS / 1_000} s`)
  const wanted = attachments.filter(({ type }) => TYPES.has(typeOf(type))).slice(0, MOST)
  const read = wanted.map(async attachment => {
    try {
      return await withTimeout({ clock, ms: DEADLINE_MS, late, signal }, ended => readImage(attachment, platform, ended))
    } catch (error) {
      signal?.throwIfAborted()
      log.warn(`a picture is left out: ${reason(error)}`)
      return []
    }
  })
  return (await Promise.all(read)).flat()
}

async function readImage(attachment: Attachment, platform: ImagesOptions['platform'], signal: AbortSignal): Promise<string> {
  const fetched = platform.fetchAttachment?.(attachment, signal) ?? fetchPublic(attachment.url, signal)
  const { ok, status, headers, body } = await fetched
  const type = typeOf(headers.get('content-type'))
  const chunks: Uint8Array[] = []
  let bytes = 0
  if (!ok) throw refused(`HTTP ${status}`)
  // A login page has status 200 too.
  if (!TYPES.has(type)) throw refused('the file is no picture')
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    // Leaving the loop ends the download.
    if (bytes > MAX_BYTES) throw refused(`more than ${MAX_BYTES / 1024 / 1024} MB`)
    chunks.push(chunk)
  }
  return `data:${type};base64,${Buffer.concat(chunks).toString('base64')}`
}

/**
 * Fetches over https, only from a public address: a link must not make the bot read its own network. The check uses the
 * address of the connection itself; redirects are refused.
 */
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
        reject(refused(`HTTP ${statusCode}`))
        return
      }
      const type = { 'content-type': headers['content-type'] ?? '' }
      resolve(new Response(Readable.toWeb(response), { headers: type }))
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

function typeOf(type: string | null | undefined): string {
  return (type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

function refused(why: string): KikimimiError {
  return new KikimimiError('ATTACHMENT_REFUSED', why)
}
