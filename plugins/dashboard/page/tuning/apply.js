/** Applies replayed options: sets them for the channel, or saves them in bot.settings.json. */
import { call } from '../base/api.js'
import { placeName } from '../base/format.js'
import { html, useEffect, useRef, useState } from '../base/html.js'
import { say } from '../base/words.js'
import { setOption } from '../channels/set-option.js'

/**
 * @typedef {import('./form.js').Turned} Turned
 * @typedef {import('../../history/views.ts').Place} Place
 * @typedef {import('../../studio/views.ts').StudioView} Studio
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

  const [studio, setStudio] = useState(/** @type {Studio | undefined} */ (undefined))
  const hasElsewhere = elsewhere.length > 0
  useEffect(() => {
    if (hasElsewhere) call('studio').then(setStudio, error => onNotice(say('failed', { why: error.message })))
  }, [hasElsewhere])

  /** The change is one entry of the history, which takes it back. */
  async function save() {
    heading.current?.focus({ preventScroll: true })
    const changes = elsewhere.map(({ option, value }) => ({ path: pathOf(place, option), value }))
    try {
      setStudio(await call('studio', { method: 'POST', body: { version: studio?.version, changes } }))
      await onSet(elsewhere)
      onNotice(say('savedInFile'))
    } catch (error) {
      onNotice(say('failed', { why: String(error instanceof Error ? error.message : error) }))
      // Somebody else may have changed the file.
      await call('studio').then(setStudio, () => {})
    }
  }

  async function set() {
    // The button is removed, so the focus moves.
    heading.current?.focus({ preventScroll: true })
    /** @type {Turned[]} */
    const set = []
    let told = say('setNow', { place: placeName(place) })
    try {
      for (const one of here) {
        await setOption(place.conversation, one.option, one.value)
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
      studio &&
      hasElsewhere &&
      html`<p>${say('applyFile')}</p>
        <ul class="settings">${elsewhere.map(({ option, value }) => html`<li><code>${pathOf(place, option).join('.')}</code> <code>${literal(value)}</code></li>`)}</ul>
        ${
          studio.problem === undefined && studio.mayChange
            ? html`<button class="strong" onClick=${save}>${say('saveInFile')}</button>`
            : html`<p class="faint">${studio.problem ?? say('ownerSaves')}</p>`
        }`
    }
    ${isSet && html`<p><a class="link" href="#/studio">${say('studioHistory')}</a></p>`}
  </section>`
}

/** Where an option is in bot.settings.json. @param {Place} place @param {Turned['option']} option */
function pathOf(place, { plugin, option, from }) {
  if (plugin !== 'pacing') return ['plugins', plugin, 'options', option]
  // The name or id under which bot.config.ts has the channel already.
  const [, known = place.name] = /^channel (.+)$/.exec(from) ?? []
  return ['pacing', 'channels', known, option]
}

/** The value in TypeScript. @param {unknown} value @returns {string} */
function literal(value) {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  return JSON.stringify(value) ?? 'undefined'
}
