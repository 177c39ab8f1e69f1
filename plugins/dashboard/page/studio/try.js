/** Takes the changes that are not saved to the page that replays a channel with them. */
import { call } from '../base/api.js'
import { placeName } from '../base/format.js'
import { html, useEffect, useState } from '../base/html.js'
import { say } from '../base/words.js'
import { textOf } from '../parts/option-field.js'

/** @typedef {import('../../history/views.ts').Place} Place */

/** The changes as texts, by plugin and option, as the page Tuning keeps them. @param {import('./drafts.js').Drafts} drafts */
function triedIn(drafts) {
  const found = [...drafts.values()].flatMap(({ path, value }) => {
    const [section, plugin, kind, option] = path
    const key =
      section === 'pacing' ? `pacing.${plugin}` : section === 'plugins' && kind === 'options' ? `${plugin}.${option}` : undefined
    return key === undefined || value === undefined ? [] : [[key, textOf({ value })]]
  })
  return /** @type {Record<string, string>} */ (Object.fromEntries(found))
}

/** @param {{ drafts: import('./drafts.js').Drafts }} props */
export function Try({ drafts }) {
  const [places, setPlaces] = useState(/** @type {readonly Place[]} */ ([]))
  const [chosen, setChosen] = useState('')
  useEffect(
    () =>
      void call('places').then(
        answer => setPlaces(answer.places),
        () => {},
      ),
    [],
  )
  const changes = triedIn(drafts)
  const conversation = chosen || places[0]?.conversation
  if (!conversation || Object.keys(changes).length === 0) return null
  return html`<p class="fields">
    <label>${say('tunedChannel')} <select onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget }) => setChosen(currentTarget.value)}>
      ${places.map(place => html`<option key=${place.conversation} value=${place.conversation}>${placeName(place)}</option>`)}
    </select></label>
    <button class="plain" type="button" onClick=${() => {
      sessionStorage.setItem(`tuning ${conversation}`, JSON.stringify({ limit: 2_000, changes }))
      location.hash = `#/tuning/${encodeURIComponent(conversation)}`
    }}>${say('studioTry')}</button>
  </p>`
}
