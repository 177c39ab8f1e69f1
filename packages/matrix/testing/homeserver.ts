/**
 * A Matrix homeserver in this process, on loopback: the part of the client-server API that a bot and its people use. A test makes
 * requests fail and sees what was requested. It refuses what a homeserver refuses: strangers, events that are too large, second reactions.
 * https://spec.matrix.org/latest/client-server-api/
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage as Request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMedia } from './media.ts'
import { type Content, createRooms, type Event, Refused, type Room } from './rooms.ts'

/** What the next request does. `before`: nothing happens. `after`: it happens, and the answer is lost. */
export type Fault =
  | { readonly status: number; readonly errcode?: string; readonly retryAfterMs?: number }
  | { readonly cut: 'before' | 'after' }

/** What a request carries. */
interface Asked {
  readonly user: string
  readonly token: string
  readonly parts: readonly string[]
  readonly query: URLSearchParams
  readonly body: Content
  readonly url: string
  readonly response: ServerResponse
}

type Run = (asked: Asked) => unknown

const SERVER = 'localhost'
/** Bytes of the largest event. */
const LARGEST = 65_536
const DUMMY = { flows: [{ stages: ['m.login.dummy'] }] }

export async function startHomeserver() {
  const tokens = new Map<string, string>()
  const names = new Map<string, string>()
  const transactions = new Map<string, unknown>()
  const faults: { readonly user: string; readonly matches: RegExp; readonly fault: Fault }[] = []
  const requests: string[] = []
  const media = createMedia(SERVER)
  const rooms = createRooms(SERVER, user => names.get(user) ?? user)

  /** The same transaction of one device happens once. */
  function inTransaction(asked: Asked, run: () => unknown): unknown {
    const key = `${asked.token} ${asked.url}`
    if (!transactions.has(key)) transactions.set(key, run())
    return transactions.get(key)
  }

  function send(asked: Asked): unknown {
    const { user, body, parts } = asked
    const [room = '', type = '', transaction = ''] = parts
    if (Buffer.byteLength(JSON.stringify(body)) > LARGEST) throw new Refused(413, 'M_TOO_LARGE', 'event too large')
    return inTransaction(asked, () => ({ event_id: rooms.joined(room, user).add(user, type, body, { transaction }).event_id }))
  }

  const routes: readonly (readonly [method: string, path: RegExp, run: Run])[] = [
    ['GET', /^\/v3\/account\/whoami$/, ({ user }) => ({ user_id: user })],
    ['GET', /^\/v3\/profile\/([^/]+)$/, ({ parts: [user = ''] }) => ({ displayname: names.get(user) ?? user })],
    ['PUT', /^\/v3\/profile\/([^/]+)\/displayname$/, rename],
    ['POST', /^\/v3\/createRoom$/, ({ user, body }) => ({ room_id: rooms.create(user, body).id })],
    ['GET', /^\/v3\/sync$/, sync],
    ['PUT', /^\/v3\/rooms\/([^/]+)\/send\/([^/]+)\/([^/]+)$/, send],
    ['PUT', /^\/v3\/rooms\/([^/]+)\/redact\/([^/]+)\/([^/]+)$/, redact],
    ['PUT', /^\/v3\/rooms\/([^/]+)\/state\/([^/]+)\/([^/]*)$/, setState],
    ['GET', /^\/v3\/rooms\/([^/]+)\/state\/([^/]+)\/([^/]*)$/, getState],
    [
      'PUT',
      /^\/v3\/rooms\/([^/]+)\/typing\/([^/]+)$/,
      ({ user, parts: [room = ''], body }) => rooms.joined(room, user).type(user, body),
    ],
    ['POST', /^\/v3\/rooms\/([^/]+)\/join$/, ({ user, parts: [room = ''] }) => ({ room_id: rooms.find(room).join(user).id })],
    ['POST', /^\/v3\/rooms\/([^/]+)\/leave$/, ({ user, parts: [room = ''], body }) => rooms.find(room).leave(user, body)],
    [
      'POST',
      /^\/v3\/rooms\/([^/]+)\/invite$/,
      ({ user, parts: [room = ''], body }) => rooms.joined(room, user).invite(user, String(body.user_id)),
    ],
    [
      'GET',
      /^\/v3\/rooms\/([^/]+)\/event\/([^/]+)$/,
      ({ user, parts: [room = '', id = ''] }) => rooms.joined(room, user).told(id, user),
    ],
    [
      'GET',
      /^\/v3\/rooms\/([^/]+)\/context\/([^/]+)$/,
      ({ user, parts: [room = '', id = ''] }) => rooms.joined(room, user).around(id, user),
    ],
    [
      'GET',
      /^\/v3\/rooms\/([^/]+)\/messages$/,
      ({ user, parts: [room = ''], query }) => rooms.joined(room, user).page(query, user),
    ],
    ['GET', /^\/v1\/rooms\/([^/]+)\/relations\/([^/]+)\/([^/]+)$/, related],
  ]

  function rename({ user, body }: Asked): unknown {
    names.set(user, String(body.displayname))
    return {}
  }

  function redact(asked: Asked): unknown {
    const [room = '', id = ''] = asked.parts
    return inTransaction(asked, () => ({ event_id: rooms.joined(room, asked.user).redact(asked.user, id).event_id }))
  }

  function setState({ user, parts: [room = '', type = '', key = ''], body }: Asked): unknown {
    return { event_id: rooms.joined(room, user).add(user, type, body, { key }).event_id }
  }

  function getState({ user, parts: [room = '', type = '', key = ''] }: Asked): unknown {
    const state = rooms.joined(room, user).stateOf(type, key)
    if (!state) throw new Refused(404, 'M_NOT_FOUND', 'Event not found.')
    return state.content
  }

  function related({ user, parts: [room = '', id = '', relation = ''], query }: Asked): unknown {
    return rooms.joined(room, user).page(query, user, event => {
      const { event_id: to, rel_type: type } = (event.content['m.relates_to'] ?? {}) as Content
      return to === id && type === relation
    })
  }

  async function sync({ user, query, response }: Asked): Promise<unknown> {
    const gone = once(response, 'close')
    const since = query.get('since')
    const end = performance.now() + Number(query.get('timeout') ?? 0)
    for (;;) {
      const batch = rooms.since(user, since === null ? undefined : Number(since), JSON.parse(query.get('filter') ?? '{}'))
      const left = end - performance.now()
      if (since === null || batch.isNew || left <= 0 || response.closed) return batch.told
      await Promise.race([rooms.changed(), gone, later(left)])
    }
  }

  function register({ username, auth }: Content): unknown {
    const id = `@${username}:${SERVER}`
    if (auth === undefined) throw new Refused(401, 'M_UNAUTHORIZED', 'more is needed', { ...DUMMY, session: randomUUID() })
    if (names.has(id)) throw new Refused(400, 'M_USER_IN_USE', 'User ID already taken.')
    const token = `secret-${randomUUID()}`
    tokens.set(token, id)
    names.set(id, String(username))
    return { user_id: id, access_token: token }
  }

  async function handle(request: Request, response: ServerResponse, url: URL, body: Buffer): Promise<unknown> {
    const path = url.pathname.replace(/^\/_matrix\/client/, '')
    const json = () => (body.length === 0 ? {} : JSON.parse(body.toString())) as Content
    if (path === '/v3/register') return register(json())
    const token = tokenOf(request)
    const user = tokens.get(token)
    if (user === undefined) throw new Refused(401, 'M_UNKNOWN_TOKEN', 'Unrecognised access token')
    const file = media.handle(request, url.pathname, body)
    if (file !== undefined) return file
    for (const [method, pattern, run] of routes) {
      const found = method === request.method && pattern.exec(path)
      if (!found) continue
      const parts = found.slice(1).map(decodeURIComponent)
      return run({ user, token, parts, query: url.searchParams, body: json(), url: request.url ?? '', response })
    }
    throw new Refused(404, 'M_UNRECOGNIZED', 'Unrecognized request')
  }

  async function answer(request: Request, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://matrix')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const line = `${request.method} ${decodeURIComponent(url.pathname)}`
    requests.push(line)
    const by = tokens.get(tokenOf(request))
    const at = faults.findIndex(({ user, matches }) => user === by && matches.test(line))
    const fault = at < 0 ? undefined : faults.splice(at, 1)[0]?.fault
    try {
      if (fault && 'cut' in fault) {
        if (fault.cut === 'after') await handle(request, response, url, Buffer.concat(chunks))
        return void request.socket.destroy()
      }
      if (fault) throw new Refused(fault.status, fault.errcode ?? 'M_UNKNOWN', 'try later', wait(fault.retryAfterMs))
      const told = await handle(request, response, url, Buffer.concat(chunks))
      if (Buffer.isBuffer(told)) return void response.end(told)
      response.setHeader('content-type', 'application/json').end(JSON.stringify(told))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      response.writeHead(error.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ errcode: error.errcode, error: error.message, ...error.more }))
    }
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => request.socket.destroy()))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo

  async function close(): Promise<void> {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }

  return {
    url: `http://127.0.0.1:${port}`,
    /** Each request as `PUT /_matrix/client/v3/…`, oldest first. */
    requests,
    /** The next request of a user that matches fails so. */
    fail: (user: string, matches: RegExp, fault: Fault) => void faults.push({ user, matches, fault }),
    /** Gives the event of a message to everybody again. */
    redeliver: (id: string) => rooms.repeat(id),
    /** No `sync` of a user contains what is written meanwhile, as before the user was invited. */
    unheard: <T>(user: string, run: () => Promise<T>) => rooms.hiding(user, run),
    [Symbol.asyncDispose]: close,
  }
}

export type Homeserver = Awaited<ReturnType<typeof startHomeserver>>
export type { Event, Room }

const tokenOf = ({ headers }: Request) => /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
const wait = (ms: number | undefined) => (ms === undefined ? {} : { retry_after_ms: ms })
const later = (ms: number) => new Promise<void>(resolve => void setTimeout(resolve, ms).unref())
