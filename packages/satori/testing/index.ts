/**
 * A server of the Satori protocol in this process, on loopback: one network with people, as a bridge such as Koishi offers it. A test plays
 * the people, sees what they see, and cuts the connection. https://satori.chat/en-US/protocol/
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage as Request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

const TOKEN = 'secret'
/** Opcodes of the protocol. */
const [EVENT, PING, PONG, IDENTIFY, READY] = [0, 1, 2, 3, 4]
const [TEXT, DIRECT] = [0, 1]
const LOGIN = {
  ...{ sn: 1, adapter: 'test', platform: 'town', status: 1, features: [] },
  user: { id: '1', name: 'kiki', is_bot: true },
}
const GUILD = { id: 'g1', name: 'the town' }

type Params = Readonly<Record<string, string>>

export interface Line {
  readonly id: string
  readonly author: string
  readonly where: string
  content: string
  readonly at: number
}

export async function startSatori() {
  const lines: Line[] = []
  const reactions: { readonly message: string; readonly emoji: string }[] = []
  const events: { readonly sn: number }[] = []
  const people = new Map([['kiki', LOGIN.user.id]])
  const sockets = new Set<WebSocket>()
  const refusals: { readonly method: string; readonly status: number; readonly retryAfter?: number }[] = []
  const calls: string[] = []
  let count = 0

  const userOf = (name: string) => {
    const id = people.get(name) ?? String(100 + people.size)
    people.set(name, id)
    return name === 'kiki' ? LOGIN.user : { id, name }
  }
  const channelOf = (where: string) => ({ id: where, name: where, type: people.has(where) ? DIRECT : TEXT })

  function find(id: string): Line {
    const line = lines.find(one => one.id === id)
    if (line) return line
    throw new Error(`there is no message ${id}`)
  }

  function tell(type: string, line: Line, more: object = {}): void {
    const { id, author, where, content, at } = line
    const channel = channelOf(where)
    const event = {
      ...{ sn: events.length + 1, type, timestamp: at, login: LOGIN, channel, user: userOf(author) },
      ...(channel.type === TEXT && { guild: GUILD }),
      message: { id, content, ...quoteIn(content) },
      ...more,
    }
    events.push(event)
    for (const socket of sockets) socket.send(JSON.stringify({ op: EVENT, body: event }))
  }

  /** What a message answers, as the server tells it beside the content. */
  function quoteIn(content: string) {
    const [, id] = /<quote id="([^"]+)"/.exec(content) ?? []
    const line = lines.find(one => one.id === id)
    return line ? { quote: { id, content: line.content, user: userOf(line.author) } } : {}
  }

  function write(author: string, content: string, where: string): Line {
    const line = { id: `m${++count}`, author, where, content, at: Date.now() }
    lines.push(line)
    tell('message-created', line)
    return line
  }

  const methods: Readonly<Record<string, (params: Params) => unknown>> = {
    'message.create': ({ channel_id: where = '', content = '' }) => {
      const { id } = write('kiki', content, where)
      return [{ id, content }]
    },
    'message.update': ({ message_id: id = '', content = '' }) => void Object.assign(find(id), { content }),
    'message.delete': ({ message_id: id = '' }) => void lines.splice(lines.indexOf(find(id)), 1),
    'reaction.create': ({ message_id: message = '', emoji = '', emoji_id: id = emoji }) =>
      void reactions.push({ message, emoji: id }),
  }

  async function answer(request: Request, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const method = (request.url ?? '').replace('/v1/', '')
    calls.push(method)
    const run = methods[method]
    const at = refusals.findIndex(one => one.method === method)
    const [refused] = at < 0 ? [] : refusals.splice(at, 1)
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return void response.writeHead(401).end()
    if (refused) {
      if (refused.retryAfter !== undefined) response.setHeader('retry-after', refused.retryAfter)
      return void response.writeHead(refused.status).end()
    }
    if (!run) return void response.writeHead(404).end()
    const told = run(JSON.parse(body || '{}') as Params)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(told ?? {}))
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => request.socket.destroy()))
  const gateway = new WebSocketServer({ server, path: '/v1/events' })
  gateway.on('connection', socket => {
    socket.on('close', () => sockets.delete(socket))
    socket.on('message', data => {
      const { op, body } = JSON.parse(String(data)) as {
        readonly op: number
        readonly body?: { readonly token?: string; readonly sn?: number }
      }
      if (op === PING) return socket.send(JSON.stringify({ op: PONG, body: {} }))
      if (op !== IDENTIFY) return
      if (body?.token !== TOKEN) return socket.close(3_000, 'invalid token')
      sockets.add(socket)
      socket.send(JSON.stringify({ op: READY, body: { logins: [LOGIN], proxy_urls: [] } }))
      // A session that goes on gets what it missed.
      const missed = body.sn === undefined ? [] : events.filter(({ sn }) => sn > (body.sn ?? 0))
      for (const event of missed) socket.send(JSON.stringify({ op: EVENT, body: event }))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo

  return {
    endpoint: `http://127.0.0.1:${port}`,
    token: TOKEN,
    /** All that was written, oldest first. */
    lines,
    reactions,
    /** Methods that were called, oldest first. */
    calls,
    /** How a person mentions the bot. */
    mention: `<at id="${LOGIN.user.id}" name="kiki"/>`,
    say: (author: string, content: string, where = 'general') => {
      userOf(author)
      return write(author, content, where).id
    },
    edit: (id: string, content: string) => tell('message-updated', Object.assign(find(id), { content })),
    remove(id: string): void {
      const line = find(id)
      lines.splice(lines.indexOf(line), 1)
      tell('message-deleted', line)
    },
    react: (author: string, id: string, emoji: string, removed = false) =>
      tell(removed ? 'reaction-removed' : 'reaction-added', find(id), {
        user: userOf(author),
        emoji: { id: emoji, name: emoji },
      }),
    redeliver: (id: string) => tell('message-created', find(id)),
    /** The next call of a method is refused. */
    refuse: (method: string, status: number, retryAfter?: number) =>
      void refusals.push({ method, status, ...(retryAfter !== undefined && { retryAfter }) }),
    /** Cuts the connections for events. Clients come again. */
    cut: () => sockets.forEach(socket => void socket.terminate()),
    async [Symbol.asyncDispose](): Promise<void> {
      for (const socket of gateway.clients) socket.terminate()
      gateway.close()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type SatoriServer = Awaited<ReturnType<typeof startSatori>>
