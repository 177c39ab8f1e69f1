/** A channel: the state of the bot, scheduled turns, memories, and options. */
import { call, Refused } from '../base/api.js'
import { listenTo } from '../base/events.js'
import { focusIsLost } from '../base/focus.js'
import { placeName, shownName, timeOf } from '../base/format.js'
import { html, useEffect, useRef, useState } from '../base/html.js'
import { useNewest } from '../base/newest.js'
import { language, say } from '../base/words.js'
import { Confirm } from '../parts/confirm.js'
import { Failed } from '../parts/failed.js'
import { JudgeFigures } from './judge.js'
import { ChannelMemory } from './memory.js'
import { ChannelSettings, Chattiness } from './settings.js'
import { Upcoming } from './upcoming.js'

/**
 * @typedef {import('../../channels/views.ts').ChannelDetail} Detail
 * @typedef {import('../../channels/views.ts').OptionView} Option
 */

const TABS = /** @type {const} */ (['now', 'remembered', 'settings'])

/** Milliseconds in which events are collected, until the bot has stored them. */
const SOON = 600

/** @param {{ conversation: string, view: string, onShown: (name: string) => void, onNotice: (text: string) => void }} props */
export function Channel({ conversation, view, onShown, onNotice }) {
  const [detail, setDetail] = useState(/** @type {Detail | undefined} */ (undefined))
  const [options, setOptions] = useState(/** @type {readonly Option[] | undefined} */ (undefined))
  const [isNowhere, setNowhere] = useState(false)
  /** Why it could not be read. */
  const [why, setWhy] = useState({ detail: '', settings: '' })
  const [happened, setHappened] = useState(0)
  const locale = language()
  const shown = TABS.find(one => one === view) ?? 'now'
  const heading = useRef(/** @type {HTMLElement | null} */ (null))
  const [details, settings] = [useNewest(), useNewest()]

  /** @param {keyof typeof why} what @param {Error} [error] */
  function came(what, error) {
    if (error instanceof Refused && error.status === 404) setNowhere(true)
    else setWhy(had => ({ ...had, [what]: error?.message ?? '' }))
  }
  /** @param {Detail} next */
  function heard(next) {
    setDetail(next)
    onShown(placeName(next.place))
    came('detail')
  }
  /** @param {{ settings: readonly Option[] }} answer */
  function heardSettings(answer) {
    setOptions(answer.settings)
    came('settings')
  }
  const read = () => details.hear(call('channel', { query: { conversation, locale } }), heard, error => came('detail', error))
  const readSettings = () =>
    settings.hear(call('channel/settings', { query: { conversation } }), heardSettings, error => came('settings', error))
  function retry() {
    void read()
    void readSettings()
  }
  useEffect(() => void read(), [conversation, locale, happened])
  useEffect(() => void readSettings(), [conversation])
  useEffect(() => whatHappensIn(conversation, () => setHappened(count => count + 1)), [conversation])

  // The list of channels before it may have been long.
  useEffect(() => document.getElementById('main')?.scrollTo(0, 0), [])
  // The clicked link is gone.
  useEffect(() => {
    if (focusIsLost()) heading.current?.focus({ preventScroll: true })
  }, [isNowhere || detail !== undefined])
  /** @param {readonly Option[]} next */
  function changed(next) {
    settings.outdate()
    setOptions(next)
    // Two parallel changes may be answered in any order.
    void readSettings()
    void read()
  }

  if (isNowhere)
    return html`<section class="sheet"><${Back} /><h1 ref=${heading} tabindex="-1">${say('noChannel')}</h1></section>`
  const reason = why.detail || why.settings
  const notRead = reason !== '' && html`<${Failed} why=${reason} onRetry=${retry} />`
  if (!detail) return notRead && html`<section class="sheet"><${Back} />${notRead}</section>`
  const { place } = detail
  return html`<section class="sheet channel">
    <header class="lead">
      <${Back} />
      <h1 ref=${heading} tabindex="-1">${placeName(place)}</h1>
      <p>${place.platform} · ${say(place.visibility)}${place.outsiders && ` · ${say('outsiders')}`}</p>
      <div class="lead-row"><div class="segments" role="group" aria-label=${say('show')}>
        ${TABS.map(
          one =>
            html`<button key=${one} aria-pressed=${shown === one} onClick=${() => {
              location.hash = `#/channels/${encodeURIComponent(conversation)}/${one}`
            }}>${say(one)}</button>`,
        )}
      </div>
      <p class="lead-actions"><a class="plain" href=${`#/turns?channel=${encodeURIComponent(conversation)}`}>${say('turns')}</a>
        <a class="plain" href=${`#/tuning/${encodeURIComponent(conversation)}`}>${say('tuneChannel')}</a></p></div>
      ${notRead}
    </header>
    ${
      shown === 'now' &&
      html`<${Standing} detail=${detail} onOrdered=${read} onNotice=${onNotice} />
        ${options && html`<${Chattiness} conversation=${conversation} options=${options} onChange=${changed} onNotice=${onNotice} />`}
        <${Upcoming} conversation=${conversation} happened=${happened} onNotice=${onNotice} />
        <${GoesOn} detail=${detail} />
        ${detail.judge && html`<${JudgeFigures} judge=${detail.judge} />`}`
    }
    ${shown === 'remembered' && html`<${ChannelMemory} detail=${detail} />`}
    ${shown === 'settings' && options && html`<${ChannelSettings} conversation=${conversation} options=${options} onChange=${changed} onNotice=${onNotice} />`}
  </section>`
}

function Back() {
  return html`<p class="back"><a href="#/channels">← ${say('channels')}</a></p>`
}

/**
 * Calls `run` after an event in a channel or its threads, until the returned function is called.
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
  const can = (/** @type {string} */ wanted) => orders.find(({ name }) => name === wanted)
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
      ${can('quiet') && html`<${Order} text=${say('quiet1h')} can=${can('quiet')} onGive=${() => order('quiet 1h')} />`}
      ${can('quiet') && html`<${Order} text=${say('quiet8h')} can=${can('quiet')} onGive=${() => order('quiet 8h')} />`}
      ${can('talk') && html`<${Order} text=${say('talkAgain')} can=${can('talk')} onGive=${() => order('talk')} />`}
      ${
        can('stop')?.applies
          ? html`<${Confirm} ask=${say('stopAll')} sure=${say('reallyStop')} danger onSure=${() => order('stop')} />`
          : html`<${Order} text=${say('stopAll')} can=${can('stop')} onGive=${() => {}} />`
      }
      <${Order} text=${say('goOn')} can=${can('start')} onGive=${() => order('start')} />
    </p>`
}

/**
 * A command as a button. When it would change nothing it is disabled, and keeps the focus that it may have.
 *
 * @param {{ text: string, can: { applies: boolean } | undefined, onGive: () => void }} props
 */
function Order({ text, can, onGive }) {
  return html`<button class="plain" aria-disabled=${can?.applies ? undefined : 'true'} onClick=${() => can?.applies && onGive()}>${text}</button>`
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
      ${members.length > 0 && html`<div><dt>${say('takePart')}</dt><dd>${members.map(({ name, messages }) => say('memberOf', { name: shownName(name), n: messages })).join(' · ')}</dd></div>`}
    </dl>`
}
