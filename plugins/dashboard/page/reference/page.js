/** The API, from its OpenAPI document. */
import { call } from '../base/api.js'
import { html, useEffect, useState } from '../base/html.js'
import { say } from '../base/words.js'
import { Failed } from '../parts/failed.js'
import { withCode } from '../parts/option-origin.js'

/** @typedef {{ summary?: string, parameters?: { name: string, in: string, required?: boolean, description?: string }[], requestBody?: { content?: Record<string, { schema?: { properties?: Record<string, { description?: string }>, required?: string[] } }> } }} Operation */

const LINK = 'openapi.json'

export function Page() {
  const [paths, setPaths] = useState(/** @type {Record<string, Record<string, Operation>>} */ ({}))
  const [why, setWhy] = useState('')
  function read() {
    setWhy('')
    call(LINK).then(
      answer => setPaths(answer.paths),
      error => setWhy(error.message),
    )
  }
  useEffect(read, [])
  const [before, after] = say('apiIntro', { link: '\n' }).split('\n')
  return html`<section class="sheet">
    <header class="lead"><h1>${say('apiTitle')}</h1><p>${before}<a href=${`/api/${LINK}`}>/api/${LINK}</a>${after}</p></header>
    ${why && html`<${Failed} why=${why} onRetry=${read} />`}
    <dl class="reference">
      ${Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(
          ([method, operation]) => html`<div>
            <dt><code><b>${method.toUpperCase()}</b> ${path}</code></dt>
            <dd>${withCode(operation.summary ?? '')}<${Given} operation=${operation} /></dd>
          </div>`,
        ),
      )}
    </dl>
  </section>`
}

/** @param {{ operation: Operation }} props */
function Given({ operation: { parameters = [], requestBody } }) {
  const body = requestBody?.content?.['application/json']?.schema
  const fields = Object.entries(body?.properties ?? {}).map(([name, { description }]) => ({
    name,
    required: body?.required?.includes(name),
    description,
  }))
  const given = [...parameters, ...fields]
  if (given.length === 0) return null
  return html`<ul>
    ${given.map(({ name, required, description }) => html`<li><code>${name}${required ? '' : '?'}</code>${description && description !== 'OK' && html` <span class="faint">${withCode(description)}</span>`}</li>`)}
  </ul>`
}
