/** The terms of a score: summands and factors. */
import { numberOf } from '../base/format.js'
import { html } from '../base/html.js'
import { say } from '../base/words.js'

/** @typedef {NonNullable<import('../../memory/views.ts').FactView['parts']>} Parts */

/** Maximum of a leg. */
const MOST = 1

/** Without the leg that only messages have. @type {readonly (readonly [keyof Parts, import('../base/words.js').Word])[]} */
const LEGS = [
  ['bm25', 'legBm25'],
  ['pairs', 'legPairs'],
  ['jaccard', 'legJaccard'],
  ['vector', 'legVector'],
  ['surroundings', 'legSurroundings'],
  ['sitting', 'legSitting'],
  ['sources', 'legSources'],
  ['rerank', 'legRerank'],
]

/** @type {readonly (readonly [keyof Parts, import('../base/words.js').Word])[]} */
const FACTORS = [
  ['time', 'factorTime'],
  ['confidence', 'factorConfidence'],
  ['person', 'factorPerson'],
  ['answer', 'factorAnswer'],
]

/** @param {{ parts: Parts, score: number }} props */
export function ScoreParts({ parts, score }) {
  return html`<ul class="score">
    ${LEGS.map(
      ([part, word]) =>
        parts[part] > 0 &&
        html`<li key=${part}>
          <span class="part-why">${say(word)}</span>
          <span class="part-points">+${exact(parts[part])}</span>
          <span class="bar" aria-hidden="true"><i style=${{ width: `${(100 * parts[part]) / MOST}%` }}></i></span>
        </li>`,
    )}
    ${FACTORS.map(
      ([part, word]) =>
        parts[part] !== 1 &&
        html`<li key=${part}><span class="part-why">${say(word)}</span><span class="part-points">×${exact(parts[part])}</span></li>`,
    )}
    <li class="total"><span class="part-why">${say('score')}</span><span class="part-points">${exact(score)}</span></li>
  </ul>`
}

/** @param {number} value */
export function exact(value) {
  return numberOf(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
}
