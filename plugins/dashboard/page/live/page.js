/** Turns of all platforms as they happen, each with its trace, and dropped messages. */
import { call } from '../base/api.js'
import { listenTo } from '../base/events.js'
import { placeName, shownName } from '../base/format.js'
import { html, useEffect, useReducer, useRef, useState } from '../base/html.js'
import { say } from '../base/words.js'
import { spoke } from '../turn/verdict.js'
import { createGathering } from './gathering.js'
import { DropLine, TurnRow } from './rows.js'
import { KEPT, next, nothing, PAGE, together } from './state.js'

/**
 * @typedef {import('../../history/views.ts').TurnView} Turn
 * @typedef {import('../../history/views.ts').FeedEvent} FeedEvent
 */

const SHOWN = /** @type {const} */ ({
  everything: () => true,
  spoke: spoke,
  kept: (/** @type {Turn['trace']} */ trace) => !spoke(trace),
})

/** @param {{ bot: { name: string }, onNotice: (text: string) => void }} props */
export function Page({ bot, onNotice }) {
  const [live, change] = useReducer(next, nothing)
  const [shown, setShown] = useState(/** @type {keyof typeof SHOWN} */ ('everything'))
  const { open, news, toggle, happened } = useReading(change)
  const newest = useRef('')
  const heading = useRef(/** @type {HTMLElement | null} */ (null))
  newest.current = live.turns?.[0]?.trace.at ?? ''

  /** @param {Promise<void>} doing */
  const tried = doing =>
    doing.catch(error => onNotice(say('failed', { why: String(error instanceof Error ? error.message : error) })))

  async function read() {
    const known = newest.current
    const [{ turns }, { drops }] = await Promise.all([call('turns', { query: { limit: String(PAGE) } }), call('drops')])
    change({ type: 'read', known, turns, drops })
  }

  async function earlier() {
    const { turns } = await call('turns', { query: { before: live.turns?.at(-1)?.trace.at, limit: String(PAGE) } })
    change({ type: 'earlier', turns })
  }

  function close() {
    // The button is removed, and new turns are on top.
    heading.current?.focus()
    toggle('')
  }

  useEffect(() => {
    const gathering = createGathering(happened, KEPT)
    const leave = listenTo(event => {
      if (event.type === 'open') void tried(read())
      if (event.type === 'turn' || event.type === 'message' || event.type === 'dropped') gathering.add(event)
    })
    return () => {
      leave()
      gathering.end()
    }
  }, [])

  const turns = live.turns?.filter(({ trace }) => SHOWN[shown](trace)) ?? []
  const isBlank = live.turns?.length === 0 && live.drops.length === 0 && live.heard.length === 0
  const list = shown === 'everything' ? together(turns, live.drops, live.more) : turns
  return html`<section class="live">
    <header class="lead">
      <h1 ref=${heading} tabindex="-1">${say('live')}</h1>
      <p>${say('liveIntro', { bot: bot.name })}</p>
      <div class="segments" role="group" aria-label=${say('show')}>
        ${
          /** @type {const} */ (['everything', 'spoke', 'kept']).map(
            one => html`<button key=${one} aria-pressed=${shown === one} onClick=${() => setShown(one)}>${say(one)}</button>`,
          )
        }
      </div>
    </header>
    ${isBlank && html`<div class="empty"><h2>${say('liveEmptyTitle')}</h2><p>${say('liveEmptyText', { bot: bot.name })}</p><p><a href="#/tuning">${say('liveTry')}</a></p></div>`}
    ${live.turns && !isBlank && shown !== 'everything' && list.length === 0 && html`<p class="faint" role="status">${say(shown === 'spoke' ? 'spokeNot' : 'silentNot', { bot: bot.name })}</p>`}
    <ol class="turns">
      ${live.heard.map(
        ({ place, message }) => html`<li key=${message.id} class="heard">
          <span class="pulse" aria-hidden="true"></span>
          <span class="snippet"><b>${shownName(message.author.name)}</b> <bdi>${message.text}</bdi></span>
          <span class="where">${placeName(place)} · ${place.platform}</span>
        </li>`,
      )}
      ${list.map(one =>
        'trace' in one
          ? html`<${TurnRow} key=${one.trace.turn} turn=${one} open=${open === one.trace.turn} onOpen=${toggle} />`
          : html`<${DropLine} key=${one.id} drop=${one} />`,
      )}
    </ol>
    ${news > 0 && html`<button class="news" onClick=${close}>${say(news === 1 ? 'newTurn' : 'newTurns', { n: news })}</button>`}
    ${live.more && html`<button class="plain wide" onClick=${() => tried(earlier())}>${say('earlier')}</button>`}
  </section>`
}

/**
 * The open turn. While one is open, the list does not change and events wait, so that nothing moves while the user reads.
 *
 * @param {(event: { type: 'happened', events: readonly FeedEvent[] }) => void} change
 */
function useReading(change) {
  const [open, setOpen] = useState('')
  const [news, setNews] = useState(0)
  const reading = useRef('')
  /** The size of the list: after a long wait it shows the latest events. @type {{ current: readonly FeedEvent[] }} */
  const waiting = useRef([])

  /** @param {string} turn the open turn is closed by it */
  function toggle(turn) {
    reading.current = reading.current === turn ? '' : turn
    setOpen(reading.current)
    if (reading.current !== '' || waiting.current.length === 0) return
    change({ type: 'happened', events: waiting.current })
    waiting.current = []
    setNews(0)
  }

  /** @param {readonly FeedEvent[]} events */
  function happened(events) {
    if (reading.current === '') return change({ type: 'happened', events })
    waiting.current = [...waiting.current, ...events].slice(-KEPT)
    setNews(waiting.current.filter(({ type }) => type === 'turn').length)
  }

  return { open, news, toggle, happened }
}
