/** What the models were asked in a turn, and what they wrote. It is read when it is opened. */
import { call } from '../base/api.js'
import { html, useState } from '../base/html.js'
import { useNewest } from '../base/newest.js'
import { say } from '../base/words.js'
import { Failed } from '../parts/failed.js'

/** @typedef {import('../../turns/views.ts').PromptView} Prompt */

/** @param {{ turn: string, models: import('../../history/views.ts').TurnView['trace']['models'] }} props */
export function Prompts({ turn, models }) {
  const [prompts, setPrompts] = useState(/** @type {readonly Prompt[] | undefined} */ (undefined))
  const [why, setWhy] = useState('')
  const { hear } = useNewest()
  function read() {
    setWhy('')
    void hear(
      call('turns/prompts', { query: { turn } }),
      answer => setPrompts(answer.prompts),
      error => setWhy(error.message),
    )
  }
  return html`<details class="disclosed prompts" onToggle=${(/** @type {Event} */ event) => {
    if (event.currentTarget instanceof HTMLDetailsElement && event.currentTarget.open) read()
  }}>
    <summary>${say('prompts')}</summary>
    ${why && html`<${Failed} why=${why} onRetry=${read} />`}
    ${prompts?.length === 0 && html`<p class="faint">${say('noPrompts')}</p>`}
    ${prompts?.map(
      ({ call: at, system, messages, output }) => html`<section key=${at}>
        <h4>${models[at]?.role} <span class="faint">${models[at]?.model}</span></h4>
        <dl>
          ${system && html`<${Part} role="system" text=${system} />`}
          ${messages.map(({ role, text }) => html`<${Part} role=${role} text=${text} />`)}
          <dt>${say('modelOutput')}</dt><dd>${output === undefined ? html`<i class="faint">${say('noOutput')}</i>` : html`<pre tabindex="0">${output}</pre>`}</dd>
        </dl>
      </section>`,
    )}
  </details>`
}

/** @param {{ role: string, text: string }} props */
function Part({ role, text }) {
  return html`<dt><code>${role}</code></dt><dd><pre tabindex="0">${text}</pre></dd>`
}
