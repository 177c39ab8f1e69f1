/** Facts of all channels to review: in queues, with filters in the address, and with actions for many at once. */
import { call } from '../base/api.js'
import { useNeighbour } from '../base/focus.js'
import { numberOf, timeOf } from '../base/format.js'
import { html, useEffect, useRef, useState } from '../base/html.js'
import { useNewest } from '../base/newest.js'
import { say } from '../base/words.js'
import { Failed } from '../parts/failed.js'
import { Finder, findChannels, findPeople } from '../parts/finder.js'
import { Bulk } from './bulk.js'
import { Fact } from './fact.js'

/**
 * @typedef {import('../../memory/views.ts').FactView} FactView
 * @typedef {import('../../memory/views.ts').InboxEntry} Entry
 * @typedef {import('../../memory/views.ts').InboxPage} Found
 * @typedef {Readonly<Record<string, string>>} Filters
 */

const QUEUES = /** @type {const} */ (['new', 'disagreeing', 'replaced', 'expiring', 'all'])
/** Pages without an entry that are read on, until the user has to ask. */
const EMPTY = 10

/** The address of a list. @param {Filters} filters */
function addressOf(filters) {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== '')).toString()
  return `#/memory${query && `?${query}`}`
}

/** @param {{ onNotice: (text: string) => void }} props */
export function Inbox({ onNotice }) {
  const filters = /** @type {Filters} */ (Object.fromEntries(new URLSearchParams(location.hash.split('?')[1] ?? '')))
  const queue = QUEUES.find(one => one === filters.queue) ?? 'new'
  const field = useRef(/** @type {HTMLInputElement | null} */ (null))
  const change = (/** @type {string} */ name, /** @type {string} */ value) => {
    location.hash = addressOf({ ...filters, [name]: value })
  }
  return html`<div class="segments queues" role="group" aria-label=${say('inboxQueues')}>
      ${QUEUES.map(one => html`<button key=${one} type="button" aria-pressed=${one === queue} onClick=${() => change('queue', one === 'new' ? '' : one)}>${say(`queue_${one}`)}</button>`)}
    </div>
    <form class="search inbox-search" role="search" onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault()
      change('text', field.current?.value.trim() ?? '')
    }}>
      <label class="grow"><span class="hidden">${say('searchHint')}</span>
        <input ref=${field} key=${filters.text} type="search" maxlength="200" defaultValue=${filters.text ?? ''} placeholder=${say('searchHint')} />
      </label>
      <button class="strong" type="submit">${say('searchFor')}</button>
    </form>
    <div class="filter-row">
      <${Finder} name="channel" word="filterChannel" filters=${filters} onChange=${change} find=${findChannels} />
      <${Finder} name="person" word="filterPerson" filters=${filters} onChange=${change} find=${findPeople} />
    </div>
    <h2 class="hidden">${say(`queue_${queue}`)}</h2>
    <${List} key=${JSON.stringify(filters)} queue=${queue} filters=${filters} onNotice=${onNotice} />`
}

