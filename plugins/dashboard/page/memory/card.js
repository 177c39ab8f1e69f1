/** The card of a person: what is known from all channels, besides facts. */
import { call } from '../base/api.js'
import { fullTime, numberOf, shownName, timeOf } from '../base/format.js'
import { html, useEffect, useState } from '../base/html.js'
import { say } from '../base/words.js'

/** @typedef {import('../../memory/views.ts').CardView} CardView */

/** @param {{ platform: string, id: string, onFailed: (error: Error) => void }} props */
export function Card({ platform, id, onFailed }) {
  const [card, setCard] = useState(/** @type {CardView | undefined} */ (undefined))
  useEffect(() => {
    let gone = false
    call('people/card', { query: { platform, id } }).then(answer => gone || setCard(answer.card), onFailed)
    return () => {
      gone = true
    }
  }, [platform, id])
  if (!card) return null
  const { messages, mentions, familiarity, lastSeen, channels, topics, tags, personality, lastConversation, accounts } = card
  const notes = [
    say(`familiar_${familiarity}`),
    say('messagesAndCalls', { n: numberOf(messages), calls: numberOf(mentions) }),
    say('lastSeen', { time: timeOf(lastSeen) }),
  ]
  const lines = [
    tags.length > 0 && tags.join(', '),
    personality,
    lastConversation && say('lastTalk', { text: lastConversation }),
    topics.length > 0 && `${say('topics')}: ${topics.join(', ')}`,
    accounts.length > 0 && say('otherAccounts', { list: accounts.map(one => `${one.platform}/${one.id}`).join(', ') }),
  ].filter(Boolean)
  return html`<div class="person-card">
    <p>${notes.join(' · ')}</p>
    ${lines.map(line => html`<p><bdi>${line}</bdi></p>`)}
    ${
      channels.length > 0 &&
      html`<ul class="person-channels" aria-label=${say('channels')}>
        ${channels.map(
          ({ id: channel, name, messages }) =>
            html`<li key=${channel}><a href=${`#/turns?${new URLSearchParams({ channel, person: `${platform}/${id}` })}`}><bdi>${shownName(name)}</bdi></a> <span class="faint">${numberOf(messages)}</span></li>`,
        )}
      </ul>`
    }
    ${card.cards.map(
      ({ channel, madeAt, lines }) => html`<div key=${`${channel ?? ''} ${madeAt}`}>
        <h3>${channel === undefined ? say('cardForAll') : say('cardFor', { place: shownName(channel) })} <time class="faint" datetime=${madeAt}>${fullTime(madeAt)}</time></h3>
        <ul>${lines.map(line => html`<li><bdi>${line}</bdi></li>`)}</ul>
      </div>`,
    )}
  </div>`
}
