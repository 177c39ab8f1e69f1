/** Serves the page and its API on the bot's HTTP server. */
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import files from '@fastify/static'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { Operator, type PluginContext, STAGES } from 'kikimimi'
import { type PageParts, pages } from './pages.ts'
import { type PanelParts, panelRoutes } from './panels/routes.ts'
import { guard, sessionOf } from './server/access.ts'
import { keepChanges } from './server/changes.ts'
import { idOf } from './server/sessions.ts'
import { toJsonSchemas, useZod } from './server/typed.ts'

export type ServerParts = Omit<PageParts, 'whoIs'> & PanelParts

const PAGE = fileURLToPath(new URL('./page/', import.meta.url))

/** Files of packages, unchanged except for one import that a browser cannot resolve without an import map. */
const VENDOR = {
  'preact.js': 'preact',
  'hooks.js': 'preact/hooks',
  'htm.js': 'htm',
  'uplot.js': 'uplot/dist/uPlot.esm.js',
  'uplot.css': 'uplot/dist/uPlot.min.css',
}

/** Folders of style sheets for all pages, in this order. */
const SHARED = ['base', 'shell', 'turn']

/** The first page of a bot with a password. */
const FIRST = 'overview'

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

const REQUESTS = { max: 1_200, timeWindow: '1 minute' }

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
    whoIs(request) {
      const who = whoIs(request)
      return who && { account: who.account, session: idOf(sessionOf(request)) }
    },
  })
  for (const { routes } of pages) routes?.(server, ctx, { ...parts, logins, whoIs })
  panelRoutes(server, ctx, { panels })
  server.get('/api/openapi.json', { config: { role: 'viewer' }, schema: { hide: true } }, () => server.swagger())

  const send = (path: string, type: 'css' | 'javascript', text: string) =>
    server.get(path, { schema: { hide: true } }, (_request, reply) =>
      reply.type(`text/${type}; charset=utf-8`).header('cache-control', 'no-cache').send(text),
    )
  for (const [name, specifier] of Object.entries(VENDOR)) {
    const text = await readFile(fileURLToPath(import.meta.resolve(specifier)), 'utf8')
    send(`/vendor/${name}`, name.endsWith('.css') ? 'css' : 'javascript', text.replaceAll('"preact"', '"./preact.js"'))
  }
  send('/style.css', 'css', await styles())
  send('/site.js', 'javascript', await site(logins !== undefined))
  // One route per existing file, so that no path leads elsewhere.
  await server.register(files, { root: PAGE, wildcard: false, schemaHide: true })
}

/** All style sheets as one. Those for all pages come first, so that a page can override them. */
async function styles(): Promise<string> {
  const found = (await readdir(PAGE, { recursive: true })).filter(name => name.endsWith('.css')).sort()
  const rank = (name: string) => SHARED.indexOf(name.split(/[\\/]/, 1)[0] ?? '') + 1 || SHARED.length + 1
  const ordered = found.toSorted((one, other) => rank(one) - rank(other))
  return (await Promise.all(ordered.map(name => readFile(`${PAGE}${name}`, 'utf8')))).join('\n')
}

/** What the page has to know before it asks the API: which pages, languages and stages there are. See `types/site.d.ts`. */
async function site(isServer: boolean): Promise<string> {
  const languages = (await readdir(`${PAGE}languages`))
    .filter(name => name.endsWith('.js'))
    .map(name => name.slice(0, -'.js'.length))
  // The first page opens. A bot with a password is watched; one without is tried.
  const ordered = isServer ? pages.toSorted((a, b) => Number(b.name === FIRST) - Number(a.name === FIRST)) : pages
  const known = {
    pages: ordered.map(({ name, role }) => ({ name, role })),
    languages: languages.sort(),
    stages: Object.keys(STAGES),
  }
  return Object.entries(known)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`)
    .join('')
}
