/** The accounts, for an owner. */
import { call } from '../base/api.js'
import { html, useRef } from '../base/html.js'
import { say } from '../base/words.js'
import { Confirm } from '../parts/confirm.js'
import { roleName } from './role-name.js'

/** @typedef {import('../../access/views.ts').AccountView} Account */

const ROLES = /** @type {const} */ (['viewer', 'moderator', 'owner'])
const TEXTS = /** @type {const} */ ({ viewer: 'roleViewerText', moderator: 'roleModeratorText', owner: 'roleOwnerText' })

/** @param {{ accounts: readonly Account[], onChange: () => void, onFailed: (error: Error) => void }} props */
export function Accounts({ accounts, onChange, onFailed }) {
  const form = useRef(/** @type {HTMLFormElement | null} */ (null))
  /** @param {string} path @param {string} method @param {unknown} [body] */
  const send = (path, method, body) => call(`access/accounts${path}`, { method, body }).then(onChange, onFailed)
  const at = (/** @type {string} */ name) => `/${encodeURIComponent(name)}`
  return html`
    <h2>${say('accounts')}</h2>
    <ul class="sections">
      ${accounts.map(
        ({ name, role, secondFactor }) => html`<li key=${name}>
          <span><b>${name}</b> ${secondFactor && html`<span class="faint">${say('secondFactor')}</span>`}</span>
          ${
            name === 'owner'
              ? html`<span class="faint">${roleName(role)}</span>`
              : html`<span class="fields">
                  <select aria-label=${`${say('role')}: ${name}`} onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget }) => send(at(name), 'PATCH', { role: currentTarget.value })}>
                    ${ROLES.map(one => html`<option key=${one} value=${one} selected=${one === role}>${roleName(one)}</option>`)}
                  </select>
                  <${Confirm} ask=${say('remove')} sure=${say('sureRemove', { name })} label=${say('sureRemove', { name })} danger onSure=${() => send(at(name), 'DELETE')} />
                </span>`
          }
        </li>`,
      )}
    </ul>
    <h3>${say('addAccount')}</h3>
    <form ref=${form} class="fields" onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault()
      const body = Object.fromEntries(new FormData(form.current ?? undefined))
      call('access/accounts', { method: 'POST', body }).then(() => {
        form.current?.reset()
        onChange()
      }, onFailed)
    }}>
      <label>${say('personName')} <input name="name" required maxlength="64" autocomplete="off" /></label>
      <label>${say('newPassword')} <input name="password" type="password" minlength="12" required autocomplete="new-password" placeholder=${say('passwordHint')} /></label>
      <label>${say('role')}
        <select name="role">${ROLES.map(one => html`<option key=${one} value=${one}>${roleName(one)}</option>`)}</select>
      </label>
      <button class="strong" type="submit">${say('add')}</button>
    </form>
    <dl class="roles">${ROLES.map(one => html`<div key=${one}><dt>${roleName(one)}</dt><dd class="faint">${say(TEXTS[one])}</dd></div>`)}</dl>
  `
}
