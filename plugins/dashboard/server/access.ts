/**
 * Access to the page. On loopback without a password: users of this machine. Elsewhere, and whenever there is a
 * password: logged-in users.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { KikimimiError, type Operator } from 'kikimimi'
import { z } from 'zod'
import type { Feed } from './feed.ts'
import { LIFETIME, type Sessions } from './sessions.ts'
import { withTypes } from './typed.ts'

export interface AccessOptions {
  /** Absent without a password. */
  readonly sessions: Sessions | undefined
  readonly feed: Feed
}

const COOKIE = 'kikimimi_session'
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
  const loggedIn = (request: FastifyRequest) => !sessions || sessions.holds(sessionOf(request))

  server.addHook('onRequest', async (request, reply) => {
    const { method, routeOptions } = request
    const url = routeOptions.url ?? ''
    if (!sessions && !isLocal(request)) {
      return reply.code(403).send({ message: 'Without a password this is open to this machine alone. Set DASHBOARD_PASSWORD.' })
    }
    if (!READING.has(method) && !isOwnPage(request)) return reply.code(403).send({ message: 'Only its own page may do this.' })
    // Another page cannot read the response, but its requests would cause work and open streams.
    if (url.startsWith('/api/') && ELSEWHERE.has(request.headers['sec-fetch-site'])) {
      return reply.code(403).send({ message: 'Only its own page may ask for this.' })
    }
    if (url.startsWith('/api/') && !FREE.has(url) && !loggedIn(request)) {
      return reply.code(401).send({ message: 'Log in first.' })
    }
  })

  const typed = withTypes(server)
  typed.get(
    '/api/session',
    { schema: { summary: 'Whether this browser is logged in', response: { 200: session } } },
    request => ({
      loggedIn: loggedIn(request),
      password: sessions !== undefined,
    }),
  )
  typed.post(
    '/api/login',
    {
      bodyLimit: 4_096,
      config: { rateLimit: ATTEMPTS },
      schema: { summary: 'Log in; sets a cookie', body: z.strictObject({ password: z.string().max(1_000) }) },
    },
    (request, reply) => {
      const begun = sessions?.begin(request.body.password)
      if (begun === undefined) return reply.code(401).send({ message: 'That is not the password.' })
      // Only a proxy knows whether the browser uses https.
      const secure = request.headers['x-forwarded-proto'] === 'https'
      reply.setCookie(COOKIE, begun, { path: '/', httpOnly: true, sameSite: 'strict', secure, maxAge: LIFETIME / 1_000 })
      return { loggedIn: true, password: true }
    },
  )
  typed.post('/api/logout', { schema: { summary: 'Log out' } }, (request, reply) => {
    sessions?.end(sessionOf(request))
    feed.cut(sessionOf(request))
    reply.clearCookie(COOKIE, { path: '/' })
    return { loggedIn: false, password: sessions !== undefined }
  })
}

/** The session of the request; undefined without a password. */
export function sessionOf(request: FastifyRequest): string {
  return request.cookies[COOKIE] ?? ''
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
