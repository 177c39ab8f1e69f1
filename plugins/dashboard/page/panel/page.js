/** Texts and tables: a panel of a plugin. */
import { call } from '../base/api.js'
import { html, useEffect, useState } from '../base/html.js'
import { say } from '../base/words.js'
import { Failed } from '../parts/failed.js'

/** @typedef {import('../../history/views.ts').PanelSection} Section */

/** @param {{ title: string, panel: { id: string, title: string } | undefined }} props `panel`: undefined for an unknown name */
export function Page({ title, panel }) {
  if (!panel) return html`<section class="sheet"><h1>${say('nowhere')}</h1></section>`
  return html`<${Sections} key=${panel.id} path=${`panels/${encodeURIComponent(panel.id)}`} title=${title} />`
}

/** @param {{ path: string, title: string }} props */
function Sections({ path, title }) {
  const [sections, setSections] = useState(/** @type {readonly Section[] | undefined} */ (undefined))
  const [why, setWhy] = useState('')
  function read() {
    setWhy('')
    call(path).then(
      answer => setSections(answer.sections),
      error => setWhy(error.message),
    )
  }
  useEffect(read, [])
  return html`<section class="sheet">
    <header class="lead"><h1>${title}</h1></header>
    ${why && html`<${Failed} why=${why} onRetry=${read} />`}
    ${sections?.length === 0 && html`<p class="faint">${say('panelEmpty')}</p>`}
    ${sections?.map(
      section => html`<div>
        ${section.title && html`<h2>${section.title}</h2>`}
        ${section.text && html`<p class="text">${section.text}</p>`}
        ${section.rows?.[0] && html`<${Table} rows=${section.rows} />`}
      </div>`,
    )}
  </section>`
}

/** @param {{ rows: NonNullable<Section['rows']> }} props */
function Table({ rows }) {
  const columns = Object.keys(rows[0] ?? {})
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label=${columns.join(', ')}>
    <table>
      <thead><tr>${columns.map(column => html`<th scope="col">${column}</th>`)}</tr></thead>
      <tbody>${rows.map(row => html`<tr>${columns.map(column => html`<td>${shown(row[column])}</td>`)}</tr>`)}</tbody>
    </table>
  </div>`
}

/** @param {string | number | boolean | null | undefined} value */
function shown(value) {
  return typeof value === 'boolean' ? say(value ? 'yes' : 'no') : (value ?? '')
}
