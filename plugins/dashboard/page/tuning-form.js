/** The options that shape when the bot speaks in a channel, and what one would rather have. */
import { originOf, withCode } from './channel-settings.js'
import { html, useState } from './html.js'
import { meant, textOf } from './option-field.js'
import { say } from './words.js'

/**
 * @typedef {import('../tuning-views.ts').TunableView} Option
 * @typedef {Readonly<Record<string, string>>} Changes what was typed, by plugin and option
 */

/** @param {Option} option */
export function keyOf({ plugin, option }) {
  return `${plugin}.${option}`
}

/** Those that say something else than today, with the value that was meant. @param {readonly Option[]} options @param {Changes} changes */
export function changed(options, changes) {
  return options.flatMap(option => {
    const text = changes[keyOf(option)]
    return text === undefined || text === textOf(option) ? [] : [{ option, value: meant(option, text) }]
  })
}

/**
 * @param {{
 *   options: readonly Option[], changes: Changes, onChange: (changes: Changes) => void,
 * }} props
 */
export function Options({ options, changes, onChange }) {
  const [wanted, setWanted] = useState('')
  const sought = wanted.trim().toLowerCase()
  const found = options.filter(one => `${keyOf(one)} ${one.does ?? ''}`.toLowerCase().includes(sought))
  const turned = new Set(changed(options, changes).map(({ option }) => keyOf(option)))
  /** @param {Option} option @param {string | undefined} text */
  const set = (option, text) => {
    const { [keyOf(option)]: _, ...others } = changes
    onChange(text === undefined ? others : { ...others, [keyOf(option)]: text })
  }
  return html`<div class="search" role="search">
      <label class="grow">
        <span class="label">${say('findOption')}</span>
        <input type="search" maxlength="200" onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => setWanted(currentTarget.value)} />
      </label>
    </div>
    ${found.length === 0 && html`<p class="faint" role="status">${say('foundNoOption')}</p>`}
    ${[...new Set(found.map(({ plugin }) => plugin))].map(plugin => {
      const own = found.filter(one => one.plugin === plugin)
      const count = own.filter(one => turned.has(keyOf(one))).length
      return html`<details key=${`${plugin} ${sought !== ''}`} class="disclosed knobs" open=${sought !== '' || count > 0 || plugin === 'judge-rules'}>
        <summary>${plugin === 'pacing' ? say('pacing') : plugin} <span class="faint notes">${count > 0 && say('turned', { n: count })}</span></summary>
        <ul>${own.map(option => html`<${Knob} key=${keyOf(option)} option=${option} text=${changes[keyOf(option)]} turned=${turned.has(keyOf(option))} onChange=${(/** @type {string | undefined} */ text) => set(option, text)} />`)}</ul>
      </details>`
    })}`
}

/** @param {{ option: Option, text: string | undefined, turned: boolean, onChange: (text: string | undefined) => void }} props */
function Knob({ option, text, turned, onChange }) {
  const id = `knob-${keyOf(option)}`
  return html`<li class=${turned ? 'turned' : ''}>
    <div>
      <label for=${id}><code>${option.option}</code></label>
      ${option.does && html`<p class="faint notes does">${withCode(option.does)}</p>`}
    </div>
    <div class="control">
      <${Control} id=${id} option=${option} text=${text ?? textOf(option)} onChange=${onChange} />
      <p class="faint notes">
        ${turned ? say('todayIs', { value: shown(option) }) : originOf(option)}
        ${turned && html` <button class="link" type="button" aria-label=${say('undoOption', { option: option.option })} onClick=${() => onChange(undefined)}>${say('undo')}</button>`}
      </p>
    </div>
  </li>`
}

/** @param {{ id: string, option: Option, text: string, onChange: (text: string) => void }} props */
function Control({ id, option, text, onChange }) {
  const { takes, choices = [], least, most, whole, withheld } = option
  /** @param {{ currentTarget: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement }} event */
  const onInput = ({ currentTarget }) => onChange(currentTarget.value)
  if (takes === 'boolean') {
    return html`<input id=${id} type="checkbox" checked=${text === 'true'} onChange=${(
      /** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget },
    ) => onChange(String(currentTarget.checked))} />`
  }
  if (takes === 'choice') {
    return html`<select id=${id} onChange=${onInput}>
      ${choices.map(one => html`<option key=${one} value=${one} selected=${one === text}>${one}</option>`)}
    </select>`
  }
  if (takes === 'number') {
    return html`<input id=${id} type="number" min=${least} max=${most} step=${whole ? 1 : 'any'} value=${text} onInput=${onInput} />`
  }
  if (takes === 'texts')
    return html`<textarea id=${id} rows="2" placeholder=${say('onePerLine')} value=${text} onInput=${onInput}></textarea>`
  return html`<input id=${id} value=${text} placeholder=${withheld ? say('withheld') : undefined} autocomplete="off" spellcheck=${false} onInput=${onInput} />`
}

/** @param {Option} option */
function shown(option) {
  if (option.withheld) return say('withheld')
  if (typeof option.value === 'boolean') return say(option.value ? 'yes' : 'no')
  return textOf(option).replaceAll('\n', ', ') || say('nothing')
}
