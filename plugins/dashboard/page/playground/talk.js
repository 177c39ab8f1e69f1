/** The messages of a room or a thread, and the message field. */
import { call } from '../base/api.js'
import { html, useLayoutEffect, useRef, useState } from '../base/html.js'
import { say } from '../base/words.js'
import { Composer } from './composer.js'
import { MessageRow } from './message.js'
import { shownIn, verdicts } from './room-state.js'

/**
 * @typedef {import('../../history/views.ts').MessageView} Message
 * @typedef {{ id: string, name: string, names: string[] }} Bot
 * @typedef {{
 *   state: import('./room-state.js').Room, bot: Bot, speaker: string, everybody: readonly string[], alone: boolean, room: string,
 *   thread: string | undefined, side: { thread?: string | undefined, turn?: string | undefined }, told: string,
 *   setSide: (side: { thread?: string | undefined, turn?: string | undefined }) => void, setTold: (answer: string) => void,
 *   speak: (text: string, thread?: string, replyTo?: string) => Promise<boolean>, speakAs: (name: string) => void,
 *   tried: (doing: Promise<any>) => Promise<any>,
 * }} TalkProps `told`: the answer to a command
 */

/** Milliseconds after which a message without a turn will get none. */
const JUDGED_BY = 5 * 60_000

/** Maximum distance from the end in pixels at which the list follows new messages. */
const END = 40

/** @param {TalkProps} props */
export function Talk({
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
  /** A user who reads earlier messages is not scrolled. */
  const follows = useRef(true)
  const { here, threads } = shownIn(state.messages, thread)
  const { told, judged } = verdicts(state.turns)
  const byId = new Map(state.messages.map((/** @type {Message} */ one) => [one.id, one]))
  const names = new Map(state.messages.map((/** @type {Message} */ { author }) => [author.id, author.name]))
  const conversation = thread === undefined ? state.conversation : `${state.conversation}/${encodeURIComponent(thread)}`
  const typing = state.typing.includes(conversation)
  const last = here.findLast(({ own }) => !own)
  const id = idOf(speaker)

  useLayoutEffect(() => {
    if (follows.current) list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [state])

  /** @param {string} text */
  async function send(text) {
    follows.current = true
    setReplyTo(undefined)
    const said = await speak(text, thread, replyTo?.id)
    if (!said) setReplyTo(chosen => chosen ?? replyTo)
    return said
  }

  const path = (/** @type {string} */ message) => `playground/messages/${encodeURIComponent(message)}`
  return html`<section class="talk">
    <div class="scroll" ref=${list} tabindex="0" role="log" aria-label=${say('log')} onScroll=${(
      /** @type {{ currentTarget: HTMLDivElement }} */ { currentTarget: { scrollHeight, scrollTop, clientHeight } },
    ) => {
      follows.current = scrollHeight - scrollTop - clientHeight < END
    }}>
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
      onSay=${send}
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

/** The id that the server makes from a name. @param {string} name */
function idOf(name) {
  return name.normalize('NFKC').toLowerCase()
}

/**
 * A message of the same author directly after, without a decision between. @param {Message | undefined} before @param
 * {Message} message @param {ReadonlyMap<string, unknown>} told
 */
function isFollowing(before, message, told) {
  if (!before || before.author.id !== message.author.id || told.has(before.id) || message.replyTo !== undefined) return false
  return new Date(message.at).getTime() - new Date(before.at).getTime() < 2 * 60_000
}
