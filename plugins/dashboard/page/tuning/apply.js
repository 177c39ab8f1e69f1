/** Applies replayed options: sets them for the channel, or shows them for bot.config.ts. */
import { call } from '../base/api.js'
import { placeName } from '../base/format.js'
import { html, useRef } from '../base/html.js'
import { say } from '../base/words.js'

/**
 * @typedef {import('./form.js').Turned} Turned
 * @typedef {import('../../history/views.ts').Place} Place
 */

/**
 * @param {{
 *   place: Place, turned: readonly Turned[], isStale: boolean, isSet: boolean,
 *   onSet: (set: readonly Turned[]) => Promise<void>, onNotice: (text: string) => void,
 * }} props `turned`: replayed options; `isStale`: the form has changed since; `isSet`: some are set; `onSet`: gets the
 * options that were set
 */
export function Apply({ place, turned, isStale, isSet, onSet, onNotice }) {
  const heading = useRef(/** @type {HTMLHeadingElement | null} */ (null))
  const here = turned.filter(({ option }) => option.scoped)
  const elsewhere = turned.filter(({ option }) => !option.scoped)

  async function set() {
    // The button is removed, so the focus moves.
    heading.current?.focus({ preventScroll: true })
    /** @type {Turned[]} */
    const set = []
    let told = say('setNow', { place: placeName(place) })
    try {
      for (const one of here) {
        const { option, value } = one
        const body = { conversation: place.conversation, plugin: option.plugin, option: option.option, value }
        await call('channel/settings', { method: 'PUT', body })
        set.push(one)
      }
    } catch (error) {
      told = say('failed', { why: String(error instanceof Error ? error.message : error) })
    }
    await onSet(set)
    onNotice(told)
  }

  return html`<section class="apply" aria-labelledby="apply">
    <h2 id="apply" ref=${heading} tabindex="-1">${say('applyTitle')}</h2>
    ${isStale && html`<p>${say('replayFirst')}</p>`}
    ${isSet && html`<p>${say('appliedSince')}</p>`}
    ${
      !isStale &&
      here.length > 0 &&
      html`<p>${say('applyText', { place: placeName(place) })}</p>
        <ul class="settings">${here.map(({ option, value }) => html`<li><code>${option.plugin}.${option.option}</code> <code>${literal(value)}</code></li>`)}</ul>
        <button class="strong" onClick=${set}>${say('applyHere')}</button>`
    }
    ${
      !isStale &&
      elsewhere.length > 0 &&
      html`<p>${say('applyConfig')}</p>
        <pre tabindex="0" aria-label="bot.config.ts"><code>${linesFor(place, elsewhere).join('\n')}</code></pre>`
    }
  </section>`
}

/** The options for bot.config.ts. @param {Place} place @param {readonly Turned[]} turned */
function linesFor(place, turned) {
  return [...new Set(turned.map(({ option }) => option.plugin))].map(plugin => {
    const own = turned.filter(({ option }) => option.plugin === plugin)
    const all = `{ ${own.map(({ option, value }) => `${option.option}: ${literal(value)}`).join(', ')} }`
    if (plugin === 'pacing') return `pacing: { channels: { ${literal(place.name)}: ${all} } },`
    return `${plugin.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())}(${all}),`
  })
}

/** The value in TypeScript. @param {unknown} value @returns {string} */
function literal(value) {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  return JSON.stringify(value) ?? 'undefined'
}
