/** Helpers of the security tests: all routes, and requests that no browser makes. */
import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { TestPage } from './open-page.ts'

export const PASSWORD = 'a long enough password'

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'] as const

/** Routes for login and logout. */
export const OPEN = ['/api/session', '/api/login']

export interface Operation {
  readonly method: string
  /** The path with values for its parameters. */
  readonly path: string
  readonly hasBody: boolean
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: unknown }>>>>
}

/** All routes in the API description. */
export async function operations(page: TestPage, headers: Record<string, string> = {}): Promise<readonly Operation[]> {
  const { paths } = (await (await page.api('openapi.json', { headers })).json()) as Described
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, '1'),
      hasBody: requestBody !== undefined,
    })),
  )
}

/** Files that the server generates: the style sheet, and the list of pages and languages. */
export const MADE: readonly string[] = ['/style.css', '/site.js']

/** Paths of all files of the page. */
export function files(): readonly string[] {
  const root = fileURLToPath(new URL('../page/', import.meta.url))
  const own = readdirSync(root, { recursive: true, withFileTypes: true }).flatMap(entry => {
    const path = `${entry.parentPath}/${entry.name}`.slice(root.length).replace(/^\/?/, '/')
    return entry.isFile() ? [path] : []
  })
  // Files of packages are found by the imports.
  const vendor = own.flatMap(path => readFileSync(`${root}${path}`, 'utf8').match(/\/vendor\/[\w.-]+/g) ?? [])
  return ['/', ...own, ...MADE, ...new Set(vendor)]
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export interface Asked {
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** A request that fetch cannot make: with a Host header and an unnormalised path. Streams are cut off at their start. */
export function ask(url: string, { path = '/', method = 'GET', headers = {}, body = '' }: Asked = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const { hostname, port } = new URL(url)
  const length = body.length > 0 && { 'content-length': String(Buffer.byteLength(body)) }
  request({ hostname, port, path, method, headers: { ...length, ...headers }, agent: false }, response => {
    const { statusCode: status = 0, headers } = response
    if (headers['content-type'] === 'text/event-stream') {
      response.destroy()
      resolve({ status, headers, body: '' })
    } else text(response).then(body => resolve({ status, headers, body }), reject)
  })
    .on('error', reject)
    .end(body)
  return promise
}

/** Sends raw bytes, and returns all data until the other side disconnects. */
export async function send(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  return text(socket)
}

/** The headers of a logged-in browser. */
export async function logIn(page: TestPage, headers: Record<string, string> = {}): Promise<string> {
  const answer = await page.api('login', { method: 'POST', body: { password: PASSWORD }, headers })
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}
