/**
 * Access to the page. On loopback without a password: users of this machine. Elsewhere, and whenever there is a
 * password: logged-in users.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { KikimimiError, type Operator, type PluginHooks } from 'kikimimi'
import { z } from 'zod'
import type { Feed } from './feed.ts'
import { LIFETIME, type Sessions, type Visitor } from './sessions.ts'
import { refused, withTypes } from './typed.ts'

export interface AccessOptions {
  /** Absent without a password. */
  readonly sessions: Sessions | undefined
  readonly feed: Feed
}

const COOKIE = 'kikimimi_session'
/** Over https. Browsers take a cookie of this name only from this host itself: no other host of its domain can set it. */
const SECURE_COOKIE = '__Host-kikimimi_session'
const ATTEMPTS = { max: 5, timeWindow: '1 minute' }
const READING = new Set(['GET', 'HEAD', 'OPTIONS'])
/** The values of `sec-fetch-site` for a request from another page. */
const ELSEWHERE = new Set<unknown>(['cross-site', 'same-site'])
/** Routes that are open before the login. */
const FREE = new Set(['/api/session', '/api/login'])

const session = z.object({
  loggedIn: z.boolean(),
  password: z.boolean().describe('Whether a password is set.'),
})

/** Throws OPTIONS_INVALID if other machines could use the page without a password. */
export function guard(server: FastifyInstance, http: Operator['http'], { sessions, feed }: AccessOptions) {
  if (!sessions && !isLoopback(http.host)) {
    throw new KikimimiError(
      'OPTIONS_INVALID',
      `[dashboard] has no password, and whoever reaches ${http.host}:${http.port} could read along. ` +
        'Set DASHBOARD_PASSWORD (12 characters or more), or let KIKIMIMI_HTTP be an address of 127.0.0.1.',
    )
  }
  const loggedIn = async (request: FastifyRequest) => !sessions || sessions.holds(sessionOf(request))

  server.addHook('onRequest', async (request, reply) => {
    const { method, routeOptions } = request
    const url = routeOptions.url ?? ''
    if (!sessions && !isLocal(request)) return reply.code(403).send(LOCAL)
    if (!READING.has(method) && !isOwnPage(request)) return reply.code(403).send({ message: 'Only its own page may do this.' })
    // Another page cannot read the response, but its requests would cause work and open streams.
    if (url.startsWith('/api/') && ELSEWHERE.has(request.headers['sec-fetch-site'])) {
      return reply.code(403).send({ message: 'Only its own page may ask for this.' })
    }
    if (url.startsWith('/api/') && !FREE.has(url) && !(await loggedIn(request))) return reply.code(401).send(LOG_IN)
  })

  const typed = withTypes(server)
  typed.get(
    '/api/session',
    { schema: { summary: 'Whether this browser is logged in', response: { 200: session } } },
    async request => ({
      loggedIn: await loggedIn(request),
      password: sessions !== undefined,
    }),
  )
  typed.post(
    '/api/login',
    {
      bodyLimit: 4_096,
      config: { rateLimit: ATTEMPTS },
      schema: {
        summary: 'Log in; sets a cookie',
        body: z.strictObject({ password: z.string().max(1_000) }),
        response: { 200: session, 401: refused, 429: refused },
      },
    },
    async (request, reply) => {
      const begun = await sessions?.begin(request.body.password, visitorOf(request))
      if (begun === undefined || ('refused' in begun && begun.refused === 'wrong'))
        return reply.code(401).send({ message: 'That is not the password.' })
      if ('refused' in begun) {
        const seconds = Math.ceil(begun.ms / 1_000)
        const message = `Too many wrong passwords. Try again in ${seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`}.`
        return reply.code(429).header('retry-after', seconds).send({ message })
      }
      // Only a proxy knows whether the browser uses https.
      const secure = request.headers['x-forwarded-proto'] === 'https'
      const name = secure ? SECURE_COOKIE : COOKIE
      reply.setCookie(name, begun.session, { path: '/', httpOnly: true, sameSite: 'strict', secure, maxAge: LIFETIME / 1_000 })
      return { loggedIn: true, password: true }
    },
  )
  const leave = async (request: FastifyRequest, reply: FastifyReply) => {
    feed.cut(sessionOf(request))
    for (const name of [COOKIE, SECURE_COOKIE]) reply.clearCookie(name, { path: '/', secure: name === SECURE_COOKIE })
    return { loggedIn: false, password: sessions !== undefined }
  }
  typed.post('/api/logout', { schema: { summary: 'Log out', response: { 200: session } } }, async (request, reply) => {
    await sessions?.end(sessionOf(request))
    return leave(request, reply)
  })
  typed.post(
    '/api/logout-everywhere',
    { schema: { summary: 'Log out all browsers', response: { 200: session } } },
    async (request, reply) => {
      await sessions?.endAll()
      feed.cut()
      return leave(request, reply)
    },
  )
}

/** Guards the routes of other plugins that are not public. */
export function guardOthers(sessions: Sessions | undefined): NonNullable<PluginHooks['guard']> {
  return async (request, reply) => {
    if (!sessions && !isLocal(request)) return reply.code(403).send(LOCAL)
    if (sessions && !(await sessions.holds(sessionIn(request.headers.cookie)))) return reply.code(401).send(LOG_IN)
  }
}

const LOG_IN = { message: 'Log in first.' }
const LOCAL = { message: 'Without a password this is open to this machine alone. Set DASHBOARD_PASSWORD.' }

/** Longest name of a browser that is kept. */
const BROWSER = 200

/** The nearest proxy appends the address that it sees. */
function visitorOf({ headers, ip }: FastifyRequest): Visitor {
  const passedOn = [headers['x-forwarded-for'] ?? []].flat().at(-1)?.split(',').at(-1)?.trim()
  return { address: (passedOn || ip).slice(0, BROWSER), browser: (headers['user-agent'] ?? '').slice(0, BROWSER) }
}

/** The session of the request; undefined without a password. */
export function sessionOf(request: FastifyRequest): string {
  return request.cookies[SECURE_COOKIE] ?? request.cookies[COOKIE] ?? ''
}

/** The same on the server of another plugin, which does not read cookies. */
function sessionIn(header = ''): string {
  const cookies = Object.fromEntries(header.split(/;\s*/).map(one => one.split('=', 2)))
  return cookies[SECURE_COOKIE] ?? cookies[COOKIE] ?? ''
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/**
 * The Host header must name this machine, and no proxy may forward the request. Any site can let its name point to
 * 127.0.0.1
 * and would then be same-origin with this page; and a proxy would open it to everybody.
 */
function isLocal({ headers }: FastifyRequest): boolean {
  const passedOn = headers.forwarded ?? headers['x-forwarded-for'] ?? headers['x-forwarded-host'] ?? headers['x-real-ip']
  const name = URL.parse(`http://${headers.host}`)?.hostname.replace(/^\[|\]$/g, '')
  return passedOn === undefined && name !== undefined && isLoopback(name)
}

/** A browser sends its origin. Other clients have no cookie that a site could misuse. */
function isOwnPage({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin === undefined || URL.parse(headers.origin)?.host === headers.host
}
