/** A channel to choose: the latest are listed, and all others are found by their name. */
import { call } from '../base/api.js'
import { placeName } from '../base/format.js'
import { html, useEffect, useState } from '../base/html.js'
import { useNewest } from '../base/newest.js'
import { Finder, findChannels } from './finder.js'

/** @typedef {import('../../history/views.ts').Place} Place */

/** Channels from which a search field stands beside the list. */
const MANY = 20

/** The channels of the list. @param {string} wanted id of a channel that is listed in any case; empty: none */
export function usePlaces(wanted) {
  const [places, setPlaces] = useState(/** @type {readonly Place[] | undefined} */ (undefined))
  const [fault, setFault] = useState(/** @type {Error | undefined} */ (undefined))
  const { hear } = useNewest()
  const isListed = wanted === '' || places?.some(({ conversation }) => conversation === wanted)
  const read = () => {
    setFault(undefined)
    return hear(call('places', { query: { conversation: wanted || undefined } }), answer => setPlaces(answer.places), setFault)
  }
  useEffect(() => {
    if (!places || !isListed) void read()
  }, [wanted])
  return { places, fault, read }
}

/** @param {{ places: readonly Place[], chosen: string, label: string, class?: string, onChoose: (conversation: string) => void }} props */
export function ChannelChoice({ places, chosen, label, class: name, onChoose }) {
  const isListed = places.some(({ conversation }) => conversation === chosen)
  return html`<label class=${name}>
      <span class="label">${label}</span>
      <select onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget }) => onChoose(currentTarget.value)}>
        ${!isListed && html`<option value="" selected></option>`}
        ${places.map(place => html`<option key=${place.conversation} value=${place.conversation} selected=${place.conversation === chosen}>${placeName(place)} · ${place.platform}</option>`)}
      </select>
    </label>
    ${places.length > MANY && html`<${Finder} key=${chosen} name="channel" word="filterChannel" filters=${{}} find=${findChannels} onChange=${(/** @type {string} */ _, /** @type {string} */ id) => onChoose(id)} />`}`
}
