/** One channel: how the bot stands there, what is about to happen, what it remembers, and what holds there. */
import { call, listenTo, Refused } from './api.js'
import { ChannelMemory } from './channel-memory.js'
import { ChannelSettings, Chattiness } from './channel-settings.js'
import { placeName, timeOf } from './format.js'
import { html, useEffect, useRef, useState } from './html.js'
import { language } from './settings.js'
import { Upcoming } from './upcoming.js'
import { say } from './words.js'

/**
 * @typedef {import('../channel-views.ts').ChannelDetail} Detail
 * @typedef {import('../channel-views.ts').OptionView} Option
 */

const TABS = /** @type {const} */ (['now', 'remembered', 'settings'])

/** Milliseconds: what happens in a row is read once, when the bot has written it down. */
const SOON = 600

/** @param {{ conversation: string, onNotice: (text: string) => void }} props */
export function Channel({ conversation, onNotice }) {
  const [detail, setDetail] = useState(/** @type {Detail | undefined} */ (undefined))
  const [options, setOptions] = useState(/** @type {readonly Option[]} */ ([]))
  const [isNowhere, setNowhere] = useState(false)
  const [shown, setShown] = useState(/** @type {typeof TABS[number]} */ ('now'))
  const [happened, setHappened] = useState(0)
  const locale = language()

  function failed(/** @type {Error} */ error) {
    if (error instanceof Refused && error.status === 404) setNowhere(true)
    else onNotice(say('failed', { why: error.message }))
  }
  const read = () => call('channel', { query: { conversation, locale } }).then(setDetail, failed)
  useEffect(() => void read(), [conversation, locale, happened])
  useEffect(() => {
    call('channel/settings', { query: { conversation } }).then(answer => setOptions(answer.settings), failed)
  }, [conversation])
  useEffect(() => whatHappensIn(conversation, () => setHappened(count => count + 1)), [conversation])

  // One comes from a list that may have been long.
  useEffect(() => {
    const main = document.getElementById('main')
    main?.focus({ preventScroll: true })
    main?.scrollTo(0, 0)
  }, [])
  /** @param {readonly Option[]} next */
  function changed(next) {
    setOptions(next)
    void read()
  }

  if (isNowhere) return html`<section class="sheet"><${Back} /><h1>${say('noChannel')}</h1></section>`
  if (!detail) return null
  const { place } = detail
  return html`<section class="sheet channel">
    <header class="lead">
      <${Back} />
      <h1>${placeName(place)}</h1>
      <p>${place.platform} · ${say(place.visibility)}</p>
      <div class="segments" role="group" aria-label=${say('show')}>
        ${TABS.map(one => html`<button key=${one} aria-pressed=${shown === one} onClick=${() => setShown(one)}>${say(one)}</button>`)}
      </div>
    </header>
    ${
      shown === 'now' &&
      html`<${Standing} detail=${detail} onOrdered=${read} onNotice=${onNotice} />
        <${Chattiness} conversation=${conversation} options=${options} onChange=${changed} onNotice=${onNotice} />
        <${Upcoming} conversation=${conversation} happened=${happened} onNotice=${onNotice} />
        <${GoesOn} detail=${detail} />`
    }
    ${shown === 'remembered' && html`<${ChannelMemory} detail=${detail} />`}
    ${shown === 'settings' && html`<${ChannelSettings} conversation=${conversation} options=${options} onChange=${changed} onNotice=${onNotice} />`}
  </section>`
}

function Back() {
  return html`<p class="back"><a href="#/channels">← ${say('channels')}</a></p>`
}

/**
 * Runs after something was said or judged in a channel or its threads, until the returned function is called.
 *
 * @param {string} conversation @param {() => void} run
 */
function whatHappensIn(conversation, run) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  const quit = listenTo(event => {
    if (event.type !== 'message' && event.type !== 'turn') return
    const where = event.type === 'turn' ? event.turn.place.conversation : event.place.conversation
    if (!`${where}/`.startsWith(`${conversation}/`)) return
    clearTimeout(timer)
    timer = setTimeout(run, SOON)
  })
  return () => {
    clearTimeout(timer)
    quit()
  }
}

/** @param {{ detail: Detail, onOrdered: () => void, onNotice: (text: string) => void }} props */
function Standing({ detail, onOrdered, onNotice }) {
  const { status, orders, place } = detail
  /** @param {string} command */
  const order = command =>
    call('channel/command', {
      method: 'POST',
      body: { conversation: place.conversation, command, locale: language() },
    }).then(
      ({ answer }) => {
        onNotice(answer)
        onOrdered()
      },
      error => onNotice(say('failed', { why: error.message })),
    )
  return html`<ul class="standing">${status.map(line => html`<li key=${line}>${line}</li>`)}</ul>
    <p class="orders">
      ${
        orders.includes('quiet') &&
        html`<button class="plain" onClick=${() => order('quiet 1h')}>${say('quiet1h')}</button>
          <button class="plain" onClick=${() => order('quiet 8h')}>${say('quiet8h')}</button>
          <button class="plain" onClick=${() => order('talk')}>${say('talkAgain')}</button>`
      }
      <${Stop} onStop=${() => order('stop')} />
      <button class="plain" onClick=${() => order('start')}>${say('goOn')}</button>
    </p>`
}

/** @param {{ onStop: () => void }} props */
function Stop({ onStop }) {
  const [asked, setAsked] = useState(false)
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null))
  return html`<button ref=${button} class="plain danger" onBlur=${() => setAsked(false)} onClick=${() => {
    if (asked) onStop()
    setAsked(!asked)
  }}>${say(asked ? 'reallyStop' : 'stopAll')}</button>`
}

/** @param {{ detail: Detail }} props */
function GoesOn({ detail: { mood, topics, memories, members } }) {
  const { recent = '', at } = memories?.channel ?? {}
  return html`<h2>${say('goesOn')}</h2>
    ${recent === '' && html`<p class="faint">${say(memories ? 'nothingGoesOn' : 'noMemories')}</p>`}
    ${recent !== '' && html`<p class="text">${recent}</p>`}
    <dl class="facts-of">
      ${mood !== '' && html`<div><dt>${say('mood')}</dt><dd>${mood}</dd></div>`}
      ${topics.length > 0 && html`<div><dt>${say('topics')}</dt><dd>${topics.join(' · ')}</dd></div>`}
      ${at && html`<div><dt>${say('writtenDown')}</dt><dd>${timeOf(at)}</dd></div>`}
      ${members.length > 0 && html`<div><dt>${say('takePart')}</dt><dd>${members.map(({ name, messages }) => say('memberOf', { name, n: messages })).join(' · ')}</dd></div>`}
    </dl>`
}
