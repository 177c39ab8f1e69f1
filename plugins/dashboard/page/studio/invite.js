/** The invite wizard: where the tokens come from, which variables are set, whether they work, and the link. */
import { call } from '../base/api.js'
import { html, useEffect, useState } from '../base/html.js'
import { say } from '../base/words.js'

/**
 * @typedef {import('../../studio/views.ts').PlatformView} Platform
 * @typedef {import('../../studio/views.ts').InviteView} Report
 */

/** @param {{ mayCheck: boolean }} props */
export function Invite({ mayCheck }) {
  const [platforms, setPlatforms] = useState(/** @type {readonly Platform[]} */ ([]))
  const [problem, setProblem] = useState('')
  useEffect(
    () =>
      void call('studio/platforms').then(
        answer => setPlatforms(answer.platforms),
        error => setProblem(error.message),
      ),
    [],
  )
  return html`
    <h2>${say('inviteTitle')}</h2>
    <p class="soft">${say('inviteText')}</p>
    ${problem && html`<p class="danger" role="alert">${problem}</p>`}
    ${platforms.map(platform => html`<${Steps} key=${platform.name} platform=${platform} mayCheck=${mayCheck} />`)}
  `
}

/** @param {{ platform: Platform, mayCheck: boolean }} props */
function Steps({ platform: { name, at, isRunning, variables }, mayCheck }) {
  const [report, setReport] = useState(/** @type {Report | undefined} */ (undefined))
  const [problem, setProblem] = useState('')
  const [isAsking, setAsking] = useState(false)
  /** @param {Record<string, string>} [tokens] instead of those of the running bot */
  function check(tokens) {
    setAsking(true)
    setProblem('')
    setReport(undefined)
    call('studio/invite', { method: 'POST', body: { platform: name, ...(tokens && { tokens }) } })
      .then(setReport, error => setProblem(error.message))
      .finally(() => setAsking(false))
  }
  return html`<details class="disclosed">
    <summary>${name} <span class="faint notes">${say(isRunning ? 'inviteRuns' : 'inviteRunsNot')}</span></summary>
    <ol>
      <li>${say('inviteCreate')} <a href=${at} target="_blank" rel="noreferrer">${at}</a></li>
      <li>${say('inviteSet')}
        <ul>${variables.map(
          one =>
            html`<li key=${one.name}><code>${one.name}</code> <span class="faint">${one.from}</span> <b class=${one.isSet ? '' : 'danger'}>${say(one.isSet ? 'inviteIsSet' : 'inviteIsNotSet')}</b></li>`,
        )}</ul>
      </li>
      <li>${say('inviteStart')}</li>
      <li>${say('inviteCheck')}
        ${mayCheck && isRunning && html` <button class="plain" type="button" aria-label=${say('inviteAskOf', { platform: name })} aria-disabled=${isAsking} onClick=${() => isAsking || check()}>${say('inviteAsk')}</button>`}
        ${mayCheck && !isRunning && html`<${Tokens} variables=${variables} isAsking=${isAsking} onCheck=${check} />`}
        <div role="status">
          ${isAsking && say('inviteAsking')}
          ${
            report &&
            html`<ul>${report.findings.map(({ what, problem: wrong }) => html`<li key=${what} class=${wrong ? 'danger' : ''}>${wrong ? `${what}: ${wrong}` : what}</li>`)}</ul>
              ${report.text && html`<p class="wraps">${linked(report.text)}</p>`}`
          }
        </div>
        ${problem && html`<p class="danger" role="alert">${problem}</p>`}
      </li>
    </ol>
  </details>`
}

/** Tokens that the bot does not have yet: they are asked about, and kept nowhere. @param {{ variables: Platform['variables'], isAsking: boolean, onCheck: (tokens: Record<string, string>) => void }} props */
function Tokens({ variables, isAsking, onCheck }) {
  /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
  function submit(event) {
    event.preventDefault()
    const given = [...new FormData(event.currentTarget)].flatMap(([key, value]) =>
      typeof value === 'string' && value.trim() ? [[key, value.trim()]] : [],
    )
    if (!isAsking) onCheck(Object.fromEntries(given))
  }
  return html`<form onSubmit=${submit}>
    <p class="faint notes">${say('inviteTry')}</p>
    ${variables.map(({ name }) => html`<label key=${name}><span class="label">${name}</span><input name=${name} type="password" autocomplete="off" maxlength="500" required /></label>`)}
    <button class="plain" type="submit" aria-disabled=${isAsking}>${say('inviteAsk')}</button>
  </form>`
}

/** Addresses become links. @param {string} text */
function linked(text) {
  return text
    .split(/(https:\/\/\S+)/)
    .map(part => (part.startsWith('https://') ? html`<a href=${part} target="_blank" rel="noreferrer">${part}</a>` : part))
}
