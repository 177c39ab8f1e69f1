/** What the bot remembers: facts, and the people who said them. */
import { call } from './api.js'
import { placeName, timeOf } from './format.js'
import { html, useEffect, useRef, useState } from './html.js'
import { People } from './people.js'
import { Meter } from './verdict.js'
import { say } from './words.js'

/**
 * @typedef {import('../views.ts').FactView} Fact
 * @typedef {import('../views.ts').Place} Place
 */

/** @param {{ bot: { name: string }, onNotice: (text: string) => void }} props */
export function Memory({ bot, onNotice }) {
  const [shown, setShown] = useState(/** @type {'facts' | 'people'} */ ('facts'))
  return html`<section class="sheet">
    <header class="lead">
      <h1>${say('memory')}</h1>
      <p>${say('memoryIntro', { bot: bot.name })}</p>
      <div class="segments" role="group" aria-label=${say('show')}>
        ${
          /** @type {const} */ (['facts', 'people']).map(
            one => html`<button key=${one} aria-pressed=${shown === one} onClick=${() => setShown(one)}>${say(one)}</button>`,
          )
        }
      </div>
    </header>
    ${shown === 'facts' ? html`<${Facts} onNotice=${onNotice} />` : html`<${People} onNotice=${onNotice} />`}
  </section>`
}

/** @param {{ onNotice: (text: string) => void }} props */
function Facts({ onNotice }) {
  const [places, setPlaces] = useState(/** @type {readonly Place[] | undefined} */ (undefined))
  const [where, setWhere] = useState('')
  const [text, setText] = useState('')
  const [found, setFound] = useState(/** @type {{ kept: boolean, facts: readonly Fact[] } | undefined} */ (undefined))
  const field = useRef(/** @type {HTMLInputElement | null} */ (null))
  const failed = (/** @type {Error} */ error) => onNotice(say('failed', { why: error.message }))

  useEffect(() => {
    call('places').then(answer => {
      setPlaces(answer.places)
      setWhere(answer.places[0]?.conversation ?? '')
    }, failed)
  }, [])
  useEffect(() => {
    let gone = false
    call('facts', { query: { conversation: where, text } }).then(answer => gone || setFound(answer), failed)
    return () => {
      gone = true
    }
  }, [where, text])

  /** @param {number} id */
  const forget = id =>
    call(`facts/${id}`, { method: 'DELETE' }).then(
      () => found && setFound({ ...found, facts: found.facts.filter(one => one.id !== id) }),
      failed,
    )

  if (!places || !found) return null
  if (!found.kept) return html`<p class="faint">${say('noPlugin')}</p>`
  const most = Math.max(...found.facts.map(({ score = 0 }) => score))
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
    </form>
    ${
      found.facts.length === 0 &&
      (text === ''
        ? html`<div class="empty"><h2>${say('factsEmptyTitle')}</h2><p>${say('factsEmptyText')}</p></div>`
        : html`<p class="faint">${say('foundNothing')}</p>`)
    }
    <ul class="entries">
      ${found.facts.map(fact => html`<${Entry} key=${fact.id} fact=${fact} most=${most} onForget=${() => forget(fact.id)} />`)}
    </ul>`
}

/** @param {{ fact: Fact, most: number, onForget: () => void }} props `most`: the highest score of this search */
function Entry({ fact, most, onForget }) {
  const { content, kind, people, confidence, pinned, at, channel, visibility, recalled, until, quotes, score, evidence } = fact
  const [asked, setAsked] = useState(false)
  const notes = [
    say(kind),
    pinned && say('pinned'),
    until && say('noLonger'),
    people.length > 0 && say('about', { names: people.join(', ') }),
    say('saidIn', { place: placeName({ conversation: '', platform: '', name: channel, visibility }) }),
    timeOf(at),
    say('confidence', { n: Math.round(confidence * 100) }),
    recalled > 0 && say('recalled', { n: Math.round(recalled) }),
    evidence !== undefined && say('covers', { n: Math.round(evidence * 100) }),
  ].filter(Boolean)
  return html`<li>
    <div>
      <p class=${until ? 'past' : ''}>${content}</p>
      ${quotes.filter(quote => quote !== content).map(quote => html`<p class="quote">${quote}</p>`)}
      <p class="faint notes">${score !== undefined && html`<${Meter} points=${Math.round((100 * score) / most)} />`} ${notes.join(' · ')}</p>
    </div>
    <button class="plain" aria-label=${asked ? undefined : say('forgetFact', { text: content })} onClick=${() => (asked ? onForget() : setAsked(true))} onBlur=${() => setAsked(false)}>
      ${say(asked ? 'reallyForget' : 'forget')}
    </button>
  </li>`
}
