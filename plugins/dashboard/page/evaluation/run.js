/** Takes turns again with a changed bot: the form, its run, and the result. */
import { call } from '../base/api.js'
import { numberOf } from '../base/format.js'
import { html, useEffect, useRef, useState } from '../base/html.js'
import { stream } from '../base/stream.js'
import { say } from '../base/words.js'
import { Result } from './result.js'

/** @typedef {import('../../evaluation/views.ts').EvaluationView} Evaluation */

/** Tokens of a run, if nothing else is given. */
const TOKENS = { one: 50_000, all: 500_000 }

/**
 * @param {{ turns: readonly string[] | undefined, isSet?: boolean, texts: ReadonlyMap<string, string> }} props `turns`: undefined, all
 * rated turns; `isSet`: they are rated; `texts`: what a turn answers, by its id
 */
export function Run({ turns, isSet = false, texts }) {
  const [models, setModels] = useState(/** @type {readonly string[] | undefined} */ (undefined))
  const [problem, setProblem] = useState('')
  const [share, setShare] = useState(/** @type {number | undefined} */ (undefined))
  const [done, setDone] = useState(/** @type {Evaluation | undefined} */ (undefined))
  const running = useRef(/** @type {AbortController | undefined} */ (undefined))
  useEffect(() => {
    call('evaluation').then(
      answer => setModels(answer.models),
      error => setProblem(error.message),
    )
    return () => running.current?.abort()
  }, [])

  /** @param {FormData} form */
  async function run(form) {
    const leaving = new AbortController()
    running.current = leaving
    setProblem('')
    setShare(0)
    const text = (/** @type {string} */ name) => String(form.get(name) ?? '').trim()
    const threshold = text('threshold')
    const change = {
      ...(text('persona') && { persona: text('persona') }),
      ...(text('model') && { model: text('model') }),
      ...(threshold && { settings: { 'judge-rules': { threshold: Number(threshold) } } }),
      memory: form.get('memory') !== null,
    }
    try {
      const body = { ...(turns !== undefined && { turns }), change, budget: Number(text('budget')) }
      setDone((await stream('evaluation', body, { signal: leaving.signal, onShare: setShare })).evaluation)
    } catch (error) {
      if (!leaving.signal.aborted) setProblem(String(error instanceof Error ? error.message : error))
    } finally {
      setShare(undefined)
    }
  }

  /** @param {Event} event */
  function cancel(event) {
    if (share === undefined) return
    // The button becomes the button of a run before the click ends, and would start again.
    event.preventDefault()
    running.current?.abort()
  }

  return html`<form class="again" onSubmit=${(/** @type {SubmitEvent & { currentTarget: HTMLFormElement }} */ event) => {
    event.preventDefault()
    if (share === undefined) void run(new FormData(event.currentTarget))
  }}>
      <label class="whole"><span class="label">${say('otherPersona')}</span><textarea name="persona" rows="3" maxlength="10000" placeholder=${say('asToday')}></textarea></label>
      <label><span class="label">${say('otherModel')}</span>
        <select name="model"><option value="">${say('asToday')}</option>${models?.map(name => html`<option key=${name} value=${name}>${name}</option>`)}</select>
      </label>
      <label><span class="label">${say('otherThreshold')}</span><input name="threshold" type="number" min="0" max="100" step="any" placeholder=${say('asToday')} /></label>
      <label><span class="label">${say('mostTokens')}</span><input name="budget" type="number" min="1" max="100000000" step="1" required value=${isSet ? TOKENS.all : TOKENS.one} /></label>
      <label class="check whole"><input name="memory" type="checkbox" checked /> <span>${say('withMemory')}</span></label>
      <div class="whole">
        <button class=${share === undefined ? 'strong' : 'plain'} type=${share === undefined ? 'submit' : 'button'} onClick=${cancel}>${say(share !== undefined ? 'cancel' : isSet ? 'runSet' : 'takeAgain')}</button>
        ${
          share !== undefined &&
          html` <progress max="1" value=${share} aria-label=${say('takingAgain')}></progress>
            <span class="faint notes">${numberOf(share, { style: 'percent', maximumFractionDigits: 0 })}</span>`
        }
      </div>
      ${problem && html`<p class="danger whole" role="alert">${problem}</p>`}
    </form>
    <p class="hidden" role="status">${share !== undefined ? say('takingAgain') : done ? say('takenAgain') : ''}</p>
    ${done && html`<${Result} evaluation=${done} texts=${texts} isSet=${isSet} />`}`
}
