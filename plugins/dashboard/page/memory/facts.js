/** Facts: matches of a text, the latest, or all about a person. */
import { call } from '../base/api.js'
import { focusIsLost } from '../base/focus.js'
import { shownName } from '../base/format.js'
import { html, useEffect, useRef, useState } from '../base/html.js'
import { say } from '../base/words.js'
import { ChannelChoice, usePlaces } from '../parts/channel-choice.js'
import { Failed } from '../parts/failed.js'
import { Card } from './card.js'
import { FactList } from './list.js'

/**
 * @typedef {'keyword' | 'vector' | 'both'} By
 */

/** @param {{ onNotice: (text: string) => void }} props */
export function Facts({ onNotice }) {
  const [wanted, setWanted] = useState('')
  const { places, fault, read } = usePlaces(wanted)
  const where = wanted || (places?.[0]?.conversation ?? '')
  // Counted, so that the same words can be searched again.
  const [{ text, times }, setSought] = useState({ text: '', times: 0 })
  const [by, setBy] = useState(/** @type {By} */ ('both'))
  const field = useRef(/** @type {HTMLInputElement | null} */ (null))
  const failed = (/** @type {Error} */ error) => onNotice(say('failed', { why: error.message }))

  if (fault) return html`<${Failed} why=${fault.message} onRetry=${read} />`
  if (!places) return null
  return html`<form class="search" role="search" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault()
    setSought({ text: field.current?.value.trim() ?? '', times: times + 1 })
  }}>
      <${ChannelChoice} places=${places} chosen=${where} label=${say('where')} onChoose=${setWanted} />
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
      asked=${`${where} ${by} ${times}`}
      read=${(/** @type {string | undefined} */ before) => call('facts', { query: { conversation: where, text, by, before } })}
      none=${
        text === ''
          ? html`<div class="empty"><h2>${say('factsEmptyTitle')}</h2><p>${say('factsEmptyText')}</p></div>`
          : html`<p class="faint">${say('foundNothing')}</p>`
      }
      onFailed=${failed}
    />`
}

/** @param {{ platform: string, id: string, onShown: (name: string) => void, onNotice: (text: string) => void }} props */
export function FactsAbout({ platform, id, onShown, onNotice }) {
  const [name, setName] = useState('')
  const heading = useRef(/** @type {HTMLHeadingElement | null} */ (null))
  useEffect(() => {
    if (name !== '' && focusIsLost()) heading.current?.focus()
  }, [name])
  return html`<div class="about">
      ${name !== '' && html`<h2 ref=${heading} tabindex="-1">${say('knownAbout', { name })}</h2>`}
      <a href=${`#/turns?${new URLSearchParams({ person: `${platform}/${id}` })}`}>${say('turnsOfPerson')}</a>
      <a href="#/memory/people">${say('backToPeople')}</a>
    </div>
    <${Card} platform=${platform} id=${id} onFailed=${(/** @type {Error} */ error) => onNotice(say('failed', { why: error.message }))} />
    <${FactList}
      asked=""
      read=${async (/** @type {string | undefined} */ before) => {
        const answer = await call('people/facts', { query: { platform, id, before } })
        setName(shownName(answer.name))
        onShown(shownName(answer.name))
        const facts = answer.entries.map((/** @type {import('../../memory/views.ts').InboxEntry} */ { fact }) => fact)
        return { kept: answer.kept, facts, next: answer.next }
      }}
      none=${html`<p class="faint">${say('knownNothing', { name })}</p>`}
      onFailed=${(/** @type {Error} */ error) => onNotice(say('failed', { why: error.message }))}
    />`
}
