/** The message field, with the choice of the speaker. */
import { initial, shownName } from '../base/format.js'
import { html, useEffect, useRef, useState } from '../base/html.js'
import { keyOf } from '../base/keys.js'
import { say } from '../base/words.js'

/** @typedef {import('../../history/views.ts').MessageView} Message */

const NAME = /^[\p{L}\p{M}\p{N}_.-]{1,32}$/u

/**
 * @param {{
 *   people: readonly string[], speaker: string, alone: boolean, replyTo: Message | undefined,
 *   onSpeaker: (name: string) => void, onSay: (text: string) => Promise<boolean>, onCancel: () => void,
 * }} props `alone`: a direct conversation, with one speaker
 */
export function Composer({ people, speaker, alone, replyTo, onSpeaker, onSay, onCancel }) {
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null))
  useEffect(() => {
    if (replyTo) field.current?.focus()
  }, [replyTo])

  async function send() {
    const input = field.current
    const text = input?.value.trim()
    if (!input || !text) return
    input.value = ''
    fit(input)
    // If sending fails, the text is restored together with new input.
    if (!(await onSay(text))) input.value = [text, input.value].filter(Boolean).join('\n')
    fit(input)
  }

  return html`<form class="composer" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault()
    void send()
  }}>
    ${!alone && html`<${People} people=${people} speaker=${speaker} onSpeaker=${onSpeaker} />`}
    ${
      replyTo &&
      html`<p class="replying">
        <span>${say('replyingTo', { name: shownName(replyTo.author.name) })}: <span class="faint">${replyTo.text}</span></span>
        <button type="button" class="plain" onClick=${onCancel}>${say('cancel')}</button>
      </p>`
    }
    <div class="write">
      <textarea
        ref=${field}
        rows="1"
        maxlength="4000"
        aria-label=${say('messageTo')}
        placeholder=${say('sayAs', { name: speaker })}
        onInput=${(/** @type {{ currentTarget: HTMLTextAreaElement }} */ { currentTarget }) => fit(currentTarget)}
        onKeyDown=${(/** @type {KeyboardEvent} */ event) => {
          if (keyOf(event) !== 'Enter' || event.shiftKey) return
          event.preventDefault()
          void send()
        }}
      ></textarea>
      <button class="strong" type="submit">${say('send')}</button>
    </div>
  </form>`
}

/** @param {{ people: readonly string[], speaker: string, onSpeaker: (name: string) => void }} props */
function People({ people, speaker, onSpeaker }) {
  const [adding, setAdding] = useState(false)
  const name = useRef(/** @type {HTMLInputElement | null} */ (null))
  useEffect(() => {
    if (adding) name.current?.focus()
  }, [adding])

  function add() {
    const given = name.current?.value.trim() ?? ''
    if (NAME.test(given)) onSpeaker(given)
    if (given === '' || NAME.test(given)) setAdding(false)
    else name.current?.setAttribute('aria-invalid', 'true')
  }

  return html`<fieldset class="people">
    <legend>${say('speakingAs')}</legend>
    ${people.map(
      one => html`<label key=${one} class="person">
        <input type="radio" name="speaker" value=${one} checked=${one === speaker} onChange=${() => onSpeaker(one)} />
        <span class="avatar small" aria-hidden="true">${initial(one)}</span>${one}
      </label>`,
    )}
    ${
      adding
        ? html`<span class="adding">
            <input
              ref=${name}
              maxlength="32"
              aria-label=${say('personName')}
              placeholder=${say('personName')}
              onKeyDown=${(/** @type {KeyboardEvent} */ event) => {
                const key = keyOf(event)
                if (key === 'Escape') {
                  // The thread around it stays.
                  event.stopPropagation()
                  setAdding(false)
                }
                if (key !== 'Enter') return
                event.preventDefault()
                add()
              }}
            />
            <button type="button" class="plain" onClick=${add}>${say('add')}</button>
          </span>`
        : html`<button type="button" class="person new" onClick=${() => setAdding(true)}>+ ${say('addPerson')}</button>`
    }
  </fieldset>`
}

/** The height of its content. @param {HTMLTextAreaElement} input */
function fit(input) {
  input.style.height = 'auto'
  input.style.height = `${Math.min(input.scrollHeight + 2, 200)}px`
}
