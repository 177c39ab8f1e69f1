/** The description of an option, and the source of its value. */
import { html } from '../base/html.js'
import { language, say } from '../base/words.js'

/** @typedef {import('../../channels/views.ts').OptionView} Option */

/** Text between backticks is code. @param {string} text */
export function withCode(text) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))
}

/** The source as the kernel names it. @param {Option} option */
export function originOf({ from, setAt }) {
  const [, set] = /^set in the (?:channel|workspace) by (.*) on \d{4}-\d\d-\d\d$/s.exec(from) ?? []
  if (set !== undefined && setAt) {
    const date = new Intl.DateTimeFormat(language(), { dateStyle: 'medium' }).format(new Date(setAt))
    return say('fromHere', { name: set, date })
  }
  const [, kind, name] = /^(workspace|channel|thread) (.*)$/s.exec(from) ?? []
  if (kind && name !== undefined) return say('fromPlace', { name })
  return from === 'default' ? say('fromDefault') : from
}
