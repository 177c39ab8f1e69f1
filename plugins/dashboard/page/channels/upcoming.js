/** Scheduled turns of a channel, with a countdown. */
import { call } from '../base/api.js'
import { html, useEffect, useRef, useState } from '../base/html.js'
import { useNewest } from '../base/newest.js'
import { useSeconds } from '../base/seconds.js'
import { reasonIn, say } from '../base/words.js'

/** @typedef {import('../../channels/views.ts').UpcomingView} Turn */

/** Milliseconds between two requests, for turns of other processes. */
const EVERY = 5_000
/** Maximum response time in milliseconds at which the clocks count as equal. */
const JITTER = 1_500

/**
 * @param {{ conversation: string, happened: number, onNotice: (text: string) => void }} props `happened`: changes when the
 * data must
 * be read again
 */
export function Upcoming({ conversation, happened, onNotice }) {
  const [turns, setTurns] = useState(/** @type {readonly Turn[] | undefined} */ (undefined))
  /** How far the clock of the bot is ahead of that of the browser. */
  const [ahead, setAhead] = useState(0)
  const heading = useRef(/** @type {HTMLElement | null} */ (null))
  const now = useSeconds(() => turns !== undefined && turns.length > 0) + ahead
  const failed = (/** @type {Error} */ error) => onNotice(say('failed', { why: error.message }))
  const { hear, outdate } = useNewest()
  /** @param {{ now: string, upcoming: readonly Turn[] }} answer */
  function heard(answer) {
    const next = new Date(answer.now).getTime() - Date.now()
    setAhead(had => (Math.abs(had - next) > JITTER ? next : had))
    setTurns(answer.upcoming)
  }
  const read = () => hear(call('channel/upcoming', { query: { conversation } }), heard, failed)
  useEffect(() => {
    void read()
    const timer = setInterval(read, EVERY)
    return () => clearInterval(timer)
  }, [conversation, happened])

  /** @param {string} where @param {'cancel' | 'run now'} order */
  const order = (where, order) =>
    call('channel/upcoming', { method: 'POST', body: { conversation: where, order } }).then(() => {
      onNotice(say(order === 'cancel' ? 'answerCancelled' : 'answerRuns'))
      // An earlier request still contains it.
      outdate()
      setTurns(had => had?.filter(one => one.conversation !== where))
      // The pressed button is gone.
      heading.current?.focus()
      return read()
    }, failed)

  if (!turns) return null
  const answers = turns.filter(({ answer }) => answer).length
  return html`<h2 ref=${heading} tabindex="-1">${say('upcoming')}</h2>
    <p class=${turns.length === 0 ? 'faint' : 'hidden'} role="status">
      ${turns.length === 0 ? say('nothingWaits') : say('waitsInAll', { answers, judgements: turns.length - answers })}
    </p>
    <ul class="upcoming">
      ${turns.map(turn => html`<${Waiting} key=${`${turn.conversation} ${turn.answer ? 'answer' : 'judgement'}`} turn=${turn} now=${now} onOrder=${order} />`)}
    </ul>`
}

/** @param {{ turn: Turn, now: number, onOrder: (where: string, order: 'cancel' | 'run now') => void }} props */
function Waiting({ turn: { conversation, opening, at, messages, answer }, now, onOrder }) {
  const left = Math.ceil((new Date(at).getTime() - now) / 1_000)
  return html`<li>
    <span class="countdown" role="timer">${left > 0 ? countdown(left) : say('rightNow')}</span>
    <div>
      <p><b>${answer ? say(answer.kind === 'react' ? 'react1' : answer.kind) : say('willJudge', { n: messages })}</b></p>
      <p class="faint notes">
        ${[answer ? reasonIn(answer.why) : say('whenQuiet'), opening && say('inThread', { text: opening })].filter(Boolean).join(' · ')}
      </p>
    </div>
    ${
      answer &&
      html`<p class="orders">
        <button class="plain" onClick=${() => onOrder(conversation, 'run now')}>${say('runNow')}</button>
        <button class="plain danger" onClick=${() => onOrder(conversation, 'cancel')}>${say('cancelAnswer')}</button>
      </p>`
    }
  </li>`
}

/** `1:05`, `2:00:09`. @param {number} seconds */
function countdown(seconds) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}
