/** The page and its API, on the bot's HTTP server. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import files from '@fastify/static'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { Operator, type PluginContext } from 'kikimimi'
import { guard } from './access.ts'
import { channelSettingsRoutes } from './channel-settings-routes.ts'
import { channelsRoutes } from './channels-routes.ts'
import type { Measuring } from './health-measure.ts'
import { healthRoutes } from './health-routes.ts'
import { type LiveParts, liveRoutes } from './live-routes.ts'
import { memoryRoutes } from './memory-routes.ts'
import type { Playground } from './playground.ts'
import { playgroundRoutes } from './playground-routes.ts'
import type { Sessions } from './sessions.ts'
import { tuningRoutes } from './tuning-routes.ts'
import { toJsonSchemas, useZod } from './typed.ts'

export interface ServerParts extends LiveParts {
  readonly sessions: Sessions | undefined
  readonly playground: Playground
  readonly measuring: Measuring
}

const PAGE = fileURLToPath(new URL('./page/', import.meta.url))

/** From their packages as they are, but for the one name that a browser cannot resolve without a map. */
const VENDOR = {
  'preact.js': 'preact',
  'hooks.js': 'preact/hooks',
  'htm.js': 'htm',
  'uplot.js': 'uplot/dist/uPlot.esm.js',
  'uplot.css': 'uplot/dist/uPlot.min.css',
}

/** Nothing but its own files: no script and no style in the page itself, nothing from elsewhere, in nobody's frame. */
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

const REQUESTS = { max: 1_200, timeWindow: '1 minute' }

export async function serve(
  server: FastifyInstance,
  ctx: PluginContext,
  { sessions, playground, measuring, ...live }: ServerParts,
): Promise<void> {
  // Nothing but JSON comes in: no form of another page can send that.
  server.removeContentTypeParser('text/plain')
  useZod(server)
  await server.register(cookie)
  await server.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: POLICY },
    // Not every bot is reached by https; who is says so at the proxy.
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
  // Open pages would hold up the end.
  server.addHook('preClose', async () => live.feed.cut())
  server.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    const { statusCode = 500 } = error
    if (statusCode >= 500) ctx.log.error('the page asked for something that failed', { error })
    return reply.code(statusCode).send({ message: statusCode >= 500 ? 'Something went wrong: see the log.' : error.message })
  })

  guard(server, ctx.use(Operator).http, { sessions, feed: live.feed })
  liveRoutes(server, ctx, live)
  playgroundRoutes(server, ctx, playground)
  memoryRoutes(server, ctx)
  channelsRoutes(server, ctx)
  channelSettingsRoutes(server, ctx)
  healthRoutes(server, ctx, measuring)
  tuningRoutes(server, ctx)
  server.get('/api/openapi.json', { schema: { hide: true } }, () => server.swagger())

  for (const [name, specifier] of Object.entries(VENDOR)) {
    const text = (await readFile(fileURLToPath(import.meta.resolve(specifier)), 'utf8')).replaceAll('"preact"', '"./preact.js"')
    server.get(`/vendor/${name}`, { schema: { hide: true } }, (_request, reply) =>
      reply
        .type(`text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`)
        .header('cache-control', 'no-cache')
        .send(text),
    )
  }
  // A route for each file that is there: no path leads anywhere else.
  await server.register(files, { root: PAGE, wildcard: false, schemaHide: true })
}
