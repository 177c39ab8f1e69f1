/** One turn: its figures, when its parts ran, and its whole trace. */
import { call } from '../base/api.js'
import { durationOf, moneyOf, numberOf, placeName, shownName } from '../base/format.js'
import { html, useEffect, useState } from '../base/html.js'
import { useNewest } from '../base/newest.js'
import { reasonIn, say } from '../base/words.js'
import { Rate } from '../evaluation/rate.js'
import { Run } from '../evaluation/run.js'
import { Failed } from '../parts/failed.js'
import { Trace } from '../turn/trace.js'
import { addressOf, goTo } from './address.js'
import { Help, useKeys } from './keys.js'

/** @typedef {import('../../history/views.ts').TurnView} Turn */

/** @param {{ turn: string, filters: import('./address.js').Filters, list: readonly { turn: string }[] }} props `list`: that it was opened from */
export function OneTurn({ turn: id, filters, list }) {
  const [turn, setTurn] = useState(/** @type {Turn | undefined | null} */ (undefined))
  const [why, setWhy] = useState('')
  const [helps, setHelps] = useState(false)
  const { hear } = useNewest()
  function read() {
    setTurn(undefined)
    setWhy('')
    void hear(
      call('turns', { query: { turn: id } }),
      ({ turns }) => setTurn(turns[0] ?? null),
      error => setWhy(error.message),
    )
  }
  useEffect(read, [id])
  const at = list.findIndex(one => one.turn === id)
  const beside = (/** @type {1 | -1} */ by) => (at < 0 ? undefined : list[at + by]?.turn)
  const go = (/** @type {string | undefined} */ next) => next !== undefined && goTo(addressOf(filters, next))
  const back = addressOf(filters)
  useKeys({
    j: () => go(beside(1)),
    k: () => go(beside(-1)),
    '?': () => setHelps(!helps),
    Escape: () => (helps ? setHelps(false) : goTo(back)),
  })
  return html`<section class="sheet one-turn">
    <nav class="turn-nav" aria-label=${say('turns')}>
      <a class="link" href=${back}>← ${say('turns')}</a>
      <span class="steps">
        ${beside(-1) && html`<a class="link" href=${addressOf(filters, beside(-1))}>${say('newerTurn')} <kbd aria-hidden="true">k</kbd></a>`}
        ${beside(1) && html`<a class="link" href=${addressOf(filters, beside(1))}>${say('olderTurn')} <kbd aria-hidden="true">j</kbd></a>`}
      </span>
    </nav>
    ${why && html`<${Failed} why=${why} onRetry=${read} />`}
    ${turn === null && html`<div class="empty"><h1>${say('noSuchTurn')}</h1><p><a href="#/turns">${say('turns')}</a></p></div>`}
    ${turn && html`<${Whole} key=${id} turn=${turn} />`}
    ${helps && html`<${Help} onClose=${() => setHelps(false)} />`}
  </section>`
}

/** @param {{ turn: Turn }} props */
function Whole({ turn }) {
  const { trace, place, messages, said } = turn
  const { ms, models, tools = [] } = trace
  const sum = (/** @type {readonly number[]} */ all) => all.reduce((total, one) => total + one, 0)
  const costs = models.flatMap(({ cost }) => cost ?? [])
  const tokens = sum(models.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens))
  const figures = [
    [say('filterTook'), durationOf(sum(Object.values(ms)))],
    [say('tokensWord'), numberOf(tokens)],
    [say('filterCost'), costs.length > 0 ? moneyOf(sum(costs)) : '–'],
    [say('modelCalls'), numberOf(models.length)],
    [say('toolCalls'), numberOf(tools.length)],
  ]
  const [platform] = place.conversation.split('/')
  const people = [...new Map(messages.filter(({ own }) => !own).map(({ author }) => [author.id, author])).values()]
  const reason = trace.why ?? (trace.decision?.confidence === undefined ? trace.decision?.why : undefined)
  const links = /** @type {[string, Record<string, string>][]} */ ([
    [placeName(place), { channel: place.conversation.split('/', 3).join('/') }],
    ...people.slice(0, 10).map(({ id, name }) => [shownName(name), { person: `${platform}/${id}` }]),
    ...(reason ? [[reasonIn(kindOf(reason)), { reason: kindOf(reason) }]] : []),
    ...[...new Set(models.map(({ model }) => model))].map(model => [model, { model }]),
  ])
  return html`<h1 class="hidden">${say('turn')}</h1>
    <dl class="turn-figures">${figures.map(([name, figure]) => html`<div key=${name}><dt>${name}</dt><dd>${figure}</dd></div>`)}</dl>
    <p class="more-of"><span class="faint">${say('moreOf')}</span> ${links.map(([text, filter]) => html`<a key=${JSON.stringify(filter)} class="chip" href=${addressOf(filter)}><bdi>${text}</bdi></a>`)}</p>
    <h2 class="hidden">${say('why')}</h2>
    <${Trace} turn=${turn} />
    <${Rate} turn=${trace.turn} spoke=${said.length > 0} />
    <details class="disclosed"><summary>${say('againWith')}</summary><p>${say('againIntro')}</p><${Run} turns=${[trace.turn]} texts=${new Map()} /></details>`
}

/** A reason without its figures and details, as the database counts it. @param {string} reason */
function kindOf(reason) {
  return [...(reason.split(' · ', 1)[0] ?? '').replace(/ [-+]?\d+(,.*)?$/, '')].slice(0, 100).join('')
}
