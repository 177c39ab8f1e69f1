/** Backups: a list, and a button that makes one. A restore needs a stopped bot, so it is a command. */
import { call } from '../base/api.js'
import { fullTime, numberOf } from '../base/format.js'
import { html, useEffect, useRef, useState } from '../base/html.js'
import { useNewest } from '../base/newest.js'
import { say } from '../base/words.js'
import { Failed } from '../parts/failed.js'

/** @typedef {import('../../operations/views.ts').BackupsView} View */

/** Milliseconds between two looks while a backup is made. */
const EVERY = 2_000

/** @param {{ onNotice: (text: string) => void }} props */
export function Backups({ onNotice }) {
  const [view, setView] = useState(/** @type {View | undefined} */ (undefined))
  const [why, setWhy] = useState('')
  const timer = useRef(/** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined))
  const { hear } = useNewest()
  const read = () => {
    setWhy('')
    return hear(
      call('operations/backups'),
      /** @param {View} answer */ answer => {
        setView(answer)
        clearTimeout(timer.current)
        if (answer.making) timer.current = setTimeout(read, EVERY)
      },
      error => setWhy(error.message),
    )
  }
  useEffect(() => {
    void read()
    return () => clearTimeout(timer.current)
  }, [])
  const make = () =>
    call('operations/backups', { method: 'POST' }).then(read, error => onNotice(say('failed', { why: error.message })))

  if (why) return html`<${Failed} why=${why} onRetry=${read} />`
  if (!view) return null
  if (view.where === undefined) return html`<p class="faint">${say('noBackups')}</p>`
  return html`<p>${say('backupsIn', { where: view.where })}</p>
    ${view.why && html`<p class="danger" role="alert">${say('failed', { why: view.why })}</p>`}
    <p><button class="strong" type="button" aria-disabled=${view.making} onClick=${() => !view.making && make()}>${say(view.making ? 'makingBackup' : 'makeBackup')}</button></p>
    <div role="status">${view.backups.length === 0 && html`<p class="faint">${say('backupsEmpty')}</p>`}</div>
    <ul class="entries">
      ${view.backups.map(
        ({ name, at, bytes }) => html`<li key=${name}>
          <div><time datetime=${at}>${fullTime(at)}</time><br /><span class="faint notes">${name}</span></div>
          <span class="faint">${numberOf(bytes / 1_000_000, { maximumFractionDigits: 1 })} MB</span>
        </li>`,
      )}
    </ul>
    <h2>${say('howToRestore')}</h2>
    <p>${say('restoreText')}</p>
    <pre tabindex="0"><code>kikimimi drill
kikimimi restore --newest</code></pre>`
}
