/** The API of the server. */
import { ready, say } from './words.js'

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
/** How often a person has logged in. */
let logins = 0

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
  const before = logins
  const wanted = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(/** @type {[string, string][]} */ (wanted)).toString()
  const response = await fetch(`/api/${path}${search && `?${search}`}`, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(async () => {
    await ready
    // The browser's own messages are English and differ.
    throw new Error(say('connectionGone'))
  })
  const answer = await response.json().catch(() => ({}))
  if (response.ok && path === 'login') logins++
  if (response.ok) return answer
  // A refusal from before a login says nothing of the session since.
  if (response.status === 401 && path !== 'login' && before === logins) loggedOut()
  throw new Refused(response.status, answer.message ?? response.statusText, answer)
}
