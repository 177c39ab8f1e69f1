/**
 * The live events of the server. One stream serves all tabs of a browser, because a browser opens six connections to one
 * address: the tab with the lock opens it, and passes each event on. When that tab is closed, the next one gets the lock.
 * Browsers have no locks on pages without https, except on this machine: there each tab opens its own stream.
 */
import { call } from './api.js'

/**
 * @typedef {import('../../history/views.ts').FeedEvent} FeedEvent
 * @typedef {FeedEvent | { type: 'open' } | { type: 'lost' }} StreamEvent `open`: earlier data may be outdated, read it again;
 * `lost`: the connection is lost and will be restored
 */

const NAME = 'kikimimi-events'

/** @type {Set<(event: StreamEvent) => void>} */
const listeners = new Set()
/** Whether the stream is open, here or in another tab. */
let isOpen = false
/** @type {EventSource | undefined} */
let source
/** The other tabs. @type {BroadcastChannel | undefined} */
let others
/** Leaves the tabs. @type {(() => void) | undefined} */
let leave

/** Calls `listen` for each event until the returned function is called. @param {(event: StreamEvent) => void} listen */
export function listenTo(listen) {
  listeners.add(listen)
  if (!leave) join()
  else if (isOpen) listen({ type: 'open' })
  return () => void listeners.delete(listen)
}

/** Ends the stream of this tab, because the session has ended. */
export function disconnect() {
  leave?.()
  source?.close()
  others?.close()
  leave = source = others = undefined
  isOpen = false
}

function join() {
  const { promise, resolve } = /** @type {PromiseWithResolvers<void>} */ (Promise.withResolvers())
  leave = resolve
  if (!navigator.locks) return connect()
  const waiting = new AbortController()
  leave = () => {
    waiting.abort()
    resolve()
  }
  others = new BroadcastChannel(NAME)
  others.onmessage = ({ data }) => {
    if (data.type === 'joins') return source?.readyState === EventSource.OPEN && others?.postMessage({ type: 'joined' })
    if (data.type === 'joined') return isOpen || tell({ type: 'open' })
    tell(data)
  }
  others.postMessage({ type: 'joins' })
  const hold = () => {
    connect()
    return promise
  }
  // It fails when this tab leaves before it has the lock.
  navigator.locks.request(NAME, { signal: waiting.signal }, hold).catch(() => {})
}

function connect() {
  source = new EventSource('/api/events')
  source.onopen = () => pass({ type: 'open' })
  source.onmessage = ({ data }) => pass(JSON.parse(data))
  source.onerror = () => {
    pass({ type: 'lost' })
    // The server refused, so the browser does not retry: the server is busy, or the session has ended.
    if (source?.readyState !== EventSource.CLOSED) return
    setTimeout(() => source?.readyState === EventSource.CLOSED && connect(), 3_000)
    call('bot').catch(() => {})
  }
}

/** To this tab and all others. @param {StreamEvent} event */
function pass(event) {
  others?.postMessage(event)
  tell(event)
}

/** @param {StreamEvent} event */
function tell(event) {
  if (event.type === 'open' || event.type === 'lost') isOpen = event.type === 'open'
  for (const listen of [...listeners]) listen(event)
}
