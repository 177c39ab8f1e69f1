/** Filters by a channel or a person, which are searched on the server, because there can be very many. */
import { call } from '../base/api.js'
import { placeName, shownName } from '../base/format.js'
import { html, useEffect, useState } from '../base/html.js'
import { keyOf } from '../base/keys.js'
import { say } from '../base/words.js'

/**
 * @typedef {{ filters: Readonly<Record<string, string>>, onChange: (name: string, value: string) => void }} Props
 * @typedef {{ value: string, text: string }} Found
 */

/**
 * @param {Props & { name: 'channel' | 'person', word: 'filterChannel' | 'filterPerson', find: (text: string) => Promise<readonly Found[]> }} props
 */
export function Finder({ name, word, filters, onChange, find }) {
  const chosen = filters[name] ?? ''
  const [found, setFound] = useState(/** @type {readonly Found[]} */ ([]))
  const [shown, setShown] = useState(chosen)
  const list = `found-${name}`
  useEffect(() => {
    let gone = false
    setShown(chosen)
    if (chosen)
      find(chosen).then(
        ([first]) => gone || !first || setShown(first.text),
        () => {},
      )
    return () => {
      gone = true
    }
  }, [chosen])
  if (chosen) return html`<${Taken} word=${word} text=${shown} onDrop=${() => onChange(name, '')} />`
  return html`<label class="filter">
    <span class="hidden">${say(word)}</span>
    <input list=${list} maxlength="200" placeholder=${say(word)} autocomplete="off" onInput=${(
      /** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget: { value } },
    ) => {
      const one = found.find(({ text }) => text === value)
      if (one) return onChange(name, one.value)
      if (value.trim()) find(sought(value)).then(setFound, () => {})
    }} onKeyDown=${(/** @type {KeyboardEvent & { currentTarget: HTMLInputElement }} */ event) => {
      if (keyOf(event) !== 'Enter') return
      event.preventDefault()
      // The list of an earlier text may still be shown.
      find(sought(event.currentTarget.value)).then(
        ([first]) => first && onChange(name, first.value),
        () => {},
      )
    }} />
    <datalist id=${list}>${found.map(({ value, text }) => html`<option key=${value} value=${text}></option>`)}</datalist>
  </label>`
}

/** A typed name without the sign of its kind. @param {string} typed */
export function sought(typed) {
  return typed.trim().replace(/^[#@]/, '')
}

/** @param {{ word: import('../base/words.js').Word, text: string, onDrop: () => void }} props */
export function Taken({ word, text, onDrop }) {
  return html`<button class="filter used taken" title=${text} onClick=${onDrop}>
    <span class="hidden">${say('dropFilter', { name: say(word) })}</span> <bdi>${text}</bdi> <span aria-hidden="true">×</span>
  </button>`
}

/** @param {string} text @returns {Promise<readonly Found[]>} */
export async function findChannels(text) {
  const { channels } = await call('turns/channels', { query: { text } })
  return distinct(
    channels.map((/** @type {import('../../history/views.ts').Place} */ place) => ({
      value: place.conversation,
      text: placeName(place),
    })),
  )
}

/** @param {string} text @returns {Promise<readonly Found[]>} */
export async function findPeople(text) {
  const { people } = await call('turns/people', { query: { text } })
  return distinct(
    people.map((/** @type {{ id: string, name: string }} */ { id, name }) => ({ value: id, text: shownName(name || id) })),
  )
}

/** Equal names get their ids, so that one can be chosen. @param {readonly Found[]} all */
function distinct(all) {
  return all.map(one =>
    all.filter(({ text }) => text === one.text).length > 1 ? { ...one, text: `${one.text} · ${one.value}` } : one,
  )
}
