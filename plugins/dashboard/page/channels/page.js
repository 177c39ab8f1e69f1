/** The list of channels, with activity and scheduled turns. */
import { call } from '../base/api.js'
import { placeName, timeOf } from '../base/format.js'
import { html, useEffect, useRef, useState } from '../base/html.js'
import { useNewest } from '../base/newest.js'
import { say } from '../base/words.js'
import { Failed } from '../parts/failed.js'
import { sought } from '../parts/finder.js'
import { Channel } from './channel.js'

/** @typedef {import('../../channels/views.ts').ChannelView} ChannelView */

/** Maximum number without a search field. */
const MANY = 8

/**
 * `#/channels` is the list, `#/channels/ID` a channel, `#/channels/ID/settings` one of its views.
 *
 * @param {{ bot: { name: string }, where: string, view: string, onShown: (name: string) => void, onNotice: (text: string) => void }} props
 */
export function Page({ bot, where: open, view, onShown, onNotice }) {
  const isBegun = useRef(false)
  useEffect(() => {
    isBegun.current = true
  }, [])
  if (open) return html`<${Channel} key=${open} conversation=${open} view=${view} onShown=${onShown} onNotice=${onNotice} />`
  return html`<${List} bot=${bot} isBack=${isBegun.current} />`
}

/** @param {{ bot: { name: string }, isBack: boolean }} props `isBack`: the user comes back from a channel */
function List({ bot, isBack }) {
  const [channels, setChannels] = useState(/** @type {readonly ChannelView[] | undefined} */ (undefined))
  const [wanted, setWanted] = useState('')
  const [why, setWhy] = useState('')
  const heading = useRef(/** @type {HTMLElement | null} */ (null))
  const { hear } = useNewest()
  function read() {
    setWhy('')
    void hear(
      call('channels', { query: { text: sought(wanted) } }),
      answer => setChannels(answer.channels),
      error => setWhy(error.message),
    )
  }
  useEffect(read, [wanted])
  // The clicked link is gone.
  useEffect(() => {
    if (isBack) heading.current?.focus()
  }, [])
  return html`<section class="sheet">
    <header class="lead"><h1 ref=${heading} tabindex="-1">${say('channels')}</h1><p>${say('channelsIntro', { bot: bot.name })}</p></header>
    ${why !== '' && html`<${Failed} why=${why} onRetry=${read} />`}
    ${channels?.length === 0 && wanted === '' && html`<div class="empty"><h2>${say('liveEmptyTitle')}</h2><p>${say('liveEmptyText', { bot: bot.name })}</p></div>`}
    ${
      channels &&
      (channels.length > MANY || wanted !== '') &&
      html`<div class="search" role="search">
        <label class="grow">
          <span class="label">${say('findChannels')}</span>
          <input type="search" maxlength="200" onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => setWanted(currentTarget.value)} />
        </label>
      </div>`
    }
    ${channels?.length === 0 && wanted !== '' && html`<p class="faint" role="status">${say('foundNoChannel')}</p>`}
    <ul class="turns places">
      ${channels?.map(channel => html`<li key=${channel.place.conversation} class="turn"><${Row} channel=${channel} /></li>`)}
    </ul>
  </section>`
}

/** @param {{ channel: ChannelView }} props */
function Row({ channel: { place, heard, waiting, answers, turns, replies } }) {
  const notes = [
    say('judgedToday', { n: turns }),
    say('spokeToday', { n: replies }),
    waiting > 0 && say('waiting', { n: waiting }),
  ].filter(Boolean)
  return html`<a class="row wide-row" href=${`#/channels/${encodeURIComponent(place.conversation)}`}>
    <span class="snippet"><b>${placeName(place)}</b> <span class="faint">${place.platform}</span></span>
    <span class="where">${heard && timeOf(heard)}</span>
    <span class="outcome">${notes.join(' · ')}${answers > 0 && html` <b class="soon">${say('answersWait', { n: answers })}</b>`}</span>
  </a>`
}
