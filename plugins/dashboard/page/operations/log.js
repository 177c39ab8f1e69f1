/** The latest lines of the log, newest first, and new ones as they come. */
import { call } from '../base/api.js'
import { listenTo } from '../base/events.js'
import { fullTime } from '../base/format.js'
import { html, useEffect, useState } from '../base/html.js'
import { useNewest } from '../base/newest.js'
import { say } from '../base/words.js'
import { Failed } from '../parts/failed.js'

/** @typedef {import('../../history/views.ts').LogLineView} Line */

const LEVELS = /** @type {const} */ (['info', 'warn', 'error'])
/** Lines that stay on the page. */
const KEPT = 1_500

export function Log() {
  const [lines, setLines] = useState(/** @type {readonly Line[] | undefined} */ (undefined))
  const [least, setLeast] = useState(/** @type {typeof LEVELS[number]} */ ('info'))
  const [text, setText] = useState('')
  const [why, setWhy] = useState('')
  const { hear } = useNewest()
  const read = () =>
    hear(
      call('operations/log'),
      answer => {
        setWhy('')
        setLines(answer.lines)
      },
      error => setWhy(error.message),
    )
  useEffect(
    () =>
      listenTo(event => {
        // After a lost connection, or a restart of the bot, lines are missing.
        if (event.type === 'open') void read()
        if (event.type === 'log') setLines(had => joined(had ?? [], event.lines))
      }),
    [],
  )
  useEffect(() => void read(), [])

  const wanted = LEVELS.slice(LEVELS.indexOf(least))
  const part = text.toLowerCase()
  const shown = (lines ?? [])
    .filter(line => wanted.includes(line.level) && textOf(line).toLowerCase().includes(part))
    .toReversed()
  return html`<div class="log-filters">
      <div class="segments" role="group" aria-label=${say('logLevel')}>
        ${LEVELS.map(one => html`<button key=${one} type="button" aria-pressed=${one === least} onClick=${() => setLeast(one)}>${say(`level_${one}`)}</button>`)}
      </div>
      <label><span class="hidden">${say('searchLog')}</span>
        <input type="search" maxlength="200" placeholder=${say('searchLog')} onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => setText(currentTarget.value)} />
      </label>
    </div>
    <p class="faint">${say('logText')}</p>
    ${why && html`<${Failed} why=${why} onRetry=${read} />`}
    ${lines && shown.length === 0 && html`<p class="faint">${say('logEmpty')}</p>`}
    <ol class="log-lines" aria-label=${say('ops_log')} aria-busy=${lines === undefined}>
      ${shown.map(
        line => html`<li key=${line.number} class=${line.level}>
          <time datetime=${line.at}>${fullTime(line.at)}</time>
          <b>${line.level}</b>
          <span>${line.plugin && html`<span class="faint">[${line.plugin}]</span> `}<bdi>${line.message}</bdi>${line.fields && html` <code>${line.fields}</code>`}</span>
        </li>`,
      )}
    </ol>`
}

/** @param {readonly Line[]} had @param {readonly Line[]} more */
function joined(had, more) {
  const known = new Set(had.map(({ number }) => number))
  return [...had, ...more.filter(({ number }) => !known.has(number))].slice(-KEPT)
}

/** @param {Line} line */
function textOf({ plugin = '', message, fields = '' }) {
  return `${plugin} ${message} ${fields}`
}
