/** Long work of the server: it tells its progress and its result, one line each. */
import { call, Refused } from './api.js'
import { say } from './words.js'

/**
 * The last event. Rejects if the work was refused, failed or cancelled.
 *
 * @param {string} path
 * @param {object} body JSON, or a file
 * @param {{ signal: AbortSignal, onShare: (share: number) => void }} how
 * @returns {Promise<any>} as in the route's schema: see /api/openapi.json
 */
export async function stream(path, body, { signal, onShare }) {
  const gone = () => {
    throw new Error(say('connectionGone'))
  }
  const response = await fetch(`/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': body instanceof Blob ? 'application/octet-stream' : 'application/json' },
    body: body instanceof Blob ? body : JSON.stringify(body),
    signal,
  }).catch(gone)
  if (!response.ok || !response.body) {
    // Calls the handler for ended sessions.
    if (response.status === 401) call('bot').catch(() => {})
    const answer = await response.json().catch(() => ({}))
    throw new Refused(response.status, answer.message ?? response.statusText)
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read().catch(gone)
    if (done) gone()
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const event = JSON.parse(line)
      if ('failed' in event) throw new Error(event.failed)
      if ('share' in event) onShare(event.share)
      else return event
    }
  }
}
