/** Runs a replay and reads its events, one per line. */
import { call, Refused } from '../base/api.js'
import { say } from '../base/words.js'

/**
 * @typedef {import('../../tuning/views.ts').ReplayView} Replay
 * @typedef {Record<string, Record<string, unknown>>} Settings
 */

/**
 * Rejects if it was refused, failed or cancelled.
 *
 * @param {{ conversation: string, limit: number, settings: Settings }} body
 * @param {{ signal: AbortSignal, onShare: (share: number) => void }} how
 * @returns {Promise<Replay>}
 */
export async function replay(body, { signal, onShare }) {
  const gone = () => {
    throw new Error(say('connectionGone'))
  }
  const response = await fetch('/api/tuning', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
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
      /** @type {import('../../tuning/views.ts').ReplayEvent} */
      const event = JSON.parse(line)
      if ('replay' in event) return event.replay
      if ('failed' in event) throw new Error(event.failed)
      onShare(event.share)
    }
  }
}
