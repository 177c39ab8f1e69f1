/** Facts: those that would come to mind for a text, the latest, or all that is known about somebody. */
import { call, Refused } from './api.js'
import { placeName } from './format.js'
import { html, useEffect, useRef, useState } from './html.js'
import { Fact } from './memory-fact.js'
import { say } from './words.js'

/**
 * @typedef {import('../memory-views.ts').FactView} FactView
 * @typedef {import('../views.ts').Place} Place
 * @typedef {'keyword' | 'vector' | 'both'} By
 * @typedef {{ kept: boolean, embeds: boolean, facts: readonly FactView[], more: boolean }} Found
 */

/** @param {{ onNotice: (text: string) => void }} props */
export function Facts({ onNotice }) {
  const [places, setPlaces] = useState(/** @type {readonly Place[] | undefined} */ (undefined))
  const [where, setWhere] = useState('')
  const [text, setText] = useState('')
  const [by, setBy] = useState(/** @type {By} */ ('both'))
  const field = useRef(/** @type {HTMLInputElement | null} */ (null))
  const failed = (/** @type {Error} */ error) => onNotice(say('failed', { why: error.message }))
  useEffect(() => {
    call('places').then(answer => {
      setPlaces(answer.places)
      setWhere(answer.places[0]?.conversation ?? '')
    }, failed)
  }, [])

  if (!places) return null
  return html`<form class="search" role="search" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault()
    setText(field.current?.value.trim() ?? '')
  }}>
      <label>
        <span class="label">${say('where')}</span>
        <select onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget }) => setWhere(currentTarget.value)}>
          ${places.map(place => html`<option key=${place.conversation} value=${place.conversation} selected=${place.conversation === where}>${placeName(place)} · ${place.platform}</option>`)}
        </select>
      </label>
      <label class="grow">
        <span class="label">${say('searchHint')}</span>
        <input ref=${field} type="search" maxlength="2000" />
      </label>
      <button class="strong" type="submit">${say('searchFor')}</button>
      <div class="segments" role="group" aria-label=${say('searchBy')}>
        ${
          /** @type {const} */ (['keyword', 'vector', 'both']).map(
            one =>
              html`<button key=${one} type="button" aria-pressed=${by === one} onClick=${() => setBy(one)}>${say(one)}</button>`,
          )
        }
      </div>
    </form>
    <h2 class="hidden">${say('facts')}</h2>
    <${FactList}
      key=${`${where} ${by} ${text}`}
      read=${(/** @type {string} */ offset) => call('facts', { query: { conversation: where, text, by, offset } })}
      byVector=${by === 'vector' && text !== ''}
      none=${
        text === ''
          ? html`<div class="empty"><h2>${say('factsEmptyTitle')}</h2><p>${say('factsEmptyText')}</p></div>`
          : html`<p class="faint">${say('foundNothing')}</p>`
      }
      onFailed=${failed}
    />`
}

/** @param {{ platform: string, id: string, onNotice: (text: string) => void }} props */
export function FactsAbout({ platform, id, onNotice }) {
  const [name, setName] = useState('')
  return html`<div class="about">
      <h2>${name && say('knownAbout', { name })}</h2>
      <a href="#/memory/people">${say('backToPeople')}</a>
    </div>
    <${FactList}
      read=${async (/** @type {string} */ offset) => {
        const answer = await call('people/facts', { query: { platform, id, offset } })
        setName(answer.name)
        return { embeds: true, ...answer }
      }}
      byVector=${false}
      none=${html`<p class="faint">${say('knownNothing', { name })}</p>`}
      onFailed=${(/** @type {Error} */ error) => onNotice(say('failed', { why: error.message }))}
    />`
}

/**
 * @param {{
 *   read: (offset: string) => Promise<Found>, byVector: boolean, none: unknown, onFailed: (error: Error) => void,
 * }} props
 */
function FactList({ read, byVector, none, onFailed }) {
  const [found, setFound] = useState(/** @type {Found | undefined} */ (undefined))
  const [away, setAway] = useState(false)
  const gone = useRef(false)
  useEffect(() => {
    void more()
    return () => {
      gone.current = true
    }
  }, [])

  async function more() {
    try {
      const answer = await read(String(found?.facts.length ?? 0))
      // What was kept meanwhile moves the rest: some come twice.
      const had = new Set(found?.facts.map(({ id }) => id))
      const facts = [...(found?.facts ?? []), ...answer.facts.filter(({ id }) => !had.has(id))]
      if (!gone.current) setFound({ ...answer, facts })
    } catch (error) {
      if (gone.current || !(error instanceof Error)) return
      if (error instanceof Refused && error.status === 503) setAway(true)
      else onFailed(error)
    }
  }

  if (away) return html`<p class="danger" role="alert">${say('vectorsAway')}</p>`
  if (!found) return null
  if (!found.kept) return html`<p class="faint">${say('noPlugin')}</p>`
  const { facts, embeds } = found
  const most = Math.max(...facts.map(({ score = 0 }) => score))
  /** @param {number} id @param {FactView | undefined} changed */
  const replace = (id, changed) =>
    setFound({ ...found, facts: facts.flatMap(one => (one.id !== id ? [one] : changed ? [changed] : [])) })
  return html`${byVector && !embeds && html`<p class="faint hint">${say('vectorsOfLetters')}</p>`}
    ${facts.length === 0 && none}
    <ul class="facts">
      ${facts.map(
        fact =>
          html`<${Fact} key=${fact.id} fact=${fact} most=${most} embeds=${embeds} onChange=${(/** @type {FactView | undefined} */ changed) => replace(fact.id, changed)} onFailed=${onFailed} />`,
      )}
    </ul>
    ${found.more && html`<button class="plain wide" onClick=${more}>${say('showMore')}</button>`}`
}
