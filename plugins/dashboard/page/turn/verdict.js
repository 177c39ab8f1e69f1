/** The decision of a turn in one line: score, decision and reason. */
import { html } from '../base/html.js'
import { useSeconds } from '../base/seconds.js'
import { reasonIn, say } from '../base/words.js'

/** @typedef {import('../../history/views.ts').TurnView} Turn */

/** @param {{ points: number, label?: string }} props */
export function Meter({ points, label = say('scoreOf', { n: points }) }) {
  return html`<span class="meter" role="img" aria-label=${label}>
    <span class="meter-fill" style=${{ width: `${points}%` }}></span>
  </span>`
}

/** @param {Turn['trace']} trace @param {number} now */
export function outcomeOf({ outcome, decision, at }, now) {
  if (outcome === 'cancelled') return say('cancelled')
  if (outcome === 'failed') return say('failed1')
  if (outcome === 'delayed') {
    const left = Math.ceil((delayEnd(at, decision) - now) / 1_000)
    return left > 0 ? say('delayedIn', { n: left }) : say('delayed')
  }
  if (outcome === 'silent' || !decision || decision.kind === 'silent') return say('silent')
  return say(decision.kind === 'react' ? 'react1' : decision.kind)
}

/** @param {string} at @param {Turn['trace']['decision']} decision */
function delayEnd(at, decision) {
  const delay = decision && 'delayMs' in decision ? (decision.delayMs ?? 0) : 0
  return new Date(at).getTime() + delay
}

/** @param {{ why?: string | undefined, decision?: { why: string } | undefined }} trace */
export function reasonOf({ why, decision }) {
  return reasonIn(why ?? decision?.why ?? '')
}

/** Whether the bot answered. @param {Turn['trace']} trace */
export function spoke({ outcome }) {
  return outcome === 'replied'
}

/** The current time, while the answer is scheduled. @param {Turn['trace']} trace */
export function useNow(trace) {
  return useSeconds(now => trace.outcome === 'delayed' && delayEnd(trace.at, trace.decision) > now)
}

/** @param {{ turn: Turn, open: boolean, onOpen: () => void }} props */
export function Verdict({ turn: { trace }, open, onOpen }) {
  const now = useNow(trace)
  return html`<button class=${`verdict ${spoke(trace) ? 'spoke' : ''}`} aria-expanded=${open} onClick=${onOpen}>
    ${trace.score && html`<${Meter} points=${trace.score.points} /><span class="points" aria-hidden="true">${trace.score.points}</span>`}
    <span class="kind">${outcomeOf(trace, now)}</span>
    <span class="reason">${reasonOf(trace)}</span>
  </button>`
}
