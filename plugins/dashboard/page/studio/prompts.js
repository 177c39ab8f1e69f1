/** The prompts of a plugin, in each language. */
import { html } from '../base/html.js'
import { say } from '../base/words.js'
import { Options } from './options.js'

/**
 * A prompt is a list of lines, which is readable in the file.
 *
 * @param {import('./options.js').Editing & { plugin: string, prompts: import('../../studio/views.ts').StudioView['plugins'][number]['prompts'] }} props
 */
export function Prompts({ plugin, prompts, ...editing }) {
  const options = prompts.map(({ name, locale, text, fromFile }) => ({
    path: ['plugins', plugin, 'prompts', name, locale],
    value: text,
    redacted: false,
    from: fromFile ? /** @type {const} */ ('bot.settings.json') : /** @type {const} */ ('default'),
    takes: /** @type {const} */ ('lines'),
  }))
  return html`<details class="disclosed"><summary>${say('studioPrompts')}</summary>
    <${Options} caption=${`${plugin}: ${say('studioPrompts')}`} options=${options} ...${editing} />
  </details>`
}