/** @param {{ queue: typeof QUEUES[number], filters: Filters, onNotice: (text: string) => void }} props */
function List({ queue, filters, onNotice }) {
  const [found, setFound] = useState(/** @type {Found | undefined} */ (undefined))
  const [why, setWhy] = useState('')
  const [selected, setSelected] = useState(/** @type {ReadonlySet<number>} */ (new Set()))
  const { hear, outdate } = useNewest()
  const list = useRef(/** @type {HTMLUListElement | null} */ (null))
  useNeighbour(list)
  const failed = (/** @type {Error} */ error) => onNotice(say('failed', { why: error.message }))

  /** @param {string | undefined} before @returns {Promise<Found>} */
  const ask = before => {
    const { text, channel, person } = filters
    return call('inbox', { query: { queue, text, channel, person, before } })
  }
  /** Reads on while nothing is found. @param {Found} had @param {number} tries */
  function take(had, tries = EMPTY) {
    setFound(had)
    if (had.entries.length === 0 && had.next && tries > 0) {
      void hear(ask(had.next), next => take(next, tries - 1), unread)
    }
  }
  const unread = (/** @type {Error} */ error) => setWhy(error.message)
  const read = () => {
    setWhy('')
    return hear(ask(undefined), answer => take(answer), unread)
  }
  useEffect(() => {
    void read()
    return outdate
  }, [])
  const more = () =>
    found?.next && hear(ask(found.next), page => take({ ...page, entries: [...found.entries, ...page.entries] }), failed)

  /** @param {number} id @param {boolean} isSelected */
  const select = (id, isSelected) => setSelected(had => new Set(isSelected ? [...had, id] : [...had].filter(one => one !== id)))

  /** Facts leave the list, or change in it. @param {(fact: FactView) => FactView | undefined} of */
  function replace(of) {
    const changed = (/** @type {FactView} */ fact) => of(fact) ?? []
    setFound(
      had =>
        had && {
          ...had,
          entries: had.entries.flatMap(entry => {
            const fact = of(entry.fact)
            return fact ? [{ ...entry, fact, against: entry.against.flatMap(changed) }] : []
          }),
        },
    )
    setSelected(new Set())
  }

  if (why) return html`<${Failed} why=${why} onRetry=${read} />`
  if (found && !found.kept) return html`<p class="faint">${say('noPlugin')}</p>`
  const entries = found?.entries ?? []
  const shown = entries.flatMap(({ fact, against }) => [fact.id, ...against.map(({ id }) => id)])
  const isFiltered = Object.keys(filters).some(name => name !== 'queue')
  const none = isFiltered ? say('foundNothing') : say(`none_${queue}`)
  return html`<div role="status">
      ${found && entries.length === 0 && !found.next && html`<p class="faint">${none}</p>`}
    </div>
    ${
      entries.length > 0 &&
      html`<${Bulk} queue=${queue} shown=${shown} selected=${selected} onSelect=${(/** @type {readonly number[]} */ ids) => setSelected(new Set(ids))}
        onDone=${replace} onNotice=${onNotice} onFailed=${failed} />`
    }
    <ul ref=${list} class="facts inbox" aria-busy=${found === undefined}>
      ${entries.map(
        entry => html`<${Row} key=${entry.fact.id} entry=${entry} isEnding=${queue === 'expiring'} selected=${selected} onSelect=${select} onFailed=${failed}
          onChange=${(/** @type {number} */ id, /** @type {FactView | undefined} */ changed) => replace(fact => (fact.id === id ? changed : fact))}
          onUndone=${(/** @type {number} */ batch) => {
            onNotice(say('undoneReplace'))
            setFound(had => had && { ...had, entries: had.entries.filter(one => one.batch !== batch) })
          }} />`,
      )}
      ${found?.next && html`<li class="rest"><button class="plain wide" onClick=${more}>${say('showMore')}</button></li>`}
    </ul>`
}

/**
 * @param {{
 *   entry: Entry, isEnding: boolean, selected: ReadonlySet<number>, onSelect: (id: number, isSelected: boolean) => void, onFailed: (error: Error) => void,
 *   onChange: (id: number, changed: FactView | undefined) => void, onUndone: (batch: number) => void,
 * }} props
 */
function Row({
  entry: { fact, against, endsAt, ends, replacedBy, batch },
  isEnding,
  selected,
  onSelect,
  onFailed,
  onChange,
  onUndone,
}) {
  /** @param {FactView} of */
  const props = of => ({
    fact: of,
    most: 1,
    onFailed,
    onChange: (/** @type {FactView | undefined} */ changed) => onChange(of.id, changed),
    select: { isSelected: selected.has(of.id), onSelect: (/** @type {boolean} */ on) => onSelect(of.id, on) },
  })
  const undo = () =>
    call('facts/undo', { method: 'POST', body: { batch } }).then(() => batch !== undefined && onUndone(batch), onFailed)
  const note = endsAt && ends && (ends === 'expires' || isEnding) && say(`ends_${ends}`, { time: timeOf(endsAt) })
  return html`<${Fact} ...${props(fact)} note=${note}>
    ${
      against.length > 0 &&
      html`<div class="against"><h3>${say('otherValues', { n: numberOf(against.length) })}</h3>
        <ul class="facts">${against.map(other => html`<${Fact} key=${other.id} ...${props(other)} />`)}</ul>
      </div>`
    }
    ${
      replacedBy &&
      html`<p class="against">${say('replacedBy')} <bdi>${replacedBy.content}</bdi>
        <button class="plain" type="button" aria-label=${`${say('undoReplace')}: ${fact.content}`} onClick=${undo}>${say('undoReplace')}</button></p>`
    }
  <//>`
}
