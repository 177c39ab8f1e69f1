/** Loading the packed page on a slow phone: what is transferred, and when it is seen. */
import { openBrowser, visit } from '../../../plugins/dashboard/testing/browser.ts'
import { startPackedBot } from '../../../scripts/packed-bot.ts'
import { progress, round } from '../../base/measure.ts'
import { inRealTime } from './real-time.ts'

/** Slow 4G: bits a second, and milliseconds of a round trip. The processor is this many times slower. */
const BITS = 1_600_000
const ROUND_TRIP = 150
const SLOWER = 4

const CONFIG = `
import addressing from '@kikimimi/addressing'
import dashboard from '@kikimimi/dashboard'
import judgeRules from '@kikimimi/judge-rules'
import reply from '@kikimimi/reply'
import { defineBot } from 'kikimimi'
export default defineBot({
  persona: { name: 'kiki' },
  database: 'memory',
  plugins: [dashboard(), addressing(), judgeRules(), reply()],
})
`

export interface Load {
  /** Files of the page, and requests of its API. */
  readonly files: number
  readonly calls: number
  /** What came over the wire, with headers. */
  readonly kilobytes: number
  /** Largest contentful paint. */
  readonly seenMs: number
}

export interface Loading {
  /** Whether the bot and the browser had priority over other processes. */
  readonly realTime: boolean
  readonly first: readonly Load[]
  readonly second: readonly Load[]
}

/** The first visit and the second one, in a new profile each round. */
export async function loading(rounds: number): Promise<Loading> {
  await using bot = await startPackedBot(CONFIG)
  // The browser inherits it.
  const realTime = inRealTime(bot.pid) && inRealTime(process.pid)
  await using browser = await openBrowser()
  const [first, second]: [Load[], Load[]] = [[], []]
  for (let count = 1; count <= rounds; count++) {
    progress(`load ${count} of ${rounds}`)
    await using seen = await visit(browser, 'about:blank', {
      viewport: { width: 412, height: 823 },
      isMobile: true,
      hasTouch: true,
    })
    const { page } = seen
    await page.addInitScript(`new PerformanceObserver(list => {
      window.seenMs = list.getEntries().at(-1).startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })`)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: ROUND_TRIP,
      downloadThroughput: BITS / 8,
      uploadThroughput: BITS / 8,
    })
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    const paths = new Map<string, string>()
    let bytes = 0
    devtools.on('Network.responseReceived', ({ requestId, response }) => {
      if (!response.fromDiskCache) paths.set(requestId, new URL(response.url).pathname)
    })
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    for (const loads of [first, second]) {
      paths.clear()
      bytes = 0
      await page.goto(bot.url)
      await page.getByRole('heading', { name: 'No messages yet' }).waitFor()
      // The largest paint is reported with the next frames.
      await page.waitForTimeout(2_000)
      const calls = [...paths.values()].filter(path => path.startsWith('/api/')).length
      loads.push({
        files: paths.size - calls,
        calls,
        kilobytes: round(bytes / 1_000, 1),
        seenMs: round(Number(await page.evaluate('window.seenMs'))),
      })
      await page.goto('about:blank')
    }
  }
  return { realTime, first, second }
}
