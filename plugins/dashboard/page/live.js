/** Turns of all platforms as they happen, each opening to its trace. */
import { call, listenTo } from './api.js'
import { placeName, timeOf } from './format.js'
import { html, useEffect, useRef, useState } from './html.js'
import { Trace } from './trace.js'
import { Meter, outcomeOf, reasonOf, spoke, useNow } from './verdict.js'
import { say } from './words.js'

/**
 * @typedef {import('../views.ts').TurnView} Turn
 * @typedef {Extract<import('../views.ts').FeedEvent, { type: 'message' }>} Heard
 */

/** What the page keeps; what is earlier can be asked for. */
const KEPT = 300
const PAGE = 50
/** Heard, and not judged yet. */
const HEARD = 5

const SHOWN = /** @type {const} */ ({
  everything: () => true,
  spoke: spoke,
  kept: (/** @type {Turn['trace']} */ trace) => !spoke(trace),
})

/** @param {{ bot: { name: string }, onNotice: (text: string) => void }} props */
export function Live({ bot, onNotice }) {
  const [turns, setTurns] = useState(/** @type {readonly Turn[] | undefined} */ (undefined))
  const [heard, setHeard] = useState(/** @type {readonly Heard[]} */ ([]))
  const [more, setMore] = useState(false)
  const [shown, setShown] = useState(/** @type {keyof typeof SHOWN} */ ('everything'))
  const [open, setOpen] = useState('')
  const newest = useRef('')
  newest.current = turns?.[0]?.trace.at ?? ''

  /** @param {string} [before] */
  async function read(before) {
    const known = newest.current
    try {
      const answer = await call('turns', { query: { before, limit: String(PAGE) } })
      setMore(answer.turns.length === PAGE)
      if (before !== undefined) return setTurns((had = []) => merged([...had, ...answer.turns]))
      const oldest = answer.turns.at(-1)?.trace.at ?? ''
      // More was missed than a page holds: what was there before would lie beyond a hole, so it is let go.
      const reaches = answer.turns.length < PAGE || oldest <= known
      setTurns((had = []) => merged([...answer.turns, ...(reaches ? had : had.filter(({ trace }) => trace.at >= oldest))]))
    } catch (error) {
      onNotice(say('failed', { why: String(error instanceof Error ? error.message : error) }))
    }
  }

  useEffect(
    () =>
      listenTo(event => {
        if (event.type === 'open') void read()
        if (event.type === 'message' && !event.message.own) setHeard(had => [event, ...had].slice(0, HEARD))
        if (event.type !== 'turn') return
        const { turn } = event
        setTurns((had = []) => merged([turn, ...had]).slice(0, KEPT))
      }),
    [],
  )

  // A message may be told after the turn that looked at it.
  const judged = new Set(turns?.flatMap(({ trace }) => trace.messages))
  const waiting = heard.filter(({ message }) => !judged.has(message.id))
  const list = turns?.filter(({ trace }) => SHOWN[shown](trace)) ?? []
  return html`<section class="live">
    <header class="lead">
      <h1>${say('live')}</h1>
      <p>${say('liveIntro', { bot: bot.name })}</p>
      <div class="segments" role="group" aria-label=${say('show')}>
        ${
          /** @type {const} */ (['everything', 'spoke', 'kept']).map(
            one => html`<button key=${one} aria-pressed=${shown === one} onClick=${() => setShown(one)}>${say(one)}</button>`,
          )
        }
      </div>
    </header>
    ${turns && list.length === 0 && waiting.length === 0 && html`<div class="empty"><h2>${say('liveEmptyTitle')}</h2><p>${say('liveEmptyText', { bot: bot.name })}</p></div>`}
    <ol class="turns">
      ${waiting.map(
        ({ place, message }) => html`<li key=${message.id} class="heard">
          <span class="pulse" aria-hidden="true"></span>
          <span class="snippet"><b>${message.author.name}</b> ${message.text}</span>
          <span class="where">${placeName(place)} · ${place.platform}</span>
        </li>`,
      )}
      ${list.map(
        turn =>
          html`<${Row} key=${turn.trace.turn} turn=${turn} open=${open === turn.trace.turn} onOpen=${() => setOpen(open === turn.trace.turn ? '' : turn.trace.turn)} />`,
      )}
    </ol>
    ${more && html`<button class="plain wide" onClick=${() => read(turns?.at(-1)?.trace.at)}>${say('earlier')}</button>`}
  </section>`
}

/** @param {{ turn: Turn, open: boolean, onOpen: () => void }} props */
function Row({ turn, open, onOpen }) {
  const { trace, place, messages } = turn
  const now = useNow(trace)
  const shown = messages.find(({ id }) => id === trace.trigger) ?? messages.at(-1)
  const others = trace.messages.length - 1
  return html`<li class=${open ? 'turn open' : 'turn'}>
    <button class="row" aria-expanded=${open} onClick=${onOpen}>
      <time datetime=${trace.at}>${timeOf(trace.at)}</time>
      <span class="snippet">
        ${shown && !shown.deleted ? html`<b>${shown.author.name}</b> ${shown.text}` : html`<i class="faint">${say('notKept')}</i>`}
        ${others > 0 && html` <span class="faint">${say('andMore', { n: others })}</span>`}
      </span>
      <span class="where">${placeName(place)} · ${place.platform}</span>
      <span class=${spoke(trace) ? 'outcome spoke' : 'outcome'}>
        ${trace.score && html`<${Meter} points=${trace.score.points} />`}
        <span class="kind">${outcomeOf(trace, now)}</span>
        <span class="reason">${reasonOf(trace)}</span>
      </span>
    </button>
    ${open && html`<${Trace} turn=${turn} />`}
  </li>`
}

/** A page begins with the time at which the one before it ended: its turns come twice. @param {readonly Turn[]} turns */
function merged(turns) {
  return [...new Map(turns.map(turn => [turn.trace.turn, turn])).values()].sort((a, b) => (a.trace.at < b.trace.at ? 1 : -1))
}
