/** Tuning: replays a channel with other options. */
import { call, Refused } from '../base/api.js'
import { numberOf } from '../base/format.js'
import { html, useEffect, useLayoutEffect, useRef, useState } from '../base/html.js'
import { stream } from '../base/stream.js'
import { say } from '../base/words.js'
import { ChannelChoice, usePlaces } from '../parts/channel-choice.js'
import { Failed } from '../parts/failed.js'
import { Apply } from './apply.js'
import { changed, keyOf, Options } from './form.js'
import { Import } from './import.js'
import { pointOf, Result } from './result.js'

/**
 * @typedef {import('../../history/views.ts').Place} Place
 * @typedef {import('../../tuning/views.ts').TunableView} Option
 * @typedef {import('../../tuning/views.ts').ReplayView} Replay
 * @typedef {import('./chart.js').Point} Point
 * @typedef {import('./form.js').Turned} Turned
 * @typedef {{ replay: Replay, compared: boolean, turned: readonly Turned[], isSet: boolean }} Done `turned`: replayed
 * options that are not set yet
 */

const LIMITS = [500, 2_000, 5_000]
/** Maximum number of earlier runs on a chart. */
const TRIES = 20

/** @param {{ bot: { name: string }, where: string, onNotice: (text: string) => void }} props `where`: id of a channel */
export function Page({ bot, where, onNotice }) {
  const { places, fault, read } = usePlaces(where)
  const here = where === '' ? places?.[0] : places?.find(({ conversation }) => conversation === where)
  return html`<section class="sheet tuning">
    <header class="lead"><h1>${say('tuning')}</h1><p>${say('tuningIntro', { bot: bot.name })}</p></header>
    ${fault && html`<${Failed} why=${fault.message} onRetry=${read} />`}
    ${places?.length === 0 && html`<div class="empty"><h2>${say('liveEmptyTitle')}</h2><p>${say('liveEmptyText', { bot: bot.name })}</p></div>`}
    ${
      places &&
      places.length > 0 &&
      html`<${ChannelChoice} class="pick" places=${places} chosen=${here?.conversation ?? ''} label=${say('tunedChannel')} onChoose=${(
        /** @type {string} */ id,
      ) => {
        location.hash = `#/tuning/${encodeURIComponent(id)}`
      }} />`
    }
    ${places && !here && where !== '' && html`<p class="faint" role="status">${say('noChannel')}</p>`}
    ${here && html`<${Bench} key=${here.conversation} place=${here} bot=${bot} onNotice=${onNotice} />`}
    ${places && html`<${Import} bot=${bot} />`}
  </section>`
}

/**
 * The changes of one channel, and their results. @param {{ place: Place, bot: { name: string }, onNotice: (text: string) =>
 * void }} props
 */
