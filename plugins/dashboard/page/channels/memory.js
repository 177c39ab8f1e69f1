/** The six memories: of the workspace, the channel and its threads, each recent and history. */
import { timeOf } from '../base/format.js'
import { html } from '../base/html.js'
import { say } from '../base/words.js'

/**
 * @typedef {import('../../channels/views.ts').ChannelDetail} Detail
 * @typedef {import('../../channels/views.ts').MemoryView} Memory
 */

/** @param {{ detail: Detail }} props */
export function ChannelMemory({ detail: { place, memories } }) {
  if (!memories) return html`<p class="faint">${say('noMemories')}</p>`
  const { workspace, channel, threads, setAside } = memories
  const { visibility } = place
  return html`
    <p class="faint">${say('sixMemories')}</p>
    <h2>${say(visibility === 'direct' ? 'thisTalk' : 'thisChannel')}</h2>
    <${Two} memory=${channel} none=${{ recent: say('noRecent'), history: say('noHistory') }} />
    ${setAside > 0 && html`<p class="faint">${say('setAside', { n: setAside })}</p>`}
    <h2>${say('itsThreads')}</h2>
    ${threads.length === 0 && html`<${Two} memory=${{ recent: '', history: '' }} none=${{ recent: say('noThreads'), history: say('noThreadHistory') }} />`}
    ${threads.map(
      ({ conversation, opening, ...memory }) => html`<details key=${conversation} class="disclosed">
        <summary>${opening || say('thread')} ${memory.at && html`<span class="faint notes">${timeOf(memory.at)}</span>`}</summary>
        <${Two} memory=${memory} none=${{ recent: say('noRecent'), history: say('noHistory') }} />
      </details>`,
    )}
    <h2>${say('workspace')}</h2>
    ${visibility !== 'public' && html`<p class="faint">${say('staysHere')}</p>`}
    <${Two} memory=${workspace} none=${{ recent: say('noWorkspace'), history: say('noHistory') }} />`
}

/** @param {{ memory: Memory, none: { recent: string, history: string } }} props `none`: texts for empty memories */
function Two({ memory: { recent, history, at }, none }) {
  return html`<div class="memories">
    <article>
      <h3>${say('goesOn')} ${at && recent && html`<span class="faint">${timeOf(at)}</span>`}</h3>
      <p class=${recent ? 'text' : 'faint'}>${recent || none.recent}</p>
    </article>
    <article>
      <h3>${say('before')}</h3>
      <p class=${history ? 'text' : 'faint'}>${history || none.history}</p>
    </article>
  </div>`
}
