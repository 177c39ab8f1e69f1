/** The server's API, and what it tells as it happens. */
import { say } from './words.js'

/** @typedef {import('../../history/views.ts').FeedEvent} FeedEvent */

/** What the server refused, in its words. */
export class Refused extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

let loggedOut = () => {}

/** @param {() => void} run what happens when a session has ended */
export function onLoggedOut(run) {
  loggedOut = run
}

/**
 * @param {string} path
 * @param {{ method?: string, body?: unknown, query?: Record<string, string | undefined> }} [how]
 * @returns {Promise<any>} what the route's schema says: see /api/openapi.json
 */
export async function call(path, { method = 'GET', body, query = {} } = {}) {
  const wanted = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(/** @type {[string, string][]} */ (wanted)).toString()
  const response = await fetch(`/api/${path}${search && `?${search}`}`, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => {
    // The browser's own words for it are English, and differ.
    throw new Error(say('connectionGone'))
  })
  const answer = await response.json().catch(() => ({}))
  if (response.ok) return answer
  if (response.status === 401 && path !== 'login') loggedOut()
  throw new Refused(response.status, answer.message ?? response.statusText)
}

/** @type {Set<(event: FeedEvent | { type: 'open' } | { type: 'lost' }) => void>} */
const listeners = new Set()
/** @type {EventSource | undefined} */
let source

/**
 * Tells what happens until the returned function is called. `open`: what was told before may be out of date, read it anew;
 * `lost`: the connection is gone and will be back.
 *
 * @param {(event: FeedEvent | { type: 'open' } | { type: 'lost' }) => void} listen
 */
export function listenTo(listen) {
  listeners.add(listen)
  if (!source) connect()
  else if (source.readyState === EventSource.OPEN) listen({ type: 'open' })
  return () => void listeners.delete(listen)
}

function connect() {
  source = new EventSource('/api/events')
  source.onopen = () => tell({ type: 'open' })
  source.onmessage = ({ data }) => tell(JSON.parse(data))
  source.onerror = () => {
    tell({ type: 'lost' })
    // The server refused, so the browser does not try again: it may be busy, or the session has ended.
    if (source?.readyState !== EventSource.CLOSED) return
    setTimeout(() => source?.readyState === EventSource.CLOSED && connect(), 3_000)
    call('bot').catch(() => {})
  }
}

/** Hears no more: the session has ended. */
export function disconnect() {
  source?.close()
  source = undefined
}

/** @param {FeedEvent | { type: 'open' } | { type: 'lost' }} event */
function tell(event) {
  for (const listen of [...listeners]) listen(event)
}
