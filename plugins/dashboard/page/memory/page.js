/** The memory of the bot: facts to review, facts that are recalled, and people. */
import { html } from '../base/html.js'
import { say } from '../base/words.js'
import { Facts, FactsAbout } from './facts.js'
import { Inbox } from './inbox.js'
import { People } from './people.js'

const VIEWS = /** @type {const} */ ({ inbox: '#/memory', facts: '#/memory/facts', people: '#/memory/people' })

/**
 * `#/memory` shows facts to review, `#/memory/facts` what is recalled in a channel, `#/memory/people` people,
 * `#/memory/discord:123` what is known of one person.
 *
 * @param {{ bot: { name: string }, where: string, onShown: (name: string) => void, onNotice: (text: string) => void }} props
 */
export function Page({ bot, where, onShown, onNotice }) {
  const [platform = '', id] = where.split(/:(.*)/s)
  const shown = where === 'people' || id !== undefined ? 'people' : where === 'facts' ? 'facts' : 'inbox'
  return html`<section class="sheet">
    <header class="lead">
      <h1>${say('memory')}</h1>
      <p>${say('memoryIntro', { bot: bot.name })}</p>
      <div class="segments" role="group" aria-label=${say('show')}>
        ${
          /** @type {const} */ (['inbox', 'facts', 'people']).map(
            one =>
              html`<button key=${one} aria-pressed=${shown === one} onClick=${() => {
                location.hash = VIEWS[one]
              }}>${say(one)}</button>`,
          )
        }
      </div>
    </header>
    ${shown === 'inbox' && html`<${Inbox} onNotice=${onNotice} />`}
    ${shown === 'facts' && html`<${Facts} onNotice=${onNotice} />`}
    ${where === 'people' && html`<${People} onNotice=${onNotice} />`}
    ${id !== undefined && html`<${FactsAbout} key=${where} platform=${platform} id=${id} onShown=${onShown} onNotice=${onNotice} />`}
  </section>`
}
