/** Turns: searched, filtered and opened. Every view has an address. */
import { call } from '../base/api.js'
import { listenTo } from '../base/events.js'
import { durationOf, fullTime, moneyOf, numberOf, placeName, shownName, timeOf } from '../base/format.js'
import { html, useEffect, useRef, useState } from '../base/html.js'
import { useNewest } from '../base/newest.js'
import { say } from '../base/words.js'
import { Failed } from '../parts/failed.js'
import { reasonOf } from '../turn/verdict.js'
import { addressOf, filtersHere, goTo, outcomeName, queryOf } from './address.js'
import { FilterBar } from './filters.js'
import { Help, useKeys } from './keys.js'
import { OneTurn } from './one-turn.js'

/**
 * @typedef {import('zod').z.infer<typeof import('../../turns/views.ts').line>} Line
 * @typedef {import('zod').z.infer<typeof import('../../turns/views.ts').page>} Found
 * @typedef {import('./address.js').Filters} Filters
 */

/** Milliseconds between two looks for new turns. */
const EVERY = 3_000
/** Pages without a result that are read on, until the user has to ask. */
const EMPTY = 10

/** The list that was left for a turn, so that Back shows it as it was. @type {{ told: string, list: Found, at: string } | undefined} */
let left

/** @param {{ where: string, onNotice: (text: string) => void }} props `where`: the id of a turn, or nothing */
export function Page({ where, onNotice }) {
  const filters = filtersHere()
  if (where) return html`<${OneTurn} turn=${where} filters=${filters} list=${left?.list.turns ?? []} />`
  return html`<${List} filters=${filters} onNotice=${onNotice} />`
}

/** @param {{ filters: Filters, onNotice: (text: string) => void }} props */
function List({ filters, onNotice }) {
  const told = JSON.stringify(filters)
  const [list, setList] = useState(/** @type {Found | undefined} */ (left?.told === told ? left.list : undefined))
  const [why, setWhy] = useState('')
  const [news, setNews] = useState(/** @type {readonly Line[]} */ ([]))
  const [helps, setHelps] = useState(false)
  const { hear, outdate } = useNewest()
  const search = useRef(/** @type {HTMLInputElement | null} */ (null))
  const rows = useRef(/** @type {HTMLElement | null} */ (null))
  const shown = useRef(list)
  shown.current = list

  /** @param {string} [before] @returns {Promise<Found>} */
  const ask = before => call('turns/search', { query: { ...queryOf(filters), ...(before && { before }) } })

  /** Reads on while nothing is found. @param {Found} had @param {number} tries */
  function take(had, tries = EMPTY) {
    setList(had)
    setWhy('')
    if (had.turns.length === 0 && had.next && tries > 0) void hear(ask(had.next), next => take(next, tries - 1), failed)
  }
  const failed = (/** @type {Error} */ error) => setWhy(error.message)
  function read() {
    setNews([])
    void hear(ask(), page => take(page), failed)
  }
  const more = () =>
    list?.next &&
    hear(
      ask(list.next),
      page => take({ ...page, turns: [...list.turns, ...page.turns] }),
      error => onNotice(say('failed', { why: error.message })),
    )

  useEffect(() => {
    outdate()
    if (left?.told === told) {
      setList(left.list)
      // The row that was opened has the focus again.
      const at = left.at
      requestAnimationFrame(() =>
        [...(rows.current?.querySelectorAll('a') ?? [])].find(({ dataset }) => dataset.turn === at)?.focus(),
      )
      left = undefined
      return
    }
    setList(undefined)
    read()
  }, [told])

  useEffect(() => {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer
    const look = () => {
      timer = undefined
      if (document.hidden || !shown.current) return
      const known = new Set(shown.current.turns.map(({ turn }) => turn))
      ask().then(
        ({ turns }) => {
          const first = shown.current?.turns[0]?.at ?? ''
          setNews(turns.filter(({ turn, at }) => !known.has(turn) && at >= first))
        },
        () => {},
      )
    }
    const leave = listenTo(({ type }) => {
      if (type === 'turn') timer ??= setTimeout(look, EVERY)
    })
    return () => {
      leave()
      clearTimeout(timer)
    }
  }, [told])

  /** @param {string} name @param {string} value */
  function change(name, value) {
    goTo(addressOf({ ...filters, [name]: value }))
  }
  useKeys({
    '/': () => search.current?.focus(),
    '?': () => setHelps(!helps),
    j: () => moveIn(rows.current, 1),
    k: () => moveIn(rows.current, -1),
    Escape: () => (helps ? setHelps(false) : Object.keys(filters).length > 0 && goTo('#/turns')),
  })

  const isFiltered = Object.keys(filters).length > 0
  return html`<section class="wide-sheet">
    <header class="lead turns-lead">
      <h1>${say('turns')}</h1>
      <form role="search" class="turns-search" onSubmit=${(/** @type {Event} */ event) => {
        event.preventDefault()
        // The next key is for the list.
        search.current?.blur()
        change('text', search.current?.value.trim() ?? '')
      }}>
        <label class="grow"><span class="hidden">${say('searchTurns')}</span>
          <input ref=${search} key=${filters.text} type="search" maxlength="200" defaultValue=${filters.text ?? ''} placeholder=${say('searchTurns')}
            onSearch=${() => search.current?.value === '' && filters.text && change('text', '')} />
        </label>
        <kbd aria-hidden="true">/</kbd>
      </form>
      <a class="plain" href=${`/api/turns/export?${new URLSearchParams(queryOf(filters))}`} download="turns.jsonl">${say('exportTurns')}</a>
      <button class="plain" aria-haspopup="dialog" onClick=${() => setHelps(true)}>${say('keyboard')}</button>
    </header>
    <${FilterBar} filters=${filters} onChange=${change}>
      ${isFiltered && html`<a class="link" href="#/turns">${say('clearFilters')}</a>`}
    <//>
    ${why && html`<${Failed} why=${why} onRetry=${read} />`}
    ${
      news.length > 0 &&
      html`<button class="plain wide new-turns" onClick=${() => {
        setList(had => had && { ...had, turns: [...news, ...had.turns] })
        setNews([])
      }}>${say('showNew', { n: numberOf(news.length) })}</button>`
    }
    ${list?.turns.length === 0 && !list.next && html`<div class="empty"><h2>${say(isFiltered ? 'noTurnMatches' : 'liveEmptyTitle')}</h2>${isFiltered && html`<p><a href="#/turns">${say('clearFilters')}</a></p>`}</div>`}
    <ol ref=${rows} class="turn-lines" aria-busy=${list === undefined}>
      ${list?.turns.map(
        line =>
          html`<li key=${line.turn}><${LineRow} line=${line} filters=${filters} onOpen=${() => {
            left = { told, list, at: line.turn }
          }} /></li>`,
      )}
    </ol>
    ${list?.searched && html`<p class="faint searched" role="status">${say('searchedTo', { time: fullTime(list.searched) })}</p>`}
    ${list?.next && html`<button class="plain wide" onClick=${more}>${say(list.searched ? 'searchOn' : 'earlier')}</button>`}
    ${helps && html`<${Help} onClose=${() => setHelps(false)} />`}
  </section>`
}

