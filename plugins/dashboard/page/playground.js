/** The playground: a room, its threads, and why the bot did what it did. */
import { call, listenTo } from './api.js'
import { html, useEffect, useReducer, useRef, useState } from './html.js'
import { next, nothing } from './room-state.js'
import { choose, language, setting } from './settings.js'
import { Talk } from './talk.js'
import { Trace } from './trace.js'
import { say } from './words.js'

/**
 * @typedef {{ id: string, name: string, names: string[] }} Bot
 */

/** Who is there before anybody has said anything. */
const FIRST = ['alice', 'bob']

/** @param {{ room: string, bot: Bot, people: readonly { id: string, name: string }[], onNotice: (text: string) => void }} props */
export function Playground({ room, bot, people, onNotice }) {
  const [state, change] = useReducer(next, nothing)
  const [side, setSide] = useState(/** @type {{ thread?: string | undefined, turn?: string | undefined }} */ ({}))
  const [told, setTold] = useState('')
  const alone = room.startsWith('@')
  const [chosen, setChosen] = useState(setting('speaker', FIRST[0] ?? ''))
  const [added, setAdded] = useState(/** @type {readonly string[]} */ (FIRST))
  const speaker = alone ? room.slice(1) : chosen

  useEffect(() => {
    setSide({})
    setTold('')
    return listenTo(event => {
      if (event.type === 'open') {
        call('playground/messages', { query: { room } })
          .then(read => change({ type: 'read', room: read }))
          .catch(error => onNotice(say('failed', { why: error.message })))
      } else if (event.type !== 'lost') change(event)
    })
  }, [room])

  /** @param {Promise<any>} doing */
  const tried = doing =>
    doing.then(
      answer => answer ?? true,
      error => {
        onNotice(say('failed', { why: error.message }))
        return undefined
      },
    )

  /** @param {string} text @param {string} [thread] @param {string} [replyTo] */
  async function speak(text, thread, replyTo) {
    const answer = await tried(
      call('playground/messages', { method: 'POST', body: { room, thread, author: speaker, text, replyTo, locale: language() } }),
    )
    if (answer?.answer !== undefined) setTold(answer.answer)
    if (answer?.heard === false) onNotice(say('unheard', { bot: bot.name }))
    return answer !== undefined
  }

  /** @param {string} name */
  function speakAs(name) {
    setChosen(name)
    choose('speaker', name)
    if (!added.includes(name)) setAdded([...added, name])
  }

  const everybody = [
    ...new Set([
      ...added,
      chosen,
      ...people.map(({ name }) => name),
      ...state.messages.filter(({ own }) => !own).map(({ author }) => author.name),
    ]),
  ].filter(Boolean)
  const turn = state.turns.find(({ trace }) => trace.turn === side.turn)
  const root = state.messages.find(({ id }) => id === side.thread)
  const shared = { state, bot, speaker, everybody, alone, side, setSide, speak, speakAs, tried, room, told, setTold }
  return html`<div class=${`playground ${turn || root ? 'with-side' : ''}`}>
    <h1 class="hidden">${alone ? room : `#${room}`}</h1>
    <${Talk} key=${room} ...${shared} thread=${undefined} />
    ${
      turn
        ? html`<${Side} title=${say('why')} onClose=${() => setSide({ ...side, turn: undefined })}><div class="scroll"><${Trace} turn=${turn} /></div><//>`
        : root &&
          html`<${Side} title=${say('thread')} onClose=${() => setSide({})}><${Talk} key=${root.id} ...${shared} thread=${root.id} /><//>`
    }
  </div>`
}

/** @param {{ title: string, onClose: () => void, children?: unknown }} props */
export function Side({ title, onClose, children }) {
  const close = useRef(/** @type {HTMLButtonElement | null} */ (null))
  useEffect(() => {
    const before = document.activeElement
    close.current?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return html`<aside class="side" aria-label=${title} onKeyDown=${(/** @type {KeyboardEvent} */ { key }) => key === 'Escape' && onClose()}>
    <header><h2>${title}</h2><button ref=${close} class="plain" onClick=${onClose}>${say('close')}</button></header>
    ${children}
  </aside>`
}
