/** The options in a channel: their values and sources, and fields to change them. */
import { html, useRef, useState } from '../base/html.js'
import { say } from '../base/words.js'
import { OptionHeads } from '../parts/option-field.js'
import { originOf } from '../parts/option-origin.js'
import { OptionRow } from '../parts/option-row.js'
import { isSetHere, setOption } from './set-option.js'

/**
 * @typedef {import('../../channels/views.ts').OptionView} Option
 * @typedef {{ conversation: string, options: readonly Option[], onChange: (options: readonly Option[]) => void, onNotice: (text: string) => void }} Props
 */

/** How often the bot answers unasked. @param {Props} props */
export function Chattiness({ conversation, options, onChange, onNotice }) {
  const [isSaving, setSaving] = useState(false)
  const group = useRef(/** @type {HTMLElement | null} */ (null))
  const option = options.find(one => one.plugin === 'addressing' && one.option === 'chattiness')
  if (!option) return null
  /** @param {Option} option @param {string} [level] absent: the option is reset */
  function save(option, level) {
    setSaving(true)
    setOption(conversation, option, level, onChange)
      .then(onChange, error => onNotice(say('failed', { why: error.message })))
      .finally(() => setSaving(false))
  }
  /** @param {Option} option */
  function takeBack(option) {
    // The link is removed, so the focus moves.
    group.current?.querySelector('button')?.focus()
    save(option)
  }
  return html`<div class="chattiness">
    <span id="chattiness">${say('chattiness')}</span>
    <div ref=${group} class="segments" role="group" aria-labelledby="chattiness">
      ${
        /** @type {const} */ (['quiet', 'normal', 'lively']).map(
          level =>
            html`<button key=${level} aria-pressed=${option.value === level} aria-disabled=${isSaving} onClick=${() => isSaving || save(option, level)}>${say(`${level}Here`)}</button>`,
        )
      }
    </div>
    <span class="faint notes">${originOf(option)}</span>
    ${isSetHere(option) && html`<button class="link" aria-disabled=${isSaving} onClick=${() => isSaving || takeBack(option)}>${say('takeBack')}</button>`}
  </div>`
}

/** @param {Props} props */
export function ChannelSettings({ conversation, options, onChange, onNotice }) {
  const [wanted, setWanted] = useState('')
  const sought = wanted.trim().toLowerCase()
  /** @param {Option} option */
  const isFound = ({ plugin, option, does = '' }) => `${plugin} ${option} ${does}`.toLowerCase().includes(sought)
  const differs = new Set(options.filter(({ scoped }) => scoped).map(({ plugin }) => plugin))
  // Plugins with options for a channel first.
  const plugins = [...new Set(options.map(({ plugin }) => plugin))].toSorted(
    (one, other) => +differs.has(other) - +differs.has(one),
  )
  return html`<p class="soft">${say('settingsIntro')}</p>
    <div class="search" role="search">
      <label class="grow">
        <span class="label">${say('findOption')}</span>
        <input type="search" maxlength="200" onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => setWanted(currentTarget.value)} />
      </label>
    </div>
    ${!options.some(isFound) && html`<p class="faint" role="status">${say('foundNoOption')}</p>`}
    ${plugins.map(plugin => html`<${Plugin} key=${plugin} name=${plugin} options=${options.filter(one => one.plugin === plugin)} isFound=${isFound} isSought=${sought !== ''} conversation=${conversation} onChange=${onChange} onNotice=${onNotice} />`)}`
}

/**
 * Options that do not match are hidden, not removed, because a field may be open.
 *
 * @typedef {{ isSought: boolean, isFound: (option: Option) => boolean }} Search
 */

/** @param {Props & Search & { name: string }} props */
function Plugin({ name, options, ...rest }) {
  const { isSought, isFound } = rest
  const here = options.filter(({ scoped }) => scoped)
  const fixed = options.filter(({ scoped }) => !scoped)
  const count = options.filter(isSetHere).length
  const note =
    count > 0 ? say('setHere', { n: count }) : here.length > 0 ? say('canDiffer', { n: here.length }) : say('sameEverywhere')
  const unchanging = html`<${Table} plugin=${name} options=${fixed} ...${rest} />`
  return html`<${Disclosed} isSought=${isSought} isOpen=${count > 0} isHidden=${!options.some(isFound)} title=${html`${name} <span class="faint notes">${note}</span>`}>
    ${here.length > 0 && html`<${Table} plugin=${name} options=${here} ...${rest} />`}
    ${
      here.length > 0 &&
      fixed.length > 0 &&
      html`<${Disclosed} isSought=${isSought} isOpen=${false} isHidden=${!fixed.some(isFound)} title=${say('fixed', { n: fixed.length })}>${unchanging}<//>`
    }
    ${here.length === 0 && unchanging}
  <//>`
}

/**
 * @param {{ title: unknown, isSought: boolean, isOpen: boolean, isHidden: boolean, children?: unknown }} props `isOpen`: at
 * first
 */
function Disclosed({ title, isSought, isOpen, isHidden, children }) {
  // The section stays open when its last value is reset. Matches are open until the user closes them.
  const [open, setOpen] = useState({ found: true, all: isOpen })
  const which = isSought ? 'found' : 'all'
  return html`<details class="disclosed" open=${open[which]} hidden=${isHidden}>
    <summary onClick=${(/** @type {Event} */ event) => {
      event.preventDefault()
      setOpen({ ...open, [which]: !open[which] })
    }}>${title}</summary>
    ${children}
  </details>`
}

/** @param {Props & Search & { plugin: string }} props */
function Table({ plugin, options, isFound, ...rest }) {
  return html`<table class="options" hidden=${!options.some(isFound)}>
    <caption class="hidden">${plugin}</caption>
    <thead><${OptionHeads} /></thead>
    <tbody>${options.map(option => html`<${Row} key=${option.option} option=${option} isHidden=${!isFound(option)} ...${rest} />`)}</tbody>
  </table>`
}

/** @param {Omit<Props, 'options'> & { option: Option, isHidden: boolean }} props */
function Row({ option, isHidden, conversation, onChange, onNotice }) {
  const save = (/** @type {unknown} */ value) => setOption(conversation, option, value, onChange).then(onChange)
  /** @param {{ isOpen: boolean, focus: () => void }} row */
  function source({ isOpen, focus }) {
    const takeBack = () => {
      focus()
      setOption(conversation, option, undefined, onChange).then(onChange, error =>
        onNotice(say('failed', { why: error.message })),
      )
    }
    return html`${originOf(option)}${isSetHere(option) && !isOpen && html` <button class="link" aria-label=${say('takeBackOption', { option: option.option })} onClick=${takeBack}>${say('takeBack')}</button>`}`
  }
  return html`<${OptionRow} id=${`${option.plugin}-${option.option}`} option=${option} isHidden=${isHidden} mayChange=${option.scoped} source=${source} onSave=${save} />`
}
