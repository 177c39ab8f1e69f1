/** What holds in a channel: every option, who says so, and what one would rather have there. */
import { call } from './api.js'
import { html, useEffect, useRef, useState } from './html.js'
import { Field, textOf } from './option-field.js'
import { language } from './settings.js'
import { say } from './words.js'

/**
 * @typedef {import('../channel-views.ts').OptionView} Option
 * @typedef {{ conversation: string, options: readonly Option[], onChange: (options: readonly Option[]) => void, onNotice: (text: string) => void }} Props
 */

/** @param {string} conversation @param {Option} option @param {unknown} value */
const set = (conversation, { plugin, option }, value) =>
  call('channel/settings', { method: 'PUT', body: { conversation, plugin, option, value } }).then(answer => answer.settings)

/** @param {string} conversation @param {Option} option */
const clear = (conversation, { plugin, option }) =>
  call('channel/settings', { method: 'DELETE', query: { conversation, plugin, option } }).then(answer => answer.settings)

const isSetHere = (/** @type {Option} */ { from }) => from.startsWith('set in the channel by ')

/** How much it talks unasked. @param {Props} props */
export function Chattiness({ conversation, options, onChange, onNotice }) {
  const option = options.find(one => one.plugin === 'judge-rules' && one.option === 'chattiness')
  if (!option) return null
  const failed = (/** @type {Error} */ error) => onNotice(say('failed', { why: error.message }))
  return html`<div class="chattiness">
    <span id="chattiness">${say('chattiness')}</span>
    <div class="segments" role="group" aria-labelledby="chattiness">
      ${
        /** @type {const} */ (['quiet', 'normal', 'lively']).map(
          level =>
            html`<button key=${level} aria-pressed=${option.value === level} onClick=${() => set(conversation, option, level).then(onChange, failed)}>${say(`${level}Here`)}</button>`,
        )
      }
    </div>
    <span class="faint notes">${originOf(option)}</span>
    ${isSetHere(option) && html`<button class="link" onClick=${() => clear(conversation, option).then(onChange, failed)}>${say('takeBack')}</button>`}
  </div>`
}

/** @param {Props} props */
export function ChannelSettings({ conversation, options, onChange, onNotice }) {
  const [wanted, setWanted] = useState('')
  const sought = wanted.trim().toLowerCase()
  const found = options.filter(({ plugin, option, does = '' }) => `${plugin} ${option} ${does}`.toLowerCase().includes(sought))
  const differs = new Set(options.filter(({ perPlace }) => perPlace).map(({ plugin }) => plugin))
  // Those first in which there is something to choose.
  const plugins = [...new Set(found.map(({ plugin }) => plugin))].toSorted(
    (one, other) => +differs.has(other) - +differs.has(one),
  )
  return html`<p class="soft">${say('settingsIntro')}</p>
    <div class="search" role="search">
      <label class="grow">
        <span class="label">${say('findOption')}</span>
        <input type="search" maxlength="200" onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => setWanted(currentTarget.value)} />
      </label>
    </div>
    ${found.length === 0 && html`<p class="faint" role="status">${say('foundNoOption')}</p>`}
    ${plugins.map(plugin => html`<${Plugin} key=${`${plugin} ${sought !== ''}`} name=${plugin} options=${found.filter(one => one.plugin === plugin)} canDiffer=${differs.has(plugin)} isSought=${sought !== ''} conversation=${conversation} onChange=${onChange} onNotice=${onNotice} />`)}`
}

/** @param {Props & { name: string, canDiffer: boolean, isSought: boolean }} props `options`: of those that were sought */
function Plugin({ name, canDiffer, isSought, options, ...rest }) {
  const here = options.filter(({ perPlace }) => perPlace)
  const fixed = options.filter(({ perPlace }) => !perPlace)
  const count = options.filter(isSetHere).length
  // At first: it does not close under the hand that takes the last one back.
  const [isOpen] = useState(isSought || count > 0)
  const note = count > 0 ? say('setHere', { n: count }) : canDiffer ? say('canDiffer', { n: here.length }) : say('sameEverywhere')
  const unchanging = html`<${Table} plugin=${name} options=${fixed} ...${rest} />`
  return html`<details class="disclosed" open=${isOpen}>
    <summary>${name} <span class="faint notes">${note}</span></summary>
    ${here.length > 0 && html`<${Table} plugin=${name} options=${here} ...${rest} />`}
    ${here.length > 0 && fixed.length > 0 && html`<details class="disclosed"><summary>${say('fixed', { n: fixed.length })}</summary>${unchanging}</details>`}
    ${here.length === 0 && unchanging}
  </details>`
}

/** @param {Props & { plugin: string }} props */
function Table({ plugin, options, ...rest }) {
  return html`<table class="options">
    <caption class="hidden">${plugin}</caption>
    <thead><tr><th scope="col">${say('option')}</th><th scope="col">${say('value')}</th><th scope="col">${say('saidBy')}</th></tr></thead>
    <tbody>${options.map(option => html`<${Row} key=${option.option} option=${option} ...${rest} />`)}</tbody>
  </table>`
}

/** @param {Omit<Props, 'options'> & { option: Option }} props */
function Row({ option, conversation, onChange, onNotice }) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null))
  const was = useRef(false)
  useEffect(() => {
    if (was.current && !isOpen) button.current?.focus()
    was.current = isOpen
  }, [isOpen])
  const id = `${option.plugin}-${option.option}`
  /** @param {unknown} value */
  const save = value =>
    set(conversation, option, value).then(options => {
      setOpen(false)
      onChange(options)
    })
  return html`<tr>
    <th scope="row"><code>${option.option}</code>${option.does && html`<span class="does">${withCode(option.does)}</span>`}</th>
    <td data-title=${say('value')}>
      ${
        isOpen
          ? html`<${Field} id=${id} option=${option} onSave=${save} onClose=${() => setOpen(false)} />`
          : html`<span class=${option.withheld || option.value === undefined ? 'faint value' : 'value'}>${shown(option)}</span>`
      }
      ${!isOpen && option.perPlace && html`<button ref=${button} class="link" aria-label=${say('changeOption', { option: option.option })} onClick=${() => setOpen(true)}>${say('change')}</button>`}
    </td>
    <td data-title=${say('saidBy')}>
      ${originOf(option)}
      ${
        isSetHere(option) &&
        html`<button class="link" aria-label=${say('takeBackOption', { option: option.option })} onClick=${() =>
          clear(conversation, option).then(onChange, error =>
            onNotice(say('failed', { why: error.message })),
          )}>${say('takeBack')}</button>`
      }
    </td>
  </tr>`
}

/** @param {Option} option */
function shown({ withheld, value, ...option }) {
  if (withheld) return say('withheld')
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no')
  const text = textOf({ ...option, withheld, value })
  return text === '' ? say('nothing') : text.replaceAll('\n', ', ')
}

/** What stands between backticks is code. @param {string} text */
export function withCode(text) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))
}

/** Who says so, as the kernel tells it. @param {Option} option */
export function originOf({ from }) {
  const [, set, day] = /^set in the channel by (.*) on (\d{4}-\d\d-\d\d)$/s.exec(from) ?? []
  if (set !== undefined && day) {
    const date = new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))
    return say('fromHere', { name: set, date })
  }
  const [, kind, name] = /^(workspace|channel|thread) (.*)$/s.exec(from) ?? []
  if (kind && name !== undefined) return say('fromPlace', { name })
  return from === 'default' ? say('fromDefault') : from
}
