/** From what was tried to what holds: set for the channel, or to be written into bot.config.ts. */
import { call } from './api.js'
import { placeName } from './format.js'
import { html } from './html.js'
import { say } from './words.js'

/**
 * @typedef {{ option: import('../tuning-views.ts').TunableView, value: unknown }} Turned
 * @typedef {import('../views.ts').Place} Place
 */

/** @param {{ place: Place, turned: readonly Turned[], onSet: () => Promise<void>, onNotice: (text: string) => void }} props */
export function Apply({ place, turned, onSet, onNotice }) {
  const here = turned.filter(({ option }) => option.perPlace)
  const elsewhere = turned.filter(({ option }) => !option.perPlace)

  async function set() {
    try {
      for (const { option, value } of here) {
        const body = { conversation: place.conversation, plugin: option.plugin, option: option.option, value }
        await call('channel/settings', { method: 'PUT', body })
      }
      await onSet()
      onNotice(say('setNow', { place: placeName(place) }))
    } catch (error) {
      onNotice(say('failed', { why: String(error instanceof Error ? error.message : error) }))
    }
  }

  return html`<section class="apply" aria-labelledby="apply">
    <h2 id="apply">${say('applyTitle')}</h2>
    ${
      here.length > 0 &&
      html`<p>${say('applyText', { place: placeName(place) })}</p>
        <ul class="settings">${here.map(({ option, value }) => html`<li><code>${option.plugin}.${option.option}</code> <code>${literal(value)}</code></li>`)}</ul>
        <button class="strong" onClick=${set}>${say('applyHere')}</button>`
    }
    ${
      elsewhere.length > 0 &&
      html`<p>${say('applyConfig')}</p>
        <pre tabindex="0" aria-label="bot.config.ts"><code>${linesFor(place, elsewhere).join('\n')}</code></pre>`
    }
  </section>`
}

/** As they stand in bot.config.ts. @param {Place} place @param {readonly Turned[]} turned */
function linesFor(place, turned) {
  return [...new Set(turned.map(({ option }) => option.plugin))].map(plugin => {
    const own = turned.filter(({ option }) => option.plugin === plugin)
    const all = `{ ${own.map(({ option, value }) => `${option.option}: ${literal(value)}`).join(', ')} }`
    if (plugin === 'pacing') return `pacing: { channels: { ${literal(place.name)}: ${all} } },`
    return `${plugin.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())}(${all}),`
  })
}

/** As one writes it in TypeScript. @param {unknown} value @returns {string} */
function literal(value) {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  return JSON.stringify(value) ?? 'undefined'
}
