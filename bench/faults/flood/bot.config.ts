/** The measured bot: `kikimimi start` with the plugins of bot.config.ts, on a platform that another process plays over a socket. */
import { connect } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { defineBot, type IncomingMessage, KikimimiError } from 'kikimimi'
import { definePlatform, type Platform } from 'kikimimi/platform'
import config from '../../../bot.config.ts'
import { type FromBot, lines, type Said, type Settings, type State, type ToBot } from './messages.ts'

const { database, port }: Settings = JSON.parse(process.env.BENCH_SETTINGS ?? '{}')

/** Outcomes are told together, because a line for each would be measured too. */
const TOGETHER_MS = 20

const me = { id: 'kiki', name: 'kiki' }

const wire = definePlatform({
  name: 'wire',
  setup(ctx) {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    const reads = new Map<number, (messages: readonly IncomingMessage[]) => void>()
    const outcomes = { taken: [] as number[], shed: [] as number[], refused: [] as number[] }
    const delay = monitorEventLoopDelay({ resolution: 5 })
    let count = 0

    const tell = (message: FromBot) => void socket.write(`${JSON.stringify(message)}\n`)

    function tellOutcomes(): void {
      for (const kind of ['taken', 'shed', 'refused'] as const) {
        if (outcomes[kind].length > 0) tell([kind, outcomes[kind].splice(0)])
      }
    }

    async function hear(said: Said): Promise<void> {
      try {
        await ctx.receive(messageOf(said))
        outcomes.taken.push(said.id)
      } catch (error) {
        const isShed = error instanceof KikimimiError && error.code === 'OVERLOADED'
        outcomes[isShed ? 'shed' : 'refused'].push(said.id)
      }
    }

    async function state(): Promise<State> {
      const mb = (bytes: number) => Math.round(bytes / 2 ** 20)
      const ms = (nanoseconds: number) => Math.round(nanoseconds / 1e6)
      const { p50, p99, max } = { p50: delay.percentile(50), p99: delay.percentile(99), max: delay.max }
      delay.reset()
      const metrics = await (await fetch(`http://${process.env.KIKIMIMI_HTTP}/metrics`)).text()
      return {
        rss: mb(process.memoryUsage.rss()),
        // In KB.
        peak: Math.round(process.resourceUsage().maxRSS / 2 ** 10),
        heap: mb(process.memoryUsage().heapUsed),
        delay: { p50: ms(p50), p99: ms(p99), max: ms(max) },
        metrics,
      }
    }

    function take(message: ToBot): void {
      if (message[0] === 'said') {
        const [, id, channel, asks, at, text] = message
        void hear({ id, channel, asks: asks === 1, at, text })
      } else if (message[0] === 'history') reads.get(message[1])?.(message[2].map(messageOf))
      else void state().then(told => tell(['state', told]))
    }

    const platform: Platform = {
      name: 'wire',
      me,
      limits: { textLength: 2_000 },
      idempotent: true,
      start() {
        delay.enable()
        socket.on('data', lines(take))
        const timer = setInterval(tellOutcomes, TOGETHER_MS)
        // The measuring process is gone, so this one ends.
        socket.on('error', () => process.exit())
        socket.on('close', () => process.exit())
        ctx.scope.defer(() => {
          clearInterval(timer)
          socket.removeAllListeners('close').destroy()
        })
        process.send?.('ready')
      },
      async send(_conversation, { answers }) {
        tell(['post', answers])
        return { id: `post-${count++}` }
      },
      async history({ channel }, { after, limit }) {
        const request = count++
        const { promise, resolve } = Promise.withResolvers<readonly IncomingMessage[]>()
        reads.set(request, resolve)
        tell(['history', request, Number(channel), after === undefined ? undefined : Number(after), limit])
        return promise.finally(() => reads.delete(request))
      },
    }
    return { platform }
  },
})

function messageOf({ id, channel, asks, at, text }: Said): IncomingMessage {
  return {
    id: String(id),
    conversation: { platform: 'wire', workspace: '', channel: String(channel), name: `channel-${channel}`, visibility: 'public' },
    author: { id: `person-${id % 5_000}`, name: `person ${id % 5_000}` },
    text,
    at: new Date(at),
    mentions: asks ? [me] : [],
  }
}

const PLATFORMS = ['terminal', 'discord', 'slack']

export default defineBot({
  persona: config.persona,
  database,
  models: {},
  plugins: [wire, ...config.plugins.filter(one => one && 'definition' in one && !PLATFORMS.includes(one.definition.name))],
})
