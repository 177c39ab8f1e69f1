/** A list of facts with pages, and their number. */
import { Refused } from '../base/api.js'
import { useNeighbour } from '../base/focus.js'
import { html, useEffect, useLayoutEffect, useRef, useState } from '../base/html.js'
import { say } from '../base/words.js'
import { Failed } from '../parts/failed.js'
import { Fact } from './fact.js'

/**
 * @typedef {import('../../memory/views.ts').FactView} FactView
 * @typedef {{ kept: boolean, facts: readonly FactView[], next?: string | undefined }} Found
 * @typedef {{ read: (before: string | undefined) => Promise<Found>, onFailed: (error: Error) => void }} Source
 */

/** @param {Source & { asked: string, none: unknown }} props `asked`: a new value reads the list again */
export function FactList({ asked, none, ...source }) {
  const [found, setFound] = useState(/** @type {Found | undefined} */ (undefined))
  const count = found?.facts.length
  // The status element stays, because screen readers announce only changes of it.
  return html`<div role="status">
      ${found?.kept && count === 0 && none}
      ${found?.kept && count !== 0 && html`<p class="faint hint">${say(found.next ? 'factsAtLeast' : count === 1 ? 'facts1' : 'factsMany', { n: count ?? 0 })}</p>`}
    </div>
    <${Rows} key=${asked} ...${source} onFound=${setFound} />`
}

/** @param {Source & { onFound: (found: Found | undefined) => void }} props */
function Rows({ read, onFound, onFailed }) {
  const [found, setFound] = useState(/** @type {Found | undefined} */ (undefined))
  const [fault, setFault] = useState(/** @type {Error | undefined} */ (undefined))
  const gone = useRef(false)
  const list = useRef(/** @type {HTMLUListElement | null} */ (null))
  useNeighbour(list)
  useEffect(() => {
    void more()
    return () => {
      gone.current = true
    }
  }, [])
  // Before the browser paints: a line above the rows that appears later would move them away from a click.
  useLayoutEffect(() => onFound(found), [found])

  async function more() {
    setFault(undefined)
    try {
      const answer = await read(found?.next)
      if (!gone.current) setFound(had => joined(had, answer))
    } catch (error) {
      if (gone.current || !(error instanceof Error)) return
      if (found) onFailed(error)
      else setFault(error)
    }
  }

  if (fault instanceof Refused && fault.status === 501) return html`<p class="faint hint" role="alert">${say('noVectors')}</p>`
  if (fault instanceof Refused && fault.status === 503) return html`<p class="danger" role="alert">${say('vectorsAway')}</p>`
  if (fault) return html`<${Failed} why=${fault.message} onRetry=${more} />`
  if (!found) return null
  if (!found.kept) return html`<p class="faint">${say('noPlugin')}</p>`
  const { facts } = found
  const most = Math.max(...facts.map(({ score = 0 }) => score))
  /** @param {number} id @param {FactView | undefined} changed */
  const replace = (id, changed) =>
    setFound(
      had => had && { ...had, facts: had.facts.flatMap(one => (one.id !== id ? [one] : changed ? [renewed(one, changed)] : [])) },
    )
  return html`<ul ref=${list} class="facts">
      ${facts.map(
        fact =>
          html`<${Fact} key=${fact.id} fact=${fact} most=${most} onChange=${(/** @type {FactView | undefined} */ changed) => replace(fact.id, changed)} onFailed=${onFailed} />`,
      )}
      ${found.next && html`<li class="rest"><button class="plain wide" onClick=${more}>${say('showMore')}</button></li>`}
    </ul>`
}

/** New facts shift the results of a search, so some occur twice. @param {Found | undefined} had @param {Found} next */
function joined(had, next) {
  const facts = had?.facts ?? []
  const known = new Set(facts.map(({ id }) => id))
  return { ...next, facts: [...facts, ...next.facts.filter(({ id }) => !known.has(id))] }
}

/** The response to a change has no score, so the old score stays. @param {FactView} had @param {FactView} changed */
function renewed({ score, parts, evidence }, changed) {
  return { ...changed, score, parts, evidence }
}
