// Koishi with its own mock platform, no database, and 20 middlewares that do nothing. The import of its ES module fails on Node 24.
import { createRequire } from 'node:module'

const MESSAGES = 2_000

const require = createRequire(import.meta.url)
const { Context } = require('koishi')
const app = new Context()
app.plugin(require('@koishijs/plugin-mock').default)
for (let count = 0; count < 20; count++) app.middleware((_session, next) => next())
app.middleware((session, next) => (session.content.includes('@kiki') ? 'hello' : next()))
await app.start()
const alice = app.mock.client('alice', 'general')
await alice.shouldReply('@kiki hello', 'hello')
// Since the process began.
const startToAnswerMs = Math.round(performance.now())

const rss = () => Math.round(process.memoryUsage.rss() / 2 ** 20)
const start = rss()
const times = []
for (let count = 0; count < MESSAGES; count++) {
  const begun = performance.now()
  await alice.receive(`the build is green again ${count}`)
  times.push(performance.now() - begun)
}
times.sort((a, b) => a - b)
const at = share => Number(times[Math.floor(share * MESSAGES)].toFixed(2))
const ignored = { p50Ms: at(0.5), p99Ms: at(0.99) }
console.log(`\n${JSON.stringify({ startToAnswerMs, ignored, rssMb: { start, after: rss() } })}`)
process.exit()
