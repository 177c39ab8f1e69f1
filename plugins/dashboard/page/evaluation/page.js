/** The evaluation set: rated turns, and runs of them with a changed bot. */
import { call } from '../base/api.js'
import { placeName, timeOf } from '../base/format.js'
import { html, useEffect, useState } from '../base/html.js'
import { say } from '../base/words.js'
import { Failed } from '../parts/failed.js'
import { Run } from './run.js'

/** @typedef {import('../../evaluation/views.ts').ListedRating} Rating */

/** Turns of a run, as the latest bad answers. */
const WORST = 10
/** More are refused. */
const MOST = 500

/** The rated turns that a run takes, latest first. */
const SETS = /** @type {const} */ ({
  setAll: undefined,
  setBad: (/** @type {readonly Rating[]} */ bad) => bad.slice(0, MOST),
  setWorst: (/** @type {readonly Rating[]} */ bad) => bad.slice(0, WORST),
})

export function Page() {
  const [ratings, setRatings] = useState(/** @type {readonly Rating[] | undefined} */ (undefined))
  const [why, setWhy] = useState('')
  const [set, setSet] = useState(/** @type {keyof typeof SETS} */ ('setAll'))
  function read() {
    setWhy('')
    call('ratings').then(
      answer => setRatings(answer.ratings),
      error => setWhy(error.message),
    )
  }
  useEffect(read, [])
  const texts = new Map(ratings?.flatMap(({ turn, text }) => (text === undefined ? [] : [[turn, text]])))
  const bad = ratings?.filter(({ good }) => !good) ?? []
  const turns = SETS[set]?.(bad).map(({ turn }) => turn)
  /** @type {readonly [keyof typeof SETS, number][]} */
  const sets = [
    ['setAll', ratings?.length ?? 0],
    ['setBad', bad.length],
    ['setWorst', WORST],
  ]
  return html`<section class="sheet evaluation">
    <header class="lead"><h1>${say('evaluation')}</h1><p>${say('evaluationIntro')}</p></header>
    ${why && html`<${Failed} why=${why} onRetry=${read} />`}
    ${ratings?.length === 0 && html`<div class="empty"><h2>${say('ratingsEmptyTitle')}</h2><p>${say('ratingsEmptyText')} <a href="#/turns">${say('turns')}</a></p></div>`}
    ${
      ratings &&
      ratings.length > 0 &&
      html`${
        bad.length > 0 &&
        html`<div class="segments" role="group" aria-label=${say('setOfTurns')}>
          ${sets.map(([name, n]) => html`<button key=${name} type="button" aria-pressed=${name === set} onClick=${() => setSet(name)}>${say(name, { n })}</button>`)}
        </div>`
      }
        <${Run} turns=${turns} isSet texts=${texts} />
        <h2>${say('ratedTurns', { n: ratings.length })}</h2>
        <ul class="rated">
          ${ratings.map(
            ({ turn, good, speaks, comment, text, place, by, at }) => html`<li key=${turn}>
              <p class="text"><span role="img" aria-label=${say(good ? 'thumbUp' : 'thumbDown')}>${good ? '👍' : '👎'}</span> <a href=${`#/turns/${encodeURIComponent(turn)}`}>${text ?? say('notKept')}</a></p>
              <p class="faint">${[placeName(place), say(speaks ? 'expectsWords' : 'expectsSilence'), by, timeOf(at)].filter(Boolean).join(' · ')}</p>
              ${comment && html`<p class="text" dir="auto">${comment}</p>`}
            </li>`,
          )}
        </ul>`
    }
  </section>`
}