function Bench({ place, bot, onNotice }) {
  const { conversation } = place
  const [options, setOptions] = useState(/** @type {readonly Option[] | undefined} */ (undefined))
  const [mayAsk, setMayAsk] = useState(false)
  const [unread, setUnread] = useState('')
  const [kept, keep] = useKept(conversation)
  const [share, setShare] = useState(/** @type {number | undefined} */ (undefined))
  const [problem, setProblem] = useState('')
  const [done, setDone] = useState(/** @type {Done | undefined} */ (undefined))
  const [tries, setTries] = useState(/** @type {readonly Point[]} */ ([]))
  const form = useRef(/** @type {HTMLFormElement | null} */ (null))
  const alert = useRef(/** @type {HTMLParagraphElement | null} */ (null))
  const result = useRef(/** @type {HTMLDivElement | null} */ (null))
  const running = useRef(/** @type {AbortController | undefined} */ (undefined))
  const { limit, changes } = kept

  function read() {
    setUnread('')
    return call('tuning', { query: { conversation } }).then(
      answer => {
        setOptions(answer.options)
        setMayAsk(answer.mayAsk)
      },
      error => {
        // The options may have changed.
        setOptions(undefined)
        setUnread(error.message)
      },
    )
  }
  useEffect(() => {
    void read()
    // The page was closed.
    return () => running.current?.abort()
  }, [])

  useEffect(() => alert.current?.scrollIntoView({ block: 'nearest' }), [problem])

  if (unread) return html`<${Failed} why=${unread} onRetry=${read} />`
  if (!options) return null
  const turned = changed(options, changes)
  const isStale = done !== undefined && written(done.turned) !== written(turned)

  /** @param {import('../../tuning/views.ts').SamplingView} [ask] what the judge is asked; absent: nothing */
  async function run(ask) {
    const leaving = new AbortController()
    running.current = leaving
    setProblem('')
    setShare(0)
    /** @type {Record<string, Record<string, unknown>>} */
    const settings = {}
    for (const { option, value } of turned) settings[option.plugin] = { ...settings[option.plugin], [option.option]: value }
    try {
      const body = { conversation, limit, settings, ...(ask && { ask }) }
      /** @type {{ replay: Replay }} */
      const { replay: found } = await stream(ask ? 'tuning/verdicts' : 'tuning', body, {
        signal: leaving.signal,
        onShare: setShare,
      })
      const before = !ask && done?.compared ? pointOf(done.replay.changed) : undefined
      if (before) setTries(had => [...had, before].slice(-TRIES))
      setDone({ replay: found, compared: turned.length > 0, turned, isSet: false })
      result.current?.scrollIntoView({ block: 'nearest' })
    } catch (error) {
      if (leaving.signal.aborted) return
      setProblem(String(error instanceof Error ? error.message : error))
      if (error instanceof Refused && error.status === 422) openTurned()
    } finally {
      setShare(undefined)
    }
  }

  /** @param {Event} event */
  function cancel(event) {
    if (share === undefined) return
    // The button becomes the replay button before the click ends, and would start again.
    event.preventDefault()
    running.current?.abort()
  }

  /** The refused value is in one of these fields. */
  function openTurned() {
    for (const group of form.current?.querySelectorAll('details') ?? []) group.open ||= group.querySelector('.turned') !== null
  }

  /** @type {import('./form.js').Turn} */
  function turn(option, text) {
    keep(({ changes: { [keyOf(option)]: _, ...others }, ...rest }) => ({
      ...rest,
      changes: text === undefined ? others : { ...others, [keyOf(option)]: text },
    }))
  }

  /** New input stays. @param {readonly Turned[]} set */
  async function apply(set) {
    await read()
    const isIn = (/** @type {string} */ key, /** @type {string} */ text) =>
      set.some(one => keyOf(one.option) === key && one.text === text)
    keep(had => ({ ...had, changes: Object.fromEntries(Object.entries(had.changes).filter(([key, text]) => !isIn(key, text))) }))
    setDone(
      had =>
        had && {
          ...had,
          turned: had.turned.filter(({ option, text }) => !isIn(keyOf(option), text)),
          isSet: had.isSet || set.length > 0,
        },
    )
  }

  return html`<div class="columns"><form class="bench" ref=${form} novalidate onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault()
    if (share === undefined) void run()
  }}>
      <${Options} options=${options} changes=${changes} onTurn=${turn} />
      <div class="run">
        <label>
          <span class="label">${say('ofTheLast')}</span>
          <select onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget }) => {
            // Runs over other messages cannot be compared.
            running.current?.abort()
            setTries([])
            setDone(undefined)
            keep(had => ({ ...had, limit: Number(currentTarget.value) }))
          }}>
            ${LIMITS.map(one => html`<option key=${one} value=${one} selected=${one === limit}>${say('nMessages', { n: numberOf(one) })}</option>`)}
          </select>
        </label>
        <button class=${share === undefined ? 'strong' : 'plain'} type=${share === undefined ? 'submit' : 'button'} onClick=${cancel}>${say(share === undefined ? 'replay' : 'cancel')}</button>
        ${
          share !== undefined &&
          html`<progress max="1" value=${share} aria-label=${say('replaying')}></progress>
                <span class="faint notes">${numberOf(share, { style: 'percent', maximumFractionDigits: 0 })}</span>`
        }
        ${problem && html`<p class="danger problem" role="alert" ref=${alert}>${problem}</p>`}
        ${
          share === undefined &&
          html`<p class="faint notes">${turned.length === 0 ? say('nothingTurned') : say('turnedOf', { list: turned.map(({ option }) => keyOf(option)).join(', ') })}</p>`
        }
      </div>
    </form>
    <div class="outcomes" ref=${result}>
    <p class="hidden" role="status">${share !== undefined ? say('replaying') : isStale ? say('replayOld') : done ? say('replayDone', { n: done.replay.differ }) : ''}</p>
    ${isStale && html`<p class="stale">${say('replayOld')}</p>`}
    ${done ? html`<${Result} replay=${done.replay} compared=${done.compared} tries=${tries} bot=${bot} asking=${isStale || done.isSet ? undefined : { mayAsk, isRunning: share !== undefined, onAsk: run }} />` : html`<div class="empty"><h2>${say('tuneEmptyTitle')}</h2><p>${say('tuneEmptyText')}</p></div>`}
    ${
      done &&
      (done.turned.length > 0 || done.isSet) &&
      html`<${Apply} place=${place} turned=${done.turned} isStale=${isStale} isSet=${done.isSet} onNotice=${onNotice} onSet=${apply} />`
    }</div></div>`
}

/** A key to compare two sets of changes. @param {readonly Turned[]} turned */
function written(turned) {
  return JSON.stringify(turned.map(({ option, text }) => [keyOf(option), text]))
}

/** Changes survive a reload of the page. @param {string} conversation */
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
  useLayoutEffect(() => {
    try {
      sessionStorage.setItem(name, JSON.stringify(kept))
    } catch {
      // Without storage they last until the page is closed.
    }
  }, [kept])
  return /** @type {const} */ ([kept, setKept])
}
