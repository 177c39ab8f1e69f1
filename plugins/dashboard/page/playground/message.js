/** A message in a room. */
import { fullTime, initial, shownName, timeOf } from '../base/format.js'
import { html, useEffect, useRef, useState } from '../base/html.js'
import { keyOf } from '../base/keys.js'
import { say } from '../base/words.js'
import { Verdict } from '../turn/verdict.js'

/**
 * @typedef {import('../../history/views.ts').MessageView} Message
 * @typedef {import('../../history/views.ts').TurnView} Turn
 * @typedef {{
 *   message: Message, turn: Turn | undefined, waits: boolean, follows: boolean, quoted: Message | undefined, replies: number,
 *   inThread: boolean, speaker: string, names: ReadonlyMap<string, string>, openTurn: string | undefined,
 *   onReact: (emoji: string, removed: boolean) => void, onReply: () => void, onThread: () => void,
 *   onEdit: (text: string) => void, onRemove: () => void, onOpen: (turn: string) => void,
 * }} MessageProps
 */

const EMOJI = ['👍', '❤️', '😂', '🎉', '👀', '🙏']

/** @param {MessageProps} props */
export function MessageRow(props) {
  const { message, turn, waits, follows, quoted, replies, openTurn, onThread, onOpen } = props
  const [editing, setEditing] = useState(false)
  const { author, own, text, at, edited } = message
  return html`<li class=${`message ${own ? 'own' : ''} ${follows ? 'follows' : ''}`} id=${`m-${message.id}`}>
    <span class="avatar" aria-hidden="true">${initial(author.name)}</span>
    <div class="bubble">
      <p class="byline">
        <b class="who">${shownName(author.name)}</b>${(own || author.bot) && html` <span class="badge">${say('isBot')}</span>`}
        <time datetime=${at} title=${fullTime(at)}>${timeOf(at)}</time>
      </p>
      ${quoted && html`<p class="quote"><b>${shownName(quoted.author.name)}</b> <bdi>${quoted.text}</bdi></p>`}
      ${
        editing
          ? html`<${Editor} text=${text} onDone=${(/** @type {string | undefined} */ changed) => {
              setEditing(false)
              if (changed !== undefined) props.onEdit(changed)
            }} />`
          : html`<p class="text">${text}${edited && html` <span class="faint">(${say('edited')})</span>`}</p>`
      }
      <${Reactions} ...${props} />
      ${replies > 0 && html`<button class="link" onClick=${onThread}>${replies === 1 ? say('reply1') : say('replies', { n: replies })}</button>`}
      ${turn && html`<${Verdict} turn=${turn} open=${openTurn === turn.trace.turn} onOpen=${() => onOpen(turn.trace.turn)} />`}
      ${waits && html`<p class="verdict waits"><span class="pulse" aria-hidden="true"></span>${say('listening')}</p>`}
    </div>
    <${Actions} ...${props} onEdit=${() => setEditing(true)} />
  </li>`
}

/** @param {MessageProps} props */
function Reactions({ message, speaker, names, onReact }) {
  if (message.reactions.length === 0) return null
  return html`<p class="reactions">
    ${message.reactions.map(({ emoji, by }) => {
      const mine = by.includes(speaker)
      const label = say('reactedBy', { emoji, names: by.map(id => shownName(names.get(id) ?? id)).join(', ') })
      return html`<button key=${emoji} class="chip" aria-pressed=${mine} aria-label=${label} title=${label} onClick=${() => onReact(emoji, mine)}>
        ${emoji} ${by.length}
      </button>`
    })}
  </p>`
}

/** @param {{ text: string, onDone: (changed?: string) => void }} props */
function Editor({ text, onDone }) {
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null))
  useEffect(() => field.current?.focus(), [])
  const save = () => onDone(field.current?.value.trim() || undefined)
  return html`<div class="editor">
    <textarea ref=${field} aria-label=${say('edit')} rows="2" maxlength="4000" onKeyDown=${(
      /** @type {KeyboardEvent} */ event,
    ) => {
      const key = keyOf(event)
      if (key === 'Escape') {
        // The thread around it stays open.
        event.stopPropagation()
        onDone()
      }
      if (key !== 'Enter' || event.shiftKey) return
      event.preventDefault()
      save()
    }}>${text}</textarea>
    <button class="plain" onClick=${() => onDone()}>${say('cancel')}</button>
    <button class="strong" onClick=${save}>${say('save')}</button>
  </div>`
}

/** @param {Omit<MessageProps, 'onEdit'> & { onEdit: () => void }} props */
function Actions({ message, inThread, onReact, onReply, onThread, onEdit, onRemove }) {
  const [open, setOpen] = useState(false)
  const menu = useRef(/** @type {HTMLDivElement | null} */ (null))
  useEffect(() => {
    if (!open) return
    menu.current?.querySelector('button')?.focus()
    /** @param {Event} event */
    const outside = event => {
      const leaves =
        event instanceof KeyboardEvent ? keyOf(event) === 'Escape' : !menu.current?.contains(/** @type {Node} */ (event.target))
      if (!leaves) return
      setOpen(false)
      if (event instanceof KeyboardEvent) menu.current?.parentElement?.querySelector('button')?.focus()
    }
    addEventListener('pointerdown', outside)
    addEventListener('keydown', outside)
    return () => {
      removeEventListener('pointerdown', outside)
      removeEventListener('keydown', outside)
    }
  }, [open])
  /** @param {() => void} run */
  const then = run => () => {
    setOpen(false)
    run()
  }
  return html`<div class=${`actions ${open ? 'open' : ''}`}>
    <button class="dots" aria-label=${say('more')} aria-expanded=${open} onClick=${() => setOpen(!open)}>⋯</button>
    ${
      open &&
      html`<div class="menu" ref=${menu}>
        <div class="emoji">
          ${EMOJI.map(
            emoji =>
              html`<button key=${emoji} aria-label=${say('react', { emoji })} onClick=${then(() => onReact(emoji, false))}>${emoji}</button>`,
          )}
        </div>
        <button onClick=${then(onReply)}>${say('reply')}</button>
        ${!inThread && html`<button onClick=${then(onThread)}>${say('thread')}</button>`}
        ${
          !message.own &&
          html`<button onClick=${then(onEdit)}>${say('edit')}</button>
            <button class="danger" onClick=${then(onRemove)}>${say('delete')}</button>`
        }
      </div>`
    }
  </div>`
}
