/** A thumb for a turn, with what the bot should have done. */
import { call } from '../base/api.js'
import { html, useEffect, useState } from '../base/html.js'
import { say } from '../base/words.js'

/** @typedef {import('../../evaluation/views.ts').RatingView} Rating */

/** @param {{ turn: string, spoke: boolean }} props */
export function Rate({ turn, spoke }) {
  const [rating, setRating] = useState(/** @type {Rating | undefined} */ (undefined))
  const [good, setGood] = useState(/** @type {boolean | undefined} */ (undefined))
  const [told, setTold] = useState('')
  const [problem, setProblem] = useState('')
  const path = `ratings/${encodeURIComponent(turn)}`
  const fail = (/** @type {Error} */ error) => setProblem(error.message)
  useEffect(() => {
    call(path).then(answer => {
      setRating(answer.rating)
      setGood(answer.rating?.good)
    }, fail)
  }, [turn])

  /** @param {FormData} form */
  async function save(form) {
    const words = (/** @type {string} */ name) =>
      String(form.get(name))
        .split('\n')
        .map(word => word.trim())
        .filter(Boolean)
    const speaks = form.get('speaks') === 'true'
    const body = {
      good,
      speaks,
      contains: words('wantedWords'),
      forbids: words('unwantedWords'),
      comment: String(form.get('comment')),
    }
    setProblem('')
    await call(path, { method: 'PUT', body }).then(answer => {
      setRating(answer.rating)
      setTold(say('ratingSaved'))
    }, fail)
  }

  async function remove() {
    setProblem('')
    // The button is removed, so the focus moves.
    document.getElementById('thumb-true')?.focus({ preventScroll: true })
    await call(path, { method: 'DELETE' }).then(() => {
      setRating(undefined)
      setGood(undefined)
      setTold(say('ratingDeleted'))
    }, fail)
  }

  const thumb = (/** @type {boolean} */ is, /** @type {string} */ sign, /** @type {'thumbUp' | 'thumbDown'} */ word) =>
    html`<button type="button" id=${`thumb-${is}`} aria-pressed=${good === is} onClick=${() => setGood(is)}><span aria-hidden="true">${sign}</span> ${say(word)}</button>`
  // A good turn should stay as it was, and a bad one usually not.
  const speaks = rating?.good === good ? rating?.speaks : good ? spoke : !spoke
  return html`<h2>${say('rating')}</h2>
    <div class="segments" role="group" aria-label=${say('rating')}>${thumb(true, '👍', 'thumbUp')}${thumb(false, '👎', 'thumbDown')}</div>
    ${
      good !== undefined &&
      html`<form class="again" key=${`${good} ${rating?.at ?? ''}`} onSubmit=${(
        /** @type {SubmitEvent & { currentTarget: HTMLFormElement }} */ event,
      ) => {
        event.preventDefault()
        void save(new FormData(event.currentTarget))
      }}>
        <label><span class="label">${say('shouldHave')}</span>
          <select name="speaks">
            <option value="true" selected=${speaks}>${say('toSpeak')}</option>
            <option value="false" selected=${!speaks}>${say('toStaySilent')}</option>
          </select>
        </label>
        <label><span class="label">${say('containsWord')}</span><textarea name="wantedWords" rows="2" placeholder=${say('onePerLine')} value=${rating?.contains.join('\n') ?? ''}></textarea></label>
        <label><span class="label">${say('forbidsWord')}</span><textarea name="unwantedWords" rows="2" placeholder=${say('onePerLine')} value=${rating?.forbids.join('\n') ?? ''}></textarea></label>
        <label class="whole"><span class="label">${say('comment')}</span><textarea name="comment" rows="2" maxlength="1000" value=${rating?.comment ?? ''}></textarea></label>
        <div class="whole"><button class="strong" type="submit">${say('saveRating')}</button> ${rating && html`<button class="plain" type="button" onClick=${remove}>${say('deleteRating')}</button>`}</div>
      </form>`
    }
    <p class="faint" role="status">${told}</p>
    ${problem && html`<p class="danger" role="alert">${say('failed', { why: problem })}</p>`}`
}
