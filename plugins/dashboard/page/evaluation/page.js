/** The evaluation set: rated turns, and runs of them with a changed bot. */
import { call } from '../base/api.js'
import { fullTime, placeName } from '../base/format.js'
import { html, useEffect, useState } from '../base/html.js'
import { say } from '../base/words.js'
import { Failed } from '../parts/failed.js'
import { Run } from './run.js'

/** @typedef {import('../../evaluation/views.ts').ListedRating} Rating */

export function Page() {
  const [ratings, setRatings] = useState(/** @type {readonly Rating[] | undefined} */ (undefined))
  const [why, setWhy] = useState('')
  function read() {
    setWhy('')
    call('ratings').then(
      answer => setRatings(answer.ratings),
      error => setWhy(error.message),
    )
  }
  useEffect(read, [])
  const texts = new Map(ratings?.flatMap(({ turn, text }) => (text === undefined ? [] : [[turn, text]])))
  return html`<section class="sheet evaluation">
    <header class="lead"><h1>${say('evaluation')}</h1><p>${say('evaluationIntro')}</p></header>
    ${why && html`<${Failed} why=${why} onRetry=${read} />`}
    ${ratings?.length === 0 && html`<div class="empty"><h2>${say('ratingsEmptyTitle')}</h2><p>${say('ratingsEmptyText')} <a href="#/turns">${say('turns')}</a></p></div>`}
    ${
      ratings &&
      ratings.length > 0 &&
      html`<${Run} texts=${texts} />
        <h2>${say('ratedTurns', { n: ratings.length })}</h2>
        <ul class="rated">
          ${ratings.map(
            ({ turn, good, speaks, comment, text, place, by, at }) => html`<li key=${turn}>
              <p class="text"><span role="img" aria-label=${say(good ? 'thumbUp' : 'thumbDown')}>${good ? '👍' : '👎'}</span> <a href=${`#/turns/${encodeURIComponent(turn)}`}>${text ?? say('notKept')}</a></p>
              <p class="faint">${[placeName(place), say(speaks ? 'expectsWords' : 'expectsSilence'), by, fullTime(at)].filter(Boolean).join(' · ')}</p>
              ${comment && html`<p class="text" dir="auto">${comment}</p>`}
            </li>`,
          )}
        </ul>`
    }
  </section>`
}
