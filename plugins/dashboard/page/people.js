/** Who has said something, and may be forgotten. */
import { call } from './api.js'
import { initial, timeOf } from './format.js'
import { html, useEffect, useRef, useState } from './html.js'
import { say } from './words.js'

/** @typedef {import('../memory-views.ts').PersonView} Person */

/** @param {{ onNotice: (text: string) => void }} props */
export function People({ onNotice }) {
  const [people, setPeople] = useState(/** @type {readonly Person[] | undefined} */ (undefined))
  const [asked, setAsked] = useState(/** @type {Person | undefined} */ (undefined))
  const failed = (/** @type {Error} */ error) => onNotice(say('failed', { why: error.message }))
  useEffect(() => {
    call('people').then(answer => setPeople(answer.people), failed)
  }, [])

  /** @param {Person} person */
  function forget({ platform, id, name }) {
    setAsked(undefined)
    call('people/forget', { method: 'POST', body: { platform, id } }).then(() => {
      onNotice(say('forgetBegun', { name }))
      setPeople(people?.filter(one => one.id !== id || one.platform !== platform))
    }, failed)
  }

  if (!people) return null
  if (people.length === 0) return html`<p class="faint">${say('peopleEmpty')}</p>`
  return html`<ul class="entries">
    ${people.map(
      person => html`<li key=${`${person.platform} ${person.id}`}>
        <div class="somebody">
          <span class="avatar" aria-hidden="true">${initial(person.name)}</span>
          <p>
            ${person.name} <span class="faint">${person.platform}</span><br />
            <span class="faint notes">${say('messagesOf', { n: person.messages, time: timeOf(person.last) })}</span>
          </p>
        </div>
        ${
          asked !== person &&
          html`<p class="person-actions"><a class="plain" href=${`#/memory/${encodeURIComponent(`${person.platform}:${person.id}`)}`} aria-label=${say('knownAbout', { name: person.name })}>${say('known')}</a>
          <button class="plain" aria-label=${say('forgetPerson', { name: person.name })} onClick=${() => setAsked(person)}>${say('forget')}</button></p>`
        }
        ${asked === person && html`<${Confirm} name=${person.name} onCancel=${() => setAsked(undefined)} onForget=${() => forget(person)} />`}
      </li>`,
    )}
  </ul>`
}

/** @param {{ name: string, onCancel: () => void, onForget: () => void }} props */
function Confirm({ name, onCancel, onForget }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null))
  useEffect(() => field.current?.focus(), [])
  return html`<form class="confirm" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault()
    if (field.current?.value.trim() === name.trim()) onForget()
    else field.current?.setAttribute('aria-invalid', 'true')
  }}>
    <label>${say('forgetAsk', { name })} <input ref=${field} autocomplete="off" /></label>
    <button class="plain" type="button" onClick=${onCancel}>${say('cancel')}</button>
    <button class="strong risky" type="submit">${say('forgetPerson', { name })}</button>
  </form>`
}
