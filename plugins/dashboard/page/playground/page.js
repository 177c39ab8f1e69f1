/** The playground: a room, its threads, and the decisions of the bot. */
import { call } from '../base/api.js'
import { listenTo } from '../base/events.js'
import { html, useLayoutEffect, useReducer, useRef, useState } from '../base/html.js'
import { keyOf } from '../base/keys.js'
import { choose, setting } from '../base/settings.js'
import { language, say } from '../base/words.js'
import { Failed } from '../parts/failed.js'
import { Trace } from '../turn/trace.js'
import { next, nothing } from './room-state.js'
import { Talk } from './talk.js'

/**
 * @typedef {import('../../history/views.ts').FeedEvent} FeedEvent
 * @typedef {{ id: string, name: string, names: string[] }} Bot
 */

/** People before the first message. */
const FIRST = ['alice', 'bob']

/** @param {{ where: string, bot: Bot, people: readonly { id: string, name: string }[], onNotice: (text: string) => void }} props */
export function Page({ where: room, bot, people, onNotice }) {
  const [state, change] = useReducer(next, nothing)
  const [side, setSide] = useState(/** @type {{ thread?: string | undefined, turn?: string | undefined }} */ ({}))
  const [told, setTold] = useState('')
  /** Why the room could not be read. */
  const [why, setWhy] = useState('')
  const retry = useRef(() => {})
  const alone = room.startsWith('@')
  const [chosen, setChosen] = useState(setting('speaker', FIRST[0] ?? ''))
  const [added, setAdded] = useState(/** @type {readonly string[]} */ (FIRST))
  const speaker = alone ? room.slice(1) : chosen

  // Before the first paint, so that a room is never shown under the name of another.
  useLayoutEffect(() => {
    change({ type: 'left' })
    setSide({})
    setTold('')
    setWhy('')
    /** Events since the request, which its response may not contain. @type {FeedEvent[] | undefined} */
    let meanwhile

    async function read() {
      /** @type {FeedEvent[]} */
      const since = []
      meanwhile = since
      const answer = await call('playground/messages', { query: { room } }).catch(error => error)
      // Another room is shown now, or this one was requested again.
      if (meanwhile !== since) return
      meanwhile = undefined
      if (answer instanceof Error) return setWhy(answer.message)
      setWhy('')
      change({ type: 'read', room: answer })
      for (const event of since) change(event)
    }

    retry.current = read
    // At once, and again when the events come: those before that were missed.
    void read()
    const leave = listenTo(event => {
      if (event.type === 'lost') return
      if (event.type === 'open') return void read()
      meanwhile?.push(event)
      change(event)
    })
    return () => {
      meanwhile = undefined
      leave()
    }
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
    ${
      why && state.conversation === ''
        ? html`<section class="sheet"><${Failed} why=${why} onRetry=${() => retry.current()} /></section>`
        : html`<${Talk} key=${room} ...${shared} thread=${undefined} />`
    }
    ${
      root &&
      html`<${Side} key="thread" title=${say('thread')} covered=${turn !== undefined} onClose=${() => setSide({})}>
        <${Talk} key=${root.id} ...${shared} thread=${root.id} />
      <//>`
    }
    ${
      turn &&
      html`<${Side} key="why" title=${say('why')} onClose=${() => setSide({ ...side, turn: undefined })}>
        <div class="scroll"><${Trace} turn=${turn} /></div>
      <//>`
    }
  </div>`
}

/**
 * @param {{ title: string, covered?: boolean, onClose: () => void, children?: unknown }} props `covered`: another panel is
 * above it
 */
export function Side({ title, covered = false, onClose, children }) {
  const close = useRef(/** @type {HTMLButtonElement | null} */ (null))
  // At once, because a covered element loses the focus.
  useLayoutEffect(() => {
    const before = document.activeElement
    close.current?.focus()
    return () => {
      // The focus target may be covered until this panel is gone.
      if (before instanceof HTMLElement) queueMicrotask(() => before.focus())
    }
  }, [])
  return html`<aside class="side" inert=${covered} aria-label=${title} onKeyDown=${(/** @type {KeyboardEvent} */ event) => keyOf(event) === 'Escape' && onClose()}>
    <header><h2>${title}</h2><button ref=${close} class="plain" onClick=${onClose}>${say('close')}</button></header>
    ${children}
  </aside>`
}
