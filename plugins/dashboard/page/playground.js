/** The playground: a room, its threads, and why the bot did what it did. */
import { call, listenTo } from './api.js'
import { Composer } from './composer.js'
import { html, useEffect, useLayoutEffect, useReducer, useRef, useState } from './html.js'
import { MessageRow } from './message.js'
import { next, nothing, shownIn, verdicts } from './room-state.js'
import { choose, setting } from './settings.js'
import { Trace } from './trace.js'
import { say } from './words.js'

/**
 * @typedef {import('../views.ts').MessageView} Message
 * @typedef {{ id: string, name: string, names: string[] }} Bot
 */

/** Who is there before anybody has said anything. */
const FIRST = ['alice', 'bob']

/** What the bot has not judged by then it will not. */
const JUDGED_BY = 5 * 60_000

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
      call('playground/messages', { method: 'POST', body: { room, thread, author: speaker, text, replyTo } }),
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

/** A room, or one thread of it. @param {any} props */
function Talk({
  state,
  bot,
  speaker,
  everybody,
  alone,
  side,
  setSide,
  speak,
  speakAs,
  tried,
  room,
  thread,
  told: answer,
  setTold,
}) {
  const [replyTo, setReplyTo] = useState(/** @type {Message | undefined} */ (undefined))
  const list = useRef(/** @type {HTMLDivElement | null} */ (null))
  const { here, threads } = shownIn(state.messages, thread)
  const { told, judged } = verdicts(state.turns)
  const byId = new Map(state.messages.map((/** @type {Message} */ one) => [one.id, one]))
  const names = new Map(state.messages.map((/** @type {Message} */ { author }) => [author.id, author.name]))
  const conversation = thread === undefined ? state.conversation : `${state.conversation}/${encodeURIComponent(thread)}`
  const typing = state.typing.includes(conversation)
  const last = here.findLast(({ own }) => !own)
  const id = idOf(speaker)

  useLayoutEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [here.length, state.turns.length, typing])

  const path = (/** @type {string} */ message) => `playground/messages/${encodeURIComponent(message)}`
  return html`<section class="talk">
    <div class="scroll" ref=${list} tabindex="0" role="log" aria-label=${say('log')}>
      ${state.conversation !== '' && here.length === 0 && html`<${Welcome} bot=${bot} onTry=${speak} />`}
      <ol class="messages">
        ${here.map(
          (message, index) => html`<${MessageRow}
            key=${message.id}
            message=${message}
            turn=${told.get(message.id)}
            waits=${message === last && !judged.has(message.id) && Date.now() - new Date(message.at).getTime() < JUDGED_BY}
            follows=${isFollowing(here[index - 1], message, told)}
            quoted=${message.replyTo === undefined || message.replyTo === here[index - 1]?.id ? undefined : byId.get(message.replyTo)}
            replies=${thread === undefined ? (threads.get(message.id) ?? 0) : 0}
            inThread=${thread !== undefined}
            speaker=${id}
            names=${names}
            openTurn=${side.turn}
            onReact=${(/** @type {string} */ emoji, /** @type {boolean} */ removed) =>
              tried(call(`${path(message.id)}/reactions`, { method: 'POST', body: { room, by: speaker, emoji, removed } }))}
            onReply=${() => setReplyTo(message)}
            onThread=${() => setSide({ thread: message.id })}
            onEdit=${(/** @type {string} */ text) => tried(call(path(message.id), { method: 'PATCH', body: { room, text } }))}
            onRemove=${() => tried(call(path(message.id), { method: 'DELETE', query: { room } }))}
            onOpen=${(/** @type {string} */ turn) => setSide({ ...side, turn: side.turn === turn ? undefined : turn })}
          />`,
        )}
      </ol>
      <p class="typing" role="status">${typing && html`${say('typing', { name: bot.name })}<span class="typing-dots" aria-hidden="true"><i></i><i></i><i></i></span>`}</p>
    </div>
    ${
      answer !== '' &&
      thread === side.thread &&
      html`<div class="told" role="status">
        <p class="byline"><b class="who">${bot.name}</b> <span class="faint">${say('onlyYou')}</span></p>
        <p class="text">${answer}</p>
        <button class="plain" onClick=${() => setTold('')}>${say('close')}</button>
      </div>`
    }
    <${Composer}
      people=${everybody}
      speaker=${speaker}
      alone=${alone}
      replyTo=${replyTo}
      onSpeaker=${speakAs}
      onSay=${(/** @type {string} */ text) => {
        setReplyTo(undefined)
        return speak(text, thread, replyTo?.id)
      }}
      onCancel=${() => setReplyTo(undefined)}
    />
  </section>`
}

/** @param {{ bot: Bot, onTry: (text: string) => void }} props */
function Welcome({ bot, onTry }) {
  const names = { bot: bot.name }
  const tries = [say('tryHello', names), say('tryAnyone', names), say('tryRemember', names), say('tryKnow', names)]
  return html`<div class="welcome">
    <h2>${say('emptyTitle')}</h2>
    <p>${say('emptyText', names)}</p>
    <h3>${say('try')}</h3>
    <ul>
      ${tries.map(text => html`<li key=${text}><button class="suggestion" onClick=${() => onTry(text)}>${text}</button></li>`)}
    </ul>
  </div>`
}

/** How the server makes an id of a name. @param {string} name */
function idOf(name) {
  return name.normalize('NFKC').toLowerCase()
}

/** Said by the same person right after, with no verdict between them. @param {Message | undefined} before @param {Message} message @param {ReadonlyMap<string, unknown>} told */
function isFollowing(before, message, told) {
  if (!before || before.author.id !== message.author.id || told.has(before.id) || message.replyTo !== undefined) return false
  return new Date(message.at).getTime() - new Date(before.at).getTime() < 2 * 60_000
}
