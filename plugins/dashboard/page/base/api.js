/** The API of the server, and its live events. */
import { say } from './words.js'

/** @typedef {import('../../history/views.ts').FeedEvent} FeedEvent */

/** An error of the server, with its message and its whole answer. */
export class Refused extends Error {
  /** @param {number} status @param {string} message @param {{ code?: boolean }} [answer] */
  constructor(status, message, answer = {}) {
    super(message)
    this.status = status
    this.answer = answer
  }
}

let loggedOut = () => {}

/** Sets the function that is called when the session ends. @param {() => void} run */
export function onLoggedOut(run) {
  loggedOut = run
}

/**
 * @param {string} path
 * @param {{ method?: string, body?: unknown, query?: Record<string, string | undefined> }} [how]
 * @returns {Promise<any>} as in the route's schema: see /api/openapi.json
 */
export async function call(path, { method = 'GET', body, query = {} } = {}) {
  const wanted = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(/** @type {[string, string][]} */ (wanted)).toString()
  const response = await fetch(`/api/${path}${search && `?${search}`}`, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => {
    // The browser's own messages are English and differ.
    throw new Error(say('connectionGone'))
  })
  const answer = await response.json().catch(() => ({}))
  if (response.ok) return answer
  if (response.status === 401 && path !== 'login') loggedOut()
  throw new Refused(response.status, answer.message ?? response.statusText, answer)
}

/** @type {Set<(event: FeedEvent | { type: 'open' } | { type: 'lost' }) => void>} */
const listeners = new Set()
/** @type {EventSource | undefined} */
let source

/**
 * Calls `listen` for each event until the returned function is called. `open`: earlier data may be outdated, read it again;
 * `lost`: the connection is lost and will be restored.
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
    // The server refused, so the browser does not retry: the server is busy, or the session has ended.
    if (source?.readyState !== EventSource.CLOSED) return
    setTimeout(() => source?.readyState === EventSource.CLOSED && connect(), 3_000)
    call('bot').catch(() => {})
  }
}

/** Closes the stream, because the session has ended. */
export function disconnect() {
  source?.close()
  source = undefined
}

/** @param {FeedEvent | { type: 'open' } | { type: 'lost' }} event */
function tell(event) {
  for (const listen of [...listeners]) listen(event)
}
