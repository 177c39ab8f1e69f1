/** The stages of a turn: which ran, how long, errors, and how far it came. */
import { durationOf, numberOf } from '../base/format.js'
import { html } from '../base/html.js'
import { say } from '../base/words.js'
import { stages } from '../site.js'

const NAMES = /** @type {const} */ ({
  filter: 'stageFilter',
  onDropped: 'stageDropped',
  address: 'stageAddress',
  score: 'stageScore',
  decide: 'stageDecide',
  context: 'stageContext',
  respond: 'stageRespond',
  beforeSend: 'stageBeforeSend',
  deliver: 'stageSend',
  after: 'stageAfter',
})

/** @param {string} stage @returns {stage is keyof typeof NAMES} */
const isNamed = stage => Object.hasOwn(NAMES, stage)

/** The name of a stage; an unknown stage keeps its own name. @param {string} stage */
export function stageName(stage) {
  return isNamed(stage) ? say(NAMES[stage]) : stage
}

/** @param {{ trace: import('../../history/views.ts').TurnView['trace'] }} props */
export function Stages({ trace: { ms, problems, sent, outcome } }) {
  const failed = new Set(problems.map(({ stage }) => stage))
  return html`<ol class="stages" aria-label=${say('stages')}>
    <li class="ran"><b>${stageName('filter')}</b> <span>${say('passed')}</span></li>
    ${stages.map(stage => {
      const spent = ms[stage]
      return html`<li key=${stage} class=${failed.has(stage) ? 'broke' : spent === undefined ? '' : 'ran'}>
        <b>${stageName(stage)}</b>${' '}
        <span>${spent === undefined ? say('notAsked') : durationOf(spent)}${failed.has(stage) && ` · ${say('hasFailed')}`}</span>
      </li>`
    })}
    <li class=${sent.length > 0 || outcome === 'replied' ? 'ran' : ''}>
      <b>${stageName('deliver')}</b>${' '}
      <span>${sent.length > 0 ? say('sentParts', { n: numberOf(sent.length) }) : say(outcome === 'replied' ? 'reactedWith' : 'nothing')}</span>
    </li>
  </ol>`
}
