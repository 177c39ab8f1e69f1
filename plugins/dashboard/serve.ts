/** Serves the page and its API on the bot's HTTP server. */
import { fileURLToPath } from 'node:url'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import rateLimit, { type RateLimitPluginOptions } from '@fastify/rate-limit'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { Operator, type PluginContext } from 'kikimimi'
import { servePage } from './files/serve-page.ts'
import { type PageParts, pages } from './pages.ts'
import { type PanelParts, panelRoutes } from './panels/routes.ts'
import { guard, sessionOf, visitorOf } from './server/access.ts'
import { keepChanges } from './server/changes.ts'
import { idOf } from './server/sessions.ts'
import { toJsonSchemas, useZod } from './server/typed.ts'

export type ServerParts = Omit<PageParts, 'whoIs'> & PanelParts

const PAGE = fileURLToPath(new URL('./page/', import.meta.url))

/** Content policy: only own files, no inline scripts or styles, no frames. */
const POLICY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'"],
  connectSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
  requireTrustedTypesFor: ["'script'"],
  trustedTypes: ["'none'"],
}

/** Of the API alone: the files of the page cost little, and a load asks for many of them. */
const REQUESTS: RateLimitPluginOptions = {
  max: 1_200,
  timeWindow: '1 minute',
  allowList: ({ routeOptions }) => !routeOptions.url?.startsWith('/api/'),
}

export async function serve(
  server: FastifyInstance,
  ctx: PluginContext,
  { logins, panels, ...parts }: ServerParts,
): Promise<void> {
  // The server accepts JSON only, which forms of other pages cannot send.
  server.removeContentTypeParser('text/plain')
  useZod(server)
  await server.register(cookie)
  await server.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: POLICY },
    // Some bots have no https. A proxy can add this header for the others.
    strictTransportSecurity: false,
  })
  await server.register(rateLimit, REQUESTS)
  await server.register(swagger, {
    openapi: {
      info: {
        title: 'kikimimi',
        version: '1',
        description: 'The dashboard’s own API. Log in at /api/login; the cookie does the rest.',
      },
    },
    transform: ({ schema, url }) => ({ schema: toJsonSchemas({ ...schema }), url }),
  })
  // Open streams would delay the stop.
  server.addHook('preClose', async () => parts.feed.cut())
  server.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    const { statusCode = 500 } = error
    if (statusCode >= 500) ctx.log.error('the page asked for something that failed', { error })
    return reply.code(statusCode).send({ message: statusCode >= 500 ? 'Something went wrong: see the log.' : error.message })
  })

  const { whoIs } = guard(server, ctx.use(Operator).http, { sessions: logins?.sessions, feed: parts.feed })
  keepChanges(server, {
    ...ctx,
    hasAccounts: logins !== undefined,
    addressOf: request => visitorOf(request).address,
    whoIs(request) {
      const who = whoIs(request)
      return who && { account: who.account, session: idOf(sessionOf(request)) }
    },
  })
  for (const { routes } of pages) routes?.(server, ctx, { ...parts, logins, whoIs })
  panelRoutes(server, ctx, { panels })
  server.get('/api/openapi.json', { config: { role: 'viewer' }, schema: { hide: true } }, () => server.swagger())

  await servePage(server, PAGE, pages)
}
