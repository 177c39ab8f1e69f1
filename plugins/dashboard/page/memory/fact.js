/** A fact: its text, sources, audience and score, with actions to edit, pin or forget it. */
import { call } from '../base/api.js'
import { useOpener } from '../base/focus.js'
import { fullTime, placeName, shownName, timeOf } from '../base/format.js'
import { html, useEffect, useState } from '../base/html.js'
import { say } from '../base/words.js'
import { Confirm } from '../parts/confirm.js'
import { Meter } from '../turn/verdict.js'
import { addressOf } from '../turns/address.js'
import { FactEditor } from './editor.js'
import { exact, ScoreParts } from './score.js'

/** @typedef {import('../../memory/views.ts').FactView} FactView */

/**
 * @typedef {{
 *   fact: FactView, most: number, onChange: (changed?: FactView) => void, onFailed: (error: Error) => void,
 *   select?: { isSelected: boolean, onSelect: (isSelected: boolean) => void }, note?: string, children?: unknown,
 * }} FactProps `most`: the highest score of this search; `onChange`: without a fact, it was forgotten; `children`: stands below it
 */

/** @param {FactProps} props */
export function Fact(props) {
  const { fact, most, select, note, children } = props
  const { content, kind, pinned, at, until, score } = fact
  const [open, setOpen] = useState(false)
  const notes = [
    sayers(fact).join(', '),
    say('saidIn', { place: whereOf(fact) }),
    say(fact.visibility),
    timeOf(at),
    say(kind),
    pinned && say('pinned'),
    until && say('noLonger'),
    note,
  ].filter(Boolean)
  return html`<li class=${`fact ${open ? 'open' : ''} ${select ? 'selectable' : ''}`}>
    ${
      select &&
      html`<label class="select"><input type="checkbox" checked=${select.isSelected} aria-label=${say('selectFact', { text: content })}
        onChange=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => select.onSelect(currentTarget.checked)} /></label>`
    }
    <button class="fact-row" aria-expanded=${open} onClick=${() => setOpen(!open)}>
      <span class=${until ? 'past' : ''}><bdi>${content}</bdi></span>
      <span class="faint notes">${score !== undefined && html`<${Meter} points=${Math.round((100 * score) / most)} label=${`${say('score')} ${exact(score)}`} />`} ${notes.join(' · ')}</span>
    </button>
    ${open && html`<${Detail} ...${props} />`}
    ${children}
  </li>`
}

/** @param {FactProps} props */
function Detail({ fact, onChange, onFailed }) {
  const { people, confidence, recalled, confirmed, edited, shareable, evidence, parts, score } = fact
  const [editing, setEditing] = useState(false)
  const edit = useOpener(editing)
  const notes = [
    people.length > 0 && say('about', { names: people.map(({ name }) => shownName(name)).join(', ') }),
    say('sure', { n: Math.round(confidence * 100) }),
    evidence !== undefined && say('covers', { n: Math.round(evidence * 100) }),
    recalled > 0 && say(recalled === 1 ? 'recalled1' : 'recalled', { n: recalled }),
    shareable && say('mayBringUp'),
    confirmed && say('confirmedAt', { time: timeOf(confirmed) }),
    edited && say('putRight', { time: timeOf(edited) }),
  ].filter(Boolean)

  if (editing) {
    return html`<${FactEditor} fact=${fact} onFailed=${onFailed} onDone=${(/** @type {FactView | undefined} */ changed) => {
      setEditing(false)
      if (changed) onChange(changed)
    }} />`
  }
  // What arrives later stands below the buttons: above, it would move them away from a click.
  return html`<div class="trace fact-detail">
    <p class="faint">${notes.join(' · ')}</p>
    ${parts && score !== undefined && html`<h3>${say('scoreApart')}</h3><${ScoreParts} parts=${parts} score=${score} />`}
    <h3>${say('whoSaidIt')}</h3>
    <${Sources} fact=${fact} />
    <h3>${say('mayTell')}</h3>
    <p>${say(TELL[fact.visibility], { place: whereOf(fact) })}</p>
    <p class="fact-actions">
      <button ref=${edit} class="plain" onClick=${() => setEditing(true)}>${say('edit')}</button>
      <${Pin} fact=${fact} onChange=${onChange} onFailed=${onFailed} />
      <${Forget} fact=${fact} onForgotten=${() => onChange()} onFailed=${onFailed} />
    </p>
    <${History} fact=${fact} onFailed=${onFailed} />
    <${Uses} fact=${fact} onFailed=${onFailed} />
  </div>`
}

