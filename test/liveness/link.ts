/** A link between the bot and its Postgres server, on loopback, that breaks in the ways in which networks break. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Fault =
  /** Nothing is passed on, and nothing is lost: a frozen server. */
  | 'freeze'
  /** Packets are swallowed. Connections of that time stay dead afterwards, without an error. */
  | 'swallow'
  /** Only answers are swallowed: statements have their effect. */
  | 'swallow answers'
  /** Only statements are swallowed. */
  | 'swallow statements'
  /** Only new connections hang. Connections that are open are swallowed once. */
  | 'new connections hang'
  | 'delay 20 ms'
  | 'delay 5 s'
  /** Ten kilobytes a second for all connections together. */
  | 'throttle'
  /** Nothing listens, and all connections are reset. */
  | 'cut'
  /** All connections are closed, once. New ones work. */
  | 'cut once'
  /** All connections are reset every two seconds. */
  | 'cut repeatedly'
  /** The server seems to close its direction of each connection, and keeps the other one. */
  | 'half-close'

export interface Link extends AsyncDisposable {
  /** The URL of the server through the link. */
  readonly url: string
  break(fault: Fault): void
  heal(): void
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
  /** Packets of its life are lost from now on. */
  lost: boolean
}

type Direction = 'statements' | 'answers'

export async function openLink(target: string): Promise<Link> {
  const { hostname, port } = new URL(target)
  const pairs = new Set<Pair>()
  const held: (() => void)[] = []
  let fault: Fault | undefined
  let repeating: NodeJS.Timeout | undefined
  let freeAt = 0

  function swallows(pair: Pair, direction: Direction): boolean {
    if (pair.lost || fault === 'swallow' || fault === 'new connections hang') return true
    return fault === `swallow ${direction}`
  }

  function pass(pair: Pair, direction: Direction, chunk: Buffer): void {
    const to = direction === 'statements' ? pair.server : pair.client
    if (swallows(pair, direction)) {
      // TCP would retransmit for a while and give up: the connection never recovers.
      pair.lost = true
      return
    }
    if (fault === 'freeze') return void held.push(() => to.write(chunk))
    const ms = delay(chunk)
    if (ms === 0) to.write(chunk)
    else setTimeout(() => to.write(chunk), ms)
  }

  function delay(chunk: Buffer): number {
    if (fault === 'delay 20 ms') return 20
    if (fault === 'delay 5 s') return 5_000
    if (fault !== 'throttle') return Math.max(0, freeAt - Date.now())
    freeAt = Math.max(Date.now(), freeAt) + chunk.length / 10
    return freeAt - Date.now()
  }

  const reset = () => {
    for (const { client, server } of pairs) for (const socket of [client, server]) socket.resetAndDestroy()
  }

  const proxy = createServer({ allowHalfOpen: true }, client => {
    if (fault === 'cut') return void client.resetAndDestroy()
    const server = connect({ host: hostname, port: Number(port) })
    const pair: Pair = { client, server, lost: false }
    pairs.add(pair)
    client.on('data', chunk => pass(pair, 'statements', chunk))
    server.on('data', chunk => pass(pair, 'answers', chunk))
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => {})
      one.on('close', () => {
        if (other.destroyed) pairs.delete(pair)
        // The end of a connection is a packet too.
        if (!pair.lost) other.destroy()
      })
      one.on('end', () => !pair.lost && other.end())
    }
    if (fault === 'half-close') client.end()
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')

  function heal(): void {
    if (fault === 'half-close') reset()
    fault = undefined
    clearInterval(repeating)
    for (const run of held.splice(0)) run()
  }

  return {
    url: Object.assign(new URL(target), { host: `127.0.0.1:${(proxy.address() as AddressInfo).port}` }).href,
    break(next) {
      fault = next
      if (next === 'cut' || next === 'cut once') reset()
      if (next === 'cut repeatedly') repeating = setInterval(reset, 2_000)
      if (next === 'half-close') for (const { client } of pairs) client.end()
    },
    heal,
    async [Symbol.asyncDispose]() {
      heal()
      reset()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

export const FAULTS: readonly Fault[] = [
  'freeze',
  'swallow',
  'swallow answers',
  'swallow statements',
  'new connections hang',
  'delay 20 ms',
  'delay 5 s',
  'throttle',
  'cut',
  'cut once',
  'cut repeatedly',
  'half-close',
]
