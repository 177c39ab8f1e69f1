/** Forms of the own account. */
import { call } from '../base/api.js'
import { html, useRef, useState } from '../base/html.js'
import { say } from '../base/words.js'

/** @typedef {import('../../access/views.ts').EnrolmentView} Enrolment */

/** @param {{ isSet: boolean, onChange: () => void }} props */
export function SecondFactor({ isSet, onChange }) {
  const [enrolment, setEnrolment] = useState(/** @type {Enrolment | undefined} */ (undefined))
  const [recovery, setRecovery] = useState(/** @type {readonly string[]} */ ([]))
  const [isRemoving, setRemoving] = useState(false)
  const [problem, setProblem] = useState('')
  const failed = (/** @type {Error} */ error) => setProblem(error.message)

  if (recovery.length > 0) {
    return html`<div class="card">
      <p>${say('recoveryText')}</p>
      <ul class="codes">${recovery.map(code => html`<li key=${code}><code>${code}</code></li>`)}</ul>
      <button class="strong" type="button" onClick=${() => {
        setRecovery([])
        onChange()
      }}>${say('done')}</button>
    </div>`
  }
  if (enrolment) {
    const confirm = (/** @type {string} */ code) =>
      call('access/second-factor', { method: 'PUT', body: { code } }).then(answer => {
        setEnrolment(undefined)
        setRecovery(answer.recovery)
      }, failed)
    const { secret, qr } = enrolment
    return html`<div class="card">
      <p>${say('scan')}</p>
      <svg class="qr" viewBox=${`0 0 ${qr.size} ${qr.size}`} role="img" aria-label=${enrolment.uri}><path d=${qr.path} /></svg>
      <p>${say('secret')}: <code>${secret.replaceAll(/.{4}/g, '$& ')}</code></p>
      <${CodeForm} action=${say('confirm')} problem=${problem} onCode=${confirm} />
    </div>`
  }
  if (isRemoving) {
    const remove = (/** @type {string} */ code) =>
      call('access/second-factor/remove', { method: 'POST', body: { code } }).then(() => {
        setRemoving(false)
        onChange()
      }, failed)
    return html`<div class="card"><${CodeForm} action=${say('removeIt')} problem=${problem} onCode=${remove} /></div>`
  }
  const begin = () => call('access/second-factor', { method: 'POST' }).then(setEnrolment, failed)
  return html`<p class="fields">
    <span>${say(isSet ? 'secondFactorSet' : 'secondFactorNone')} ${problem && html`<span class="danger" role="alert">${problem}</span>`}</span>
    <button class="plain" type="button" onClick=${isSet ? () => setRemoving(true) : begin}>${say(isSet ? 'removeIt' : 'setUp')}</button>
  </p>`
}

/** @param {{ action: string, problem: string, onCode: (code: string) => void }} props */
function CodeForm({ action, problem, onCode }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null))
  return html`<form class="fields" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault()
    onCode(field.current?.value ?? '')
  }}>
    <label>${say('code')} <input ref=${field} inputmode="numeric" autocomplete="one-time-code" required maxlength="40" /></label>
    <button class="strong" type="submit">${action}</button>
    <span class="danger" role="alert">${problem}</span>
  </form>`
}

/** @param {{ account: string, onDone: () => void }} props */
export function Password({ account, onDone }) {
  const [problem, setProblem] = useState('')
  const form = useRef(/** @type {HTMLFormElement | null} */ (null))
  if (account === 'owner') return html`<p>${say('passwordOption')}</p>`
  return html`<form ref=${form} class="fields" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault()
    const { current, next } = Object.fromEntries(new FormData(form.current ?? undefined))
    call('access/password', { method: 'PUT', body: { password: current, next } }).then(
      () => {
        onDone()
        // Its sessions have ended: the next answer leads to the login.
        call('access').catch(() => {})
      },
      error => setProblem(error.message),
    )
  }}>
    <label>${say('currentPassword')} <input name="current" type="password" autocomplete="current-password" required /></label>
    <label>${say('newPassword')} <input name="next" type="password" autocomplete="new-password" minlength="12" required placeholder=${say('passwordHint')} /></label>
    <button class="plain" type="submit">${say('changePassword')}</button>
    <span class="danger" role="alert">${problem}</span>
  </form>`
}
