/** People who have written messages, with an action to forget them. */
import { call } from '../base/api.js'
import { focusIsLost, useNeighbour } from '../base/focus.js'
import { bareName, initial, shownName, timeOf } from '../base/format.js'
import { html, useEffect, useLayoutEffect, useRef, useState } from '../base/html.js'
import { useNewest } from '../base/newest.js'
import { say } from '../base/words.js'
import { Failed } from '../parts/failed.js'

/** @typedef {import('../../memory/views.ts').PersonView} Person */

/** @param {{ onNotice: (text: string) => void }} props */
export function People({ onNotice }) {
  const [people, setPeople] = useState(/** @type {readonly Person[] | undefined} */ (undefined))
  const [next, setNext] = useState(/** @type {string | undefined} */ (undefined))
  const [text, setText] = useState('')
  const field = useRef(/** @type {HTMLInputElement | null} */ (null))
  const { hear } = useNewest()
  const [asked, setAsked] = useState(/** @type {Person | undefined} */ (undefined))
  const failed = (/** @type {Error} */ error) => onNotice(say('failed', { why: error.message }))
  const [fault, setFault] = useState(/** @type {Error | undefined} */ (undefined))
  const list = useRef(/** @type {HTMLUListElement | null} */ (null))
  useNeighbour(list)
  /** @param {string} [before] @returns {Promise<{ people: readonly Person[], next?: string }>} */
  const ask = before => call('people', { query: { text: text || undefined, before } })
  const read = () => {
    setFault(undefined)
    return hear(
      ask(),
      answer => {
        setPeople(answer.people)
        setNext(answer.next)
      },
      setFault,
    )
  }
  const more = () =>
    hear(
      ask(next),
      answer => {
        // Who has written meanwhile is in the list already.
        const known = new Set(people?.map(keyOf))
        setPeople([...(people ?? []), ...answer.people.filter(one => !known.has(keyOf(one)))])
        setNext(answer.next)
      },
      failed,
    )
  useEffect(() => void read(), [text])
  useEffect(() => {
    if (people && focusIsLost()) list.current?.focus()
  }, [people === undefined])

  /** @param {Person} person */
  function forget({ platform, id, name }) {
    setAsked(undefined)
    call('people/forget', { method: 'POST', body: { platform, id } }).then(() => {
      onNotice(say('forgetBegun', { name }))
      setPeople(had => had?.filter(one => one.id !== id || one.platform !== platform))
    }, failed)
  }

  if (fault) return html`<${Failed} why=${fault.message} onRetry=${read} />`
  if (!people) return null
  return html`<form class="search" role="search" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault()
    setText(field.current?.value.trim() ?? '')
  }}>
    <label class="grow"><span class="hidden">${say('searchPeople')}</span>
      <input ref=${field} type="search" maxlength="500" placeholder=${say('searchPeople')} />
    </label>
    <button class="strong" type="submit">${say('searchFor')}</button>
  </form>
  <div role="status">${people.length === 0 && html`<p class="faint">${say(text ? 'nobodyFound' : 'peopleEmpty')}</p>`}</div>
  <ul ref=${list} class="entries" tabindex="-1" aria-label=${say('people')}>
    ${people.map(
      person => html`<li key=${keyOf(person)}>
        <div class="somebody">
          <span class="avatar" aria-hidden="true">${initial(person.name)}</span>
          <p>
            ${shownName(person.name)} <span class="faint">${person.platform}</span><br />
            <span class="faint notes">${say('messagesOf', { n: person.messages, time: timeOf(person.last) })}</span>
          </p>
        </div>
        ${
          asked !== person &&
          html`<p class="person-actions"><a class="plain" href=${`#/memory/${encodeURIComponent(`${person.platform}:${person.id}`)}`} aria-label=${say('knownAbout', { name: shownName(person.name) })}>${say('known')}</a>
          <button class="plain" aria-label=${say('forgetPerson', { name: shownName(person.name) })} onClick=${() => setAsked(person)}>${say('forget')}</button></p>`
        }
        ${asked === person && html`<${TypeName} name=${person.name} onCancel=${() => setAsked(undefined)} onForget=${() => forget(person)} />`}
      </li>`,
    )}
    ${next !== undefined && html`<li class="rest"><button class="plain wide" onClick=${more}>${say('showMore')}</button></li>`}
  </ul>`
}

/** @param {Person} person */
function keyOf({ platform, id }) {
  return `${platform} ${id}`
}

/** @param {{ name: string, onCancel: () => void, onForget: () => void }} props */
function TypeName({ name, onCancel, onForget }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null))
  const [wrong, setWrong] = useState(false)
  useLayoutEffect(() => field.current?.focus(), [])
  return html`<form class="confirm" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault()
    if (typed(field.current?.value ?? '') === typed(bareName(name))) return onForget()
    setWrong(true)
    field.current?.focus()
  }}>
    <label>${say('forgetAsk', { name: shownName(name) })} <input ref=${field} autocomplete="off" aria-invalid=${wrong ? 'true' : undefined}
      aria-describedby=${wrong ? 'wrong-name' : undefined} onInput=${() => setWrong(false)} /></label>
    ${wrong && html`<p class="danger" id="wrong-name" role="alert">${say('wrongName', { name: shownName(name) })}</p>`}
    <button class="plain" type="button" onClick=${onCancel}>${say('cancel')}</button>
    <button class="strong risky" type="submit">${say('forgetPerson', { name: shownName(name) })}</button>
  </form>`
}

/** A name without the marks that a keyboard does not have. @param {string} text */
function typed(text) {
  return text.replace(/\p{Bidi_Control}/gu, '').trim()
}
