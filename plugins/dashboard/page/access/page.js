/** The own account, all accounts and sessions, and what was changed. */
import { call } from '../base/api.js'
import { html, useEffect, useState } from '../base/html.js'
import { say } from '../base/words.js'
import { Failed } from '../parts/failed.js'
import { Accounts } from './accounts.js'
import { Changes } from './changes.js'
import { Password, SecondFactor } from './own.js'
import { roleName } from './role-name.js'
import { Sessions } from './sessions.js'

/** @typedef {import('../../access/views.ts').AccessView} Access */

/** @param {{ title: string, onNotice: (text: string) => void, onLeave: (everywhere: boolean) => void }} props */
export function Page({ title, onNotice, onLeave }) {
  const [access, setAccess] = useState(/** @type {Access | undefined} */ (undefined))
  const [why, setWhy] = useState('')
  const [version, setVersion] = useState(0)
  const read = () =>
    call('access').then(
      next => {
        setAccess(next)
        setVersion(before => before + 1)
      },
      error => setWhy(error.message),
    )
  useEffect(() => void read(), [])
  const failed = (/** @type {Error} */ error) => onNotice(say('failed', { why: error.message }))
  return html`<section class="sheet access">
    <header class="lead"><h1>${title}</h1></header>
    ${why && html`<${Failed} why=${why} onRetry=${() => location.reload()} />`}
    ${access && !access.me && html`<p class="text">${say('noAccounts')}</p>`}
    ${
      access?.me &&
      html`
        <h2>${say('yourAccount')}</h2>
        <p>${say('yourRole', { name: access.me.name, role: roleName(access.me.role) })}</p>
        <h3>${say('secondFactor')}</h3>
        <${SecondFactor} isSet=${access.me.secondFactor} onChange=${read} />
        <h3>${say('password')}</h3>
        <${Password} account=${access.me.name} onDone=${() => onNotice(say('passwordChanged'))} />
        ${access.me.role === 'owner' && html`<${Accounts} accounts=${access.accounts} onChange=${read} onFailed=${failed} />`}
        <h2>${say('loggedIn')}</h2>
        <${Sessions} sessions=${access.sessions} onChange=${read} onFailed=${failed} />
        <p><button class="plain" type="button" onClick=${() => onLeave(true)}>${say('logOutEverywhere')}</button></p>
        ${access.me.role === 'owner' && html`<${Changes} accounts=${access.accounts} version=${version} />`}
      `
    }
  </section>`
}
