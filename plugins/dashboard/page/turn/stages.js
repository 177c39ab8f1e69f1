/** The stages of a turn: which ran, how long, errors, and how far it came. */
import { durationOf, numberOf } from '../base/format.js'
import { html } from '../base/html.js'
import { isWord, say } from '../base/words.js'
import { stages } from '../site.js'

/** The stages that a trace has times of: from the first one that sees the turn to the last one before the trace is stored. */
const TIMED = stages.slice(stages.indexOf('score'), stages.indexOf('after'))

/** The name of a stage; an unknown stage keeps its own name. @param {string} stage */
export function stageName(stage) {
  const word = `stage${stage.charAt(0).toUpperCase()}${stage.slice(1)}`
  return isWord(word) ? say(word) : stage
}

/** @param {{ trace: import('../../history/views.ts').TurnView['trace'] }} props */
export function Stages({ trace: { ms, problems, sent, outcome } }) {
  const failed = new Set(problems.map(({ stage }) => stage))
  return html`<ol class="stages" aria-label=${say('stages')}>
    <li class="ran"><b>${stageName('filter')}</b> <span>${say('passed')}</span></li>
    ${TIMED.map(stage => {
      const spent = ms[stage]
      return html`<li key=${stage} class=${failed.has(stage) ? 'broke' : spent === undefined ? '' : 'ran'}>
        <b>${stageName(stage)}</b>${' '}
        <span>${spent === undefined ? say('notAsked') : durationOf(spent)}${failed.has(stage) && ` · ${say('hasFailed')}`}</span>
      </li>`
    })}
    <li class=${sent.length > 0 || outcome === 'replied' ? 'ran' : ''}>
      <b>${say('sending')}</b>${' '}
      <span>${sent.length > 0 ? say('sentParts', { n: numberOf(sent.length) }) : say(outcome === 'replied' ? 'reactedWith' : 'nothing')}</span>
    </li>
  </ol>`
}
