import { call, Refused } from '../base/api.js'
import { html, useRef, useState } from '../base/html.js'
import { say } from '../base/words.js'

/** @param {{ onDone: () => void }} props */
export function Login({ onDone }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null))
  const [problem, setProblem] = useState('')
  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault()
    try {
      await call('login', { method: 'POST', body: { password: field.current?.value ?? '' } })
      onDone()
    } catch (error) {
      const status = error instanceof Refused ? error.status : 0
      setProblem(status === 401 ? say('wrongPassword') : status === 429 ? say('tooOften') : say('failed', { why: String(error) }))
      field.current?.select()
    }
  }
  return html`<main class="alone">
    <h1>${say('loginTitle')}</h1>
    <p>${say('loginText')}</p>
    <form onSubmit=${submit}>
      <label for="password">${say('password')}</label>
      <input ref=${field} id="password" type="password" autocomplete="current-password" required aria-describedby="problem" />
      <p id="problem" class="danger" role="alert">${problem}</p>
      <button class="strong" type="submit">${say('logIn')}</button>
    </form>
  </main>`
}
