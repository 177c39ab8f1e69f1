/** Options of one workspace, channel or thread. */
import { call } from '../base/api.js'
import { shownName } from '../base/format.js'
import { html, useEffect, useRef, useState } from '../base/html.js'
import { useNewest } from '../base/newest.js'
import { say } from '../base/words.js'
import { Options } from './options.js'

/**
 * @typedef {import('./options.js').Settable} Settable
 * @typedef {import('./options.js').Editing} Editing
 * @typedef {{ kind: 'workspaces' | 'channels' | 'threads', name: string }} Place
 */

const KINDS = /** @type {const} */ (['channels', 'workspaces', 'threads'])
const WORDS = /** @type {const} */ ({ channels: 'studioChannel', workspaces: 'studioWorkspace', threads: 'studioThread' })

/** @param {Editing & { version: number }} props `version`: another number reads the values again */
export function Places({ version, ...editing }) {
  const [found, setFound] = useState({
    set: /** @type {readonly Place[]} */ ([]),
    all: 0,
    channels: /** @type {readonly string[]} */ ([]),
  })
  const [text, setText] = useState('')
  const [place, setPlace] = useState(/** @type {Place | undefined} */ (undefined))
  const [options, setOptions] = useState(/** @type {readonly Settable[]} */ ([]))
  const [problem, setProblem] = useState('')
  const kind = useRef(/** @type {HTMLSelectElement | null} */ (null))
  const { hear } = useNewest()
  const failed = (/** @type {Error} */ error) => setProblem(error.message)
  useEffect(() => void hear(call('studio/places', { query: { text } }), setFound, failed), [text, version])
  useEffect(() => {
    if (place) call('studio/place', { query: place }).then(answer => setOptions(answer.options), failed)
  }, [place, version])
  const choose = (/** @type {Place} */ next) => {
    setOptions([])
    setPlace(next)
  }
  return html`
    <h2>${say('studioPlaces')}</h2>
    <p class="soft">${say('studioPlacesText')}</p>
    ${problem && html`<p class="danger" role="alert">${problem}</p>`}
    <form class="fields" onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault()
      const chosen = KINDS.find(one => one === kind.current?.value) ?? 'channels'
      if (text.trim() !== '') choose({ kind: chosen, name: text.trim() })
    }}>
      <label>${say('studioKind')} <select ref=${kind}>${KINDS.map(one => html`<option key=${one} value=${one}>${say(WORDS[one])}</option>`)}</select></label>
      <label>${say('studioPlace')} <input list="studio-channels" maxlength="1000" autocomplete="off" onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => setText(currentTarget.value)} /></label>
      <datalist id="studio-channels">${found.channels.map(name => html`<option key=${name} value=${name}></option>`)}</datalist>
      <button class="plain" type="submit">${say('studioShow')}</button>
    </form>
    ${
      found.set.length > 0 &&
      html`<p class="faint notes">${say('studioSet', { n: found.all })}</p>
        <ul class="set-places">${found.set.map(one => html`<li key=${`${one.kind} ${one.name}`}><button class="link" type="button" onClick=${() => choose(one)}>${say(WORDS[one.kind])} ${shownName(one.name)}</button></li>`)}</ul>`
    }
    ${place && html`<h3 class="wraps">${say(WORDS[place.kind])} ${shownName(place.name)}</h3><${Options} caption=${place.name} options=${options} ...${editing} />`}
  `
}