const TELL = /** @type {const} */ ({ public: 'tellPublic', private: 'tellPrivate', direct: 'tellDirect' })

/** @param {FactView} fact */
function whereOf({ platform, channel, visibility }) {
  return placeName({ conversation: '', platform, name: channel, visibility })
}

/** @param {FactView} fact */
function sayers({ sources }) {
  return [...new Set(sources.map(({ author }) => shownName(author.name)))]
}

/** @param {{ fact: FactView }} props */
function Sources({ fact: { sources, content } }) {
  if (sources.length === 0) return html`<p class="faint">${say('nobodyKnown')}</p>`
  return html`<ul class="sources">
    ${sources.map(
      ({ message, author, at, quote }) => html`<li key=${message}>
        <b>${shownName(author.name)}</b> ${at ? html`<time class="faint" datetime=${at}>${fullTime(at)}</time>` : html`<span class="faint">${say('notKept')}</span>`}
        ${quote && quote !== content && html`<p class="quote">${quote}</p>`}
      </li>`,
    )}
  </ul>`
}

/** Facts that it replaced, and that replaced it. @param {{ fact: FactView, onFailed: (error: Error) => void }} props */
function History({ fact: { id, content }, onFailed }) {
  const [history, setHistory] = useState(/** @type {readonly FactView[]} */ ([]))
  useEffect(() => {
    let gone = false
    call(`facts/${id}`).then(answer => gone || setHistory(answer.history), onFailed)
    return () => {
      gone = true
    }
  }, [id, content])
  if (history.length < 2) return null
  return html`<h3>${say('howItChanged')}</h3>
    <ol class="sources">
      ${history.map(
        one => html`<li key=${one.id}>
          <span class=${one.until ? 'past' : ''}>${one.id === id ? html`<b>${one.content}</b>` : one.content}</span>
          <span class="faint"> ${one.until ? say('heldUntil', { time: timeOf(one.until) }) : say('holdsNow')}</span>
        </li>`,
      )}
    </ol>`
}

/** The turns that had it in their prompt. @param {{ fact: FactView, onFailed: (error: Error) => void }} props */
function Uses({ fact: { id }, onFailed }) {
  const [turns, setTurns] = useState(/** @type {readonly import('../../turns/views.ts').TurnLine[] | undefined} */ (undefined))
  useEffect(() => {
    let gone = false
    call(`facts/${id}/uses`).then(answer => gone || setTurns(answer.turns), onFailed)
    return () => {
      gone = true
    }
  }, [id])
  if (!turns) return null
  return html`<h3>${say('usedIn')}</h3>
    ${turns.length === 0 && html`<p class="faint">${say('usedNowhere')}</p>`}
    <ul class="sources">
      ${turns.map(
        ({ turn, at, place, author, text }) => html`<li key=${turn}>
          <a href=${addressOf({}, turn)}><time datetime=${at}>${fullTime(at)}</time> · <bdi>${placeName(place)}</bdi></a>
          ${author !== undefined && html` <bdi>${shownName(author)}</bdi> <bdi class="faint">${text}</bdi>`}
        </li>`,
      )}
    </ul>`
}

/** @param {{ fact: FactView, onChange: (changed: FactView) => void, onFailed: (error: Error) => void }} props */
function Pin({ fact: { id, pinned }, onChange, onFailed }) {
  const pin = () =>
    call(`facts/${id}`, { method: 'PATCH', body: { pinned: !pinned } }).then(answer => onChange(answer.fact), onFailed)
  return html`<button class="plain" onClick=${pin}>${say(pinned ? 'unpin' : 'pin')}</button>`
}

/** @param {{ fact: FactView, onForgotten: () => void, onFailed: (error: Error) => void }} props */
function Forget({ fact: { id, content }, onForgotten, onFailed }) {
  const forget = () => call(`facts/${id}`, { method: 'DELETE' }).then(onForgotten, onFailed)
  return html`<${Confirm} ask=${say('forget')} label=${say('forgetFact', { text: content })} sure=${say('reallyForget')} onSure=${forget} />`
}
