import { call, Refused } from '../base/api.js'
import { html, useRef, useState } from '../base/html.js'
import { say } from '../base/words.js'

/** @param {{ onDone: () => void }} props */
export function Login({ onDone }) {
  const form = useRef(/** @type {HTMLFormElement | null} */ (null))
  const field = useRef(/** @type {HTMLInputElement | null} */ (null))
  const [problem, setProblem] = useState('')
  const [needsCode, setNeedsCode] = useState(false)
  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault()
    const body = Object.fromEntries(new FormData(form.current ?? undefined))
    try {
      await call('login', { method: 'POST', body })
      onDone()
    } catch (error) {
      const { status, answer } = error instanceof Refused ? error : { status: 0, answer: {} }
      if (answer.code) setNeedsCode(true)
      const told = answer.code ? 'codeMissing' : status === 429 ? 'tooOften' : needsCode ? 'wrongCode' : 'wrongPassword'
      setProblem(status === 401 || status === 429 ? say(told) : say('failed', { why: String(error) }))
      if (!answer.code) field.current?.select()
    }
  }
  return html`<main class="alone">
    <h1>${say('loginTitle')}</h1>
    <p>${say('loginText')}</p>
    <form ref=${form} onSubmit=${submit}>
      <label for="account">${say('accountName')}</label>
      <input id="account" name="account" autocomplete="username" maxlength="64" defaultValue="owner" required />
      <label for="password">${say('password')}</label>
      <input ref=${field} id="password" name="password" type="password" autocomplete="current-password" required aria-describedby="problem" />
      ${
        needsCode &&
        html`<label for="code">${say('code')}</label>
          <input ref=${focus} id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="40" required aria-describedby="problem" />`
      }
      <p id="problem" class="danger" role="alert">${problem}</p>
      <button class="strong" type="submit">${say('logIn')}</button>
    </form>
  </main>`
}

/** @param {HTMLInputElement | null} field */
function focus(field) {
  field?.focus()
}
