/** The job queue, and jobs and turns that failed in every attempt, with a button to try again. */
import { call } from '../base/api.js'
import { useNeighbour } from '../base/focus.js'
import { fullTime, numberOf } from '../base/format.js'
import { html, useEffect, useRef, useState } from '../base/html.js'
import { useNewest } from '../base/newest.js'
import { say } from '../base/words.js'
import { Failed } from '../parts/failed.js'

/** @typedef {import('../../operations/views.ts').JobsView} View */

const EVERY = 10_000

/** @param {{ onNotice: (text: string) => void }} props */
export function Jobs({ onNotice }) {
  const [view, setView] = useState(/** @type {View | undefined} */ (undefined))
  const [why, setWhy] = useState('')
  const list = useRef(/** @type {HTMLUListElement | null} */ (null))
  useNeighbour(list)
  const { hear } = useNewest()
  const read = () =>
    hear(
      call('operations/jobs'),
      answer => {
        setWhy('')
        setView(answer)
      },
      error => setWhy(error.message),
    )
  useEffect(() => {
    void read()
    const timer = setInterval(() => !document.hidden && read(), EVERY)
    return () => clearInterval(timer)
  }, [])
  /** @param {View['letters'][number]} letter */
  const replay = ({ kind, id }) =>
    call('operations/jobs/replay', { method: 'POST', body: { kind, id } }).then(
      () => {
        onNotice(say('inQueueAgain'))
        return read()
      },
      error => onNotice(say('failed', { why: error.message })),
    )

  if (why) return html`<${Failed} why=${why} onRetry=${read} />`
  if (!view) return null
  const { queue, letters } = view
  return html`<p>${say('queueNow', { active: numberOf(queue.active), due: numberOf(queue.due), later: numberOf(queue.later) })}</p>
    <ul class="sections">
      ${queue.failed
        .filter(({ retrying }) => retrying > 0)
        .map(
          ({ kind, retrying, why }) =>
            html`<li key=${kind}><span>${kind} <span class="faint"><bdi>${why}</bdi></span></span><span>${say('retryingJobs', { n: numberOf(retrying) })}</span></li>`,
        )}
    </ul>
    <h2>${say('givenUp')}</h2>
    <div role="status">${letters.length === 0 && html`<p class="faint">${say('noneGivenUp')}</p>`}</div>
    <ul ref=${list} class="entries">
      ${letters.map(
        letter => html`<li key=${`${letter.kind} ${letter.id}`}>
          <div>
            ${letter.kind === 'turn' ? html`<a href=${`#/turns?${new URLSearchParams({ channel: channelOf(letter.id), error: 'true' })}`}>${letter.kind}</a>` : letter.kind} <bdi class="faint">${letter.key || letter.id}</bdi><br />
            <span class="faint notes"><time datetime=${letter.failedAt}>${fullTime(letter.failedAt)}</time> · <bdi>${letter.why}</bdi></span>
          </div>
          <button class="plain" type="button" aria-label=${`${say('retry')}: ${letter.kind} ${letter.key || letter.id}`} onClick=${() => replay(letter)}>${say('retry')}</button>
        </li>`,
      )}
    </ul>`
}

/** The channel of a conversation. @param {string} id */
function channelOf(id) {
  return id.split('/', 3).join('/')
}
