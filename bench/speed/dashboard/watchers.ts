/**
 * The watchers of the bot: five streams of events, or five pages in Chromium, at the lowest priority, because real watchers
 * use their own machines.
 */
import { constants, setPriority } from 'node:os'
import type { CDPSession } from 'playwright-core'
import { openBrowser } from '../../../plugins/dashboard/testing/browser.ts'
import { round } from '../../base/measure.ts'
import type { FromWatchers, PageHeap, ToWatchers, Watching } from './messages.ts'

const WATCHERS = 5

// Before the browser starts: it inherits the priority.
setPriority(constants.priority.PRIORITY_LOW)

const tell = (message: FromWatchers) => void process.send?.(message, () => {})

await using scope = new AsyncDisposableStack()
const browser = scope.adopt(await openBrowser(), one => one.close())
const pages = await Promise.all(
  Array.from({ length: WATCHERS }, async () => {
    const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    return { page, devtools: await context.newCDPSession(page) }
  }),
)
let streams: AbortController | undefined
let events = 0

async function watch(how: Watching, url: string): Promise<void> {
  streams?.abort()
  for (const { page } of pages) await page.goto(how === 'pages' ? `${url}/#/live` : 'about:blank')
  if (how === 'pages') for (const { page } of pages) await page.getByRole('heading', { name: 'Live' }).waitFor()
  if (how !== 'streams') return
  streams = new AbortController()
  const { signal } = streams
  await Promise.all(Array.from({ length: WATCHERS }, () => stream(url, signal)))
}

/** Resolves once it is open. */
async function stream(url: string, signal: AbortSignal): Promise<void> {
  const { body } = await fetch(`${url}/api/events`, { signal })
  const read = async () => {
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) events += chunk.split('data: ').length - 1
  }
  read().catch(error => {
    if (!signal.aborted) throw error
  })
}

async function heapOf(devtools: CDPSession): Promise<PageHeap> {
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners: listeners } = await devtools.send('Memory.getDOMCounters')
  const { result } = await devtools.send('Runtime.evaluate', { expression: `document.querySelectorAll('.turn').length` })
  return { heapMb: round(usedSize / 2 ** 20), nodes, listeners, turns: Number(result.value) }
}

process.on('message', async (message: ToWatchers) => {
  if (message.kind === 'watch') {
    await watch(message.how, message.url)
    tell({ kind: 'watching' })
  } else {
    const seen: PageHeap[] = []
    for (const { devtools } of pages) seen.push(await heapOf(devtools))
    tell({ kind: 'seen', pages: seen, events })
  }
})
tell({ kind: 'ready' })
// The measuring process is gone, so this one ends.
const { promise: over, resolve } = Promise.withResolvers<void>()
process.once('disconnect', resolve)
await over
streams?.abort()
