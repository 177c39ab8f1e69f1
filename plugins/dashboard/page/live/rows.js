/** Rows of the live page: turns, and dropped messages. */
import { numberOf, placeName, shownName, timeOf } from '../base/format.js'
import { Component, html } from '../base/html.js'
import { language, reasonIn, say } from '../base/words.js'
import { Trace } from '../turn/trace.js'
import { Meter, outcomeOf, reasonOf, spoke, useNow } from '../turn/verdict.js'

/** @typedef {import('../../history/views.ts').TurnView} Turn */

/** @typedef {{ turn: Turn, open: boolean, onOpen: (turn: string) => void }} RowProps */

/**
 * A row is rendered only if it has changed, because there are hundreds and new ones come all the time. With `useMemo`, each
 * row
 * would keep the whole list of its rendering, and that list the one before: 1 MB a second at 1,000 turns a minute.
 *
 * @extends {Component<RowProps>}
 */
export class TurnRow extends Component {
  drawnIn = language()

  /** @override @param {RowProps} next */
  shouldComponentUpdate({ turn, open }) {
    return turn !== this.props.turn || open !== this.props.open || language() !== this.drawnIn
  }

  /** @override @param {RowProps} props */
  render(props) {
    this.drawnIn = language()
    return html`<${Row} ...${props} />`
  }
}

/** @param {RowProps} props */
function Row({ turn, open, onOpen }) {
  const { trace, place, messages } = turn
  const now = useNow(trace)
  const shown = messages.find(({ id }) => id === trace.trigger) ?? messages.at(-1)
  const others = trace.messages.length - 1
  return html`<li class=${open ? 'turn open' : 'turn'}>
    <button class="row" aria-expanded=${open} onClick=${() => onOpen(trace.turn)}>
      <time datetime=${trace.at}>${timeOf(trace.at)}</time>
      <span class="snippet">
        ${shown && !shown.deleted ? html`<b>${shownName(shown.author.name)}</b> <bdi>${shown.text}</bdi>` : html`<i class="faint">${say('notKept')}</i>`}
        ${others > 0 && html` <span class="faint">${say('andMore', { n: others })}</span>`}
      </span>
      <span class="where">${placeName(place)} · ${place.platform}</span>
      <span class=${spoke(trace) ? 'outcome spoke' : 'outcome'}>
        ${trace.score && html`<${Meter} points=${trace.score.points} />`}
        <span class="kind">${outcomeOf(trace, now)}</span>
        <span class="reason">${reasonOf(trace)}</span>
      </span>
    </button>
    ${open && html`<h2 class="hidden">${say('why')}</h2><${Trace} turn=${turn} />`}
  </li>`
}

/** @param {{ drop: import('../../history/views.ts').DropView }} props */
export function DropLine({ drop: { at, count, plugin, why, place, platform } }) {
  const values = { n: numberOf(count), plugin: plugin ?? '' }
  const told = plugin === undefined ? (count === 1 ? 'unheard1' : 'unheardMany') : count === 1 ? 'droppedOne' : 'droppedMany'
  return html`<li class="drop">
    <time datetime=${at}>${timeOf(at)}</time>
    <span class="drop-why">${say(told, values)}${say('colon')}${reasonIn(why)}</span>
    <span class="where">${place ? `${placeName(place)} · ${platform}` : `${say('aloneThere')} · ${platform}`}</span>
  </li>`
}
