/** The memory of the bot: facts, and people. */
import { html } from '../base/html.js'
import { say } from '../base/words.js'
import { Facts, FactsAbout } from './facts.js'
import { People } from './people.js'

/**
 * `#/memory` shows facts, `#/memory/people` people, `#/memory/discord:123` the facts about one person.
 *
 * @param {{ bot: { name: string }, where: string, onShown: (name: string) => void, onNotice: (text: string) => void }} props
 */
export function Page({ bot, where, onShown, onNotice }) {
  const [platform = '', id] = where.split(/:(.*)/s)
  const shown = where === 'people' || id !== undefined ? 'people' : 'facts'
  const pages = /** @type {const} */ ({ facts: '#/memory', people: '#/memory/people' })
  return html`<section class="sheet">
    <header class="lead">
      <h1>${say('memory')}</h1>
      <p>${say('memoryIntro', { bot: bot.name })}</p>
      <div class="segments" role="group" aria-label=${say('show')}>
        ${
          /** @type {const} */ (['facts', 'people']).map(
            one =>
              html`<button key=${one} aria-pressed=${shown === one} onClick=${() => {
                location.hash = pages[one]
              }}>${say(one)}</button>`,
          )
        }
      </div>
    </header>
    ${shown === 'facts' && html`<${Facts} onNotice=${onNotice} />`}
    ${where === 'people' && html`<${People} onNotice=${onNotice} />`}
    ${id !== undefined && html`<${FactsAbout} key=${where} platform=${platform} id=${id} onShown=${onShown} onNotice=${onNotice} />`}
  </section>`
}