/** Moves the focus to a neighbour in the list. @param {HTMLElement | null} list @param {1 | -1} by */
function moveIn(list, by) {
  const links = [...(list?.querySelectorAll('a') ?? [])]
  const at = links.findIndex(link => link.matches(':focus'))
  const next = links[at < 0 ? 0 : Math.max(0, Math.min(links.length - 1, at + by))]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

/** @param {{ line: Line, filters: Filters, onOpen: () => void }} props */
function LineRow({ line, filters, onOpen }) {
  const { turn, at, place, author, text, messages, outcome, ms, cost, problems } = line
  return html`<a class=${`turn-line ${outcome}`} href=${addressOf(filters, turn)} data-turn=${turn} onClick=${onOpen}>
    <time datetime=${at} title=${fullTime(at)}>${timeOf(at)}</time>
    <span class="outcome-name"><i class="dot" aria-hidden="true"></i>${outcomeName(outcome)}</span>
    <span class="said-line">
      ${author === undefined ? html`<i class="faint">${say('notKept')}</i>` : html`<bdi class="who">${shownName(author)}</bdi> <bdi>${text}</bdi>`}
      ${messages > 1 && html` <span class="faint">${say('andMore', { n: numberOf(messages - 1) })}</span>`}
    </span>
    <span class="reason">${problems > 0 && html`<b class="danger">${say('problemsOf', { n: numberOf(problems) })}</b> `}<bdi>${reasonOf(line)}</bdi></span>
    <span class="where"><bdi>${placeName(place)}</bdi></span>
    <span class="figure">${durationOf(ms)}</span>
    <span class="figure">${cost !== undefined && moneyOf(cost)}</span>
  </a>`
}
