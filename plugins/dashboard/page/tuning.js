/** Tuning: what the bot would have done in a channel, had its options been others. */
import { call } from './api.js'
import { numberOf, placeName } from './format.js'
import { html, useEffect, useRef, useState } from './html.js'
import { Apply } from './tuning-apply.js'
import { changed, keyOf, Options } from './tuning-form.js'
import { pointOf, Result } from './tuning-result.js'
import { replay } from './tuning-run.js'
import { say } from './words.js'

/**
 * @typedef {import('../views.ts').Place} Place
 * @typedef {import('../tuning-views.ts').TunableView} Option
 * @typedef {import('../tuning-views.ts').ReplayView} Replay
 * @typedef {import('./tuning-chart.js').Point} Point
 * @typedef {{ replay: Replay, compared: boolean }} Done
 */

const LIMITS = [500, 2_000, 5_000]
/** Points of runs before, on one chart. */
const TRIES = 20

/** @param {{ bot: { name: string }, where: string, onNotice: (text: string) => void }} props `where`: the id of a channel */
export function Tuning({ bot, where, onNotice }) {
  const [places, setPlaces] = useState(/** @type {readonly Place[] | undefined} */ (undefined))
  useEffect(() => {
    call('places').then(
      answer => setPlaces(answer.places),
      error => onNotice(say('failed', { why: error.message })),
    )
  }, [])
  const here = places?.find(({ conversation }) => conversation === where) ?? places?.[0]
  return html`<section class="sheet tuning">
    <header class="lead"><h1>${say('tuning')}</h1><p>${say('tuningIntro', { bot: bot.name })}</p></header>
    ${places?.length === 0 && html`<div class="empty"><h2>${say('liveEmptyTitle')}</h2><p>${say('liveEmptyText', { bot: bot.name })}</p></div>`}
    ${
      here &&
      html`<label class="pick">
          <span class="label">${say('tunedChannel')}</span>
          <select onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget }) => {
            location.hash = `#/tuning/${encodeURIComponent(currentTarget.value)}`
          }}>
            ${places?.map(place => html`<option key=${place.conversation} value=${place.conversation} selected=${place === here}>${placeName(place)} · ${place.platform}</option>`)}
          </select>
        </label>
        <${Bench} key=${here.conversation} place=${here} bot=${bot} onNotice=${onNotice} />`
    }
  </section>`
}

/** What is turned in one channel, and what came of it. @param {{ place: Place, bot: { name: string }, onNotice: (text: string) => void }} props */
function Bench({ place, bot, onNotice }) {
  const { conversation } = place
  const [options, setOptions] = useState(/** @type {readonly Option[] | undefined} */ (undefined))
  const [kept, keep] = useKept(conversation)
  const [share, setShare] = useState(/** @type {number | undefined} */ (undefined))
  const [problem, setProblem] = useState('')
  const [done, setDone] = useState(/** @type {Done | undefined} */ (undefined))
  const [tries, setTries] = useState(/** @type {readonly Point[]} */ ([]))
  const result = useRef(/** @type {HTMLDivElement | null} */ (null))
  const running = useRef(/** @type {AbortController | undefined} */ (undefined))
  const { limit, changes } = kept

  const read = () =>
    call('tuning', { query: { conversation } }).then(
      answer => setOptions(answer.options),
      error => onNotice(say('failed', { why: error.message })),
    )
  useEffect(() => {
    void read()
    // Nobody waits for it any more.
    return () => running.current?.abort()
  }, [])

  if (!options) return null
  const turned = changed(options, changes)

  async function run() {
    const leaving = new AbortController()
    running.current = leaving
    setProblem('')
    setShare(0)
    /** @type {Record<string, Record<string, unknown>>} */
    const settings = {}
    for (const { option, value } of turned) settings[option.plugin] = { ...settings[option.plugin], [option.option]: value }
    try {
      const found = await replay({ conversation, limit, settings }, { signal: leaving.signal, onShare: setShare })
      const before = done?.compared ? pointOf(done.replay.changed) : undefined
      if (before) setTries(had => [...had, before].slice(-TRIES))
      setDone({ replay: found, compared: turned.length > 0 })
      result.current?.scrollIntoView({ block: 'nearest' })
    } catch (error) {
      if (!leaving.signal.aborted) setProblem(String(error instanceof Error ? error.message : error))
    } finally {
      setShare(undefined)
    }
  }

  return html`<div class="columns"><form class="bench" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault()
    if (share === undefined) void run()
  }}>
      <${Options} options=${options} changes=${changes} onChange=${(/** @type {Record<string, string>} */ changes) => keep({ limit, changes })} />
      <div class="run">
        <label>
          <span class="label">${say('ofTheLast')}</span>
          <select onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget }) => {
            setTries([])
            keep({ limit: Number(currentTarget.value), changes })
          }}>
            ${LIMITS.map(one => html`<option key=${one} value=${one} selected=${one === limit}>${say('nMessages', { n: numberOf(one) })}</option>`)}
          </select>
        </label>
        ${
          share === undefined
            ? html`<button class="strong" type="submit">${say('replay')}</button>`
            : html`<button class="plain" type="button" onClick=${() => running.current?.abort()}>${say('cancel')}</button>
                <progress max="1" value=${share} aria-label=${say('replaying')}></progress>
                <span class="faint notes">${numberOf(share, { style: 'percent', maximumFractionDigits: 0 })}</span>`
        }
        ${
          share === undefined &&
          html`<p class="faint notes">${turned.length === 0 ? say('nothingTurned') : say('turnedOf', { list: turned.map(({ option }) => keyOf(option)).join(', ') })}</p>`
        }
      </div>
      ${problem && html`<p class="danger problem" role="alert">${problem}</p>`}
    </form>
    <div class="outcomes" ref=${result}>
    <p class="hidden" role="status">${share !== undefined ? say('replaying') : done ? say('replayDone', { n: done.replay.differ }) : ''}</p>
    ${done ? html`<${Result} replay=${done.replay} compared=${done.compared} tries=${tries} bot=${bot} />` : html`<div class="empty"><h2>${say('tuneEmptyTitle')}</h2><p>${say('tuneEmptyText')}</p></div>`}
    ${
      turned.length > 0 &&
      html`<${Apply} place=${place} turned=${turned} onNotice=${onNotice} onSet=${async () => {
        await read()
        const set = turned.filter(({ option }) => option.perPlace).map(({ option }) => keyOf(option))
        keep({ limit, changes: Object.fromEntries(Object.entries(changes).filter(([key]) => !set.includes(key))) })
      }} />`
    }</div></div>`
}

/** What was typed outlives a reload of the page. @param {string} conversation */
function useKept(conversation) {
  const name = `tuning ${conversation}`
  const [kept, setKept] = useState(() => {
    try {
      const { limit, changes } = JSON.parse(sessionStorage.getItem(name) ?? '{}')
      return { limit: LIMITS.includes(limit) ? limit : 2_000, changes: /** @type {Record<string, string>} */ (changes ?? {}) }
    } catch {
      return { limit: 2_000, changes: {} }
    }
  })
  /** @param {typeof kept} next */
  const keep = next => {
    setKept(next)
    try {
      sessionStorage.setItem(name, JSON.stringify(next))
    } catch {
      // Where storage is forbidden it lasts as long as the page.
    }
  }
  return /** @type {const} */ ([kept, keep])
}
