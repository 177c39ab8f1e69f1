/**
 * Access to the page. On loopback without a password: users of this machine, as owners. Elsewhere, and whenever there is a
 * password: people with an account, by its role. A route names the role that it needs in its `config`, or is `public` there.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { KikimimiError, type Operator, type PluginHooks } from 'kikimimi'
import { z } from 'zod'
import { OWNER } from './accounts.ts'
import type { Feed } from './feed.ts'
import { ROLES, refusal } from './roles.ts'
import { type Begun, type Identity, LIFETIME, type Sessions, type Visitor } from './sessions.ts'
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

const session = z.object({
  loggedIn: z.boolean(),
  password: z.boolean().describe('Whether a password is set.'),
  account: z.string().optional(),
  role: z.enum(ROLES).optional(),
})

/** Longest password and code. */
const LONGEST = 1_000

export interface Guard {
  /** Who has sent the request. Nothing before the login and without a password. */
  whoIs(request: FastifyRequest): Identity | undefined
}

/** Throws OPTIONS_INVALID if other machines could use the page without a password. */
export function guard(server: FastifyInstance, http: Operator['http'], { sessions, feed }: AccessOptions): Guard {
  if (!sessions && !isLoopback(http.host)) {
    throw new KikimimiError(
      'OPTIONS_INVALID',
      `[dashboard] has no password, and whoever reaches ${http.host}:${http.port} could read along. ` +
        'Set DASHBOARD_PASSWORD (12 characters or more), or let KIKIMIMI_HTTP be an address of 127.0.0.1.',
    )
  }
  const known = new WeakMap<FastifyRequest, Identity>()

  async function sessionView(request: FastifyRequest): Promise<z.input<typeof session>> {
    if (!sessions) return { loggedIn: true, password: false, role: 'owner' }
    const who = await sessions.who(sessionOf(request))
    return { loggedIn: who !== undefined, password: true, ...who }
  }

  server.addHook('onRequest', async (request, reply) => {
    const { method, routeOptions } = request
    const url = routeOptions.url ?? ''
    if (!sessions && !isLocal(request)) return reply.code(403).send(LOCAL)
    if (!READING.has(method) && !isOwnPage(request)) return reply.code(403).send({ message: 'Only its own page may do this.' })
    // Another page cannot read the response, but its requests would cause work and open streams.
    if (url.startsWith('/api/') && ELSEWHERE.has(request.headers['sec-fetch-site'])) {
      return reply.code(403).send({ message: 'Only its own page may ask for this.' })
    }
    if (!sessions || !url.startsWith('/api/') || routeOptions.config.public) return
    const who = await sessions.who(sessionOf(request))
    if (!who) return reply.code(401).send(LOG_IN)
    known.set(request, who)
    const message = refusal(who.role, routeOptions.config)
    if (message !== undefined) return reply.code(403).send({ message })
  })

  const typed = withTypes(server)
  typed.get(
    '/api/session',
    { config: { public: true }, schema: { summary: 'Whether this browser is logged in', response: { 200: session } } },
    sessionView,
  )
  typed.post(
    '/api/login',
    {
      bodyLimit: 4_096,
      config: { public: true, rateLimit: ATTEMPTS },
      schema: {
        summary: 'Log in; sets a cookie',
        body: z.strictObject({
          account: z.string().max(100).default(OWNER),
          password: z.string().max(LONGEST),
          code: z.string().min(1).max(LONGEST).optional().describe('Of the second factor, or a recovery code.'),
        }),
        response: {
          200: session,
          401: refused.extend({ code: z.boolean().describe('True: the password is right, and a code is missing.') }),
          429: refused,
        },
      },
    },
    async (request, reply) => {
      const begun: Begun = (await sessions?.begin(request.body, visitorOf(request))) ?? { refused: 'wrong' }
      if ('refused' in begun) {
        if (begun.refused !== 'wait') {
          const isMissing = begun.refused === 'code'
          const message = isMissing ? 'Add the code of the second factor.' : 'That is not the password, or not the code.'
          return reply.code(401).send({ message, code: isMissing })
        }
        const seconds = Math.ceil(begun.ms / 1_000)
        const message = `Too many wrong passwords. Try again in ${seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`}.`
        return reply.code(429).header('retry-after', seconds).send({ message })
      }
      // Only a proxy knows whether the browser uses https.
      const secure = request.headers['x-forwarded-proto'] === 'https'
      const name = secure ? SECURE_COOKIE : COOKIE
      reply.setCookie(name, begun.session, { path: '/', httpOnly: true, sameSite: 'strict', secure, maxAge: LIFETIME / 1_000 })
      return { loggedIn: true, password: true, ...(await sessions?.who(begun.session)) }
    },
  )
  const leave = async (request: FastifyRequest, reply: FastifyReply) => {
    feed.cut(sessionOf(request))
    for (const name of [COOKIE, SECURE_COOKIE]) reply.clearCookie(name, { path: '/', secure: name === SECURE_COOKIE })
    return { loggedIn: false, password: sessions !== undefined }
  }
  const forAll = { config: { role: 'viewer' } } as const
  typed.post('/api/logout', { ...forAll, schema: { summary: 'Log out', response: { 200: session } } }, async (request, reply) => {
    await sessions?.end(sessionOf(request))
    return leave(request, reply)
  })
  typed.post(
    '/api/logout-everywhere',
    {
      ...forAll,
      schema: { summary: 'Log out all browsers of the account; of all accounts, for an owner', response: { 200: session } },
    },
    async (request, reply) => {
      const who = known.get(request)
      await sessions?.endAll(who?.role === 'owner' ? undefined : who?.account)
      // The others connect again.
      feed.cut()
      return leave(request, reply)
    },
  )
  return { whoIs: request => known.get(request) }
}

/** Guards the routes of other plugins that are not public. */
export function guardOthers(sessions: Sessions | undefined): NonNullable<PluginHooks['guard']> {
  return async (request, reply) => {
    if (!sessions && !isLocal(request)) return reply.code(403).send(LOCAL)
    if (!sessions) return
    const who = await sessions.who(sessionIn(request.headers.cookie))
    if (!who) return reply.code(401).send(LOG_IN)
    const message = refusal(who.role, request.routeOptions.config)
    if (message !== undefined) return reply.code(403).send({ message })
  }
}

const LOG_IN = { message: 'Log in first.' }
const LOCAL = { message: 'Without a password this is open to this machine alone. Set DASHBOARD_PASSWORD.' }

/** Longest name of a browser that is kept. */
const BROWSER = 200

/** The nearest proxy appends the address that it sees. */
export function visitorOf({ headers, ip }: FastifyRequest): Visitor {
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
