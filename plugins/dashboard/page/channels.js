/** Channels: how lively they are, what goes on in them, and how the bot stands there. */
import { call } from './api.js'
import { placeName, timeOf } from './format.js'
import { html, useEffect, useState } from './html.js'
import { language } from './settings.js'
import { say } from './words.js'

/**
 * @typedef {import('../views.ts').ChannelView} Channel
 * @typedef {{ status: string, memory?: import('../views.ts').MemoryView }} Detail
 */

/** @param {{ bot: { name: string }, onNotice: (text: string) => void }} props */
export function Channels({ bot, onNotice }) {
  const [channels, setChannels] = useState(/** @type {readonly Channel[] | undefined} */ (undefined))
  const [open, setOpen] = useState('')
  useEffect(() => {
    call('channels').then(
      answer => setChannels(answer.channels),
      error => onNotice(say('failed', { why: error.message })),
    )
  }, [])
  return html`<section class="sheet">
    <header class="lead"><h1>${say('channels')}</h1><p>${say('channelsIntro', { bot: bot.name })}</p></header>
    ${channels?.length === 0 && html`<div class="empty"><h2>${say('liveEmptyTitle')}</h2><p>${say('liveEmptyText', { bot: bot.name })}</p></div>`}
    <ul class="turns">
      ${channels?.map(({ place, heard, waiting, turns, replies }) => {
        const { conversation } = place
        const isOpen = open === conversation
        const notes = [
          say('judgedToday', { n: turns }),
          say('spokeToday', { n: replies }),
          waiting > 0 && say('waiting', { n: waiting }),
        ]
        return html`<li key=${conversation} class=${isOpen ? 'turn open' : 'turn'}>
          <button class="row wide-row" aria-expanded=${isOpen} onClick=${() => setOpen(isOpen ? '' : conversation)}>
            <span class="snippet"><b>${placeName(place)}</b> <span class="faint">${place.platform}</span></span>
            <span class="where">${heard && timeOf(heard)}</span>
            <span class="outcome">${notes.filter(Boolean).join(' · ')}</span>
          </button>
          ${isOpen && html`<${Detail} conversation=${conversation} onNotice=${onNotice} />`}
        </li>`
      })}
    </ul>
  </section>`
}

/** @param {{ conversation: string, onNotice: (text: string) => void }} props */
function Detail({ conversation, onNotice }) {
  const [detail, setDetail] = useState(/** @type {Detail | undefined} */ (undefined))
  const locale = language()
  const failed = (/** @type {Error} */ error) => onNotice(say('failed', { why: error.message }))
  const read = () => call('channel', { query: { conversation, locale } }).then(setDetail, failed)
  useEffect(() => void read(), [conversation, locale])

  /** @param {string} command */
  const order = command =>
    call('channel/command', { method: 'POST', body: { conversation, command, locale } }).then(({ answer }) => {
      onNotice(answer)
      return read()
    }, failed)

  if (!detail) return null
  const { status, memory } = detail
  return html`<div class="trace channel">
    ${
      memory &&
      (memory.recent || memory.history) &&
      html`<h3>${say('goesOn')}</h3>
        ${memory.recent && html`<p class="text">${memory.recent}</p>`}
        ${memory.topics.length > 0 && html`<p class="faint">${say('topics')}: ${memory.topics.join(', ')}</p>`}
        ${memory.mood && html`<p class="faint">${say('mood')}: ${memory.mood}</p>`}
        ${memory.history && html`<h3>${say('before')}</h3><p class="text">${memory.history}</p>`}`
    }
    <h3>${say('stands')}</h3>
    <p class="text">${status}</p>
    <p class="orders">
      <button class="plain" onClick=${() => order('quiet 1h')}>${say('quiet1h')}</button>
      <button class="plain" onClick=${() => order('talk')}>${say('talkAgain')}</button>
      <button class="plain danger" onClick=${() => order('stop')}>${say('stopAll')}</button>
      <button class="plain" onClick=${() => order('start')}>${say('goOn')}</button>
    </p>
  </div>`
}
