/** The result of a replay: current and changed options. */
import { fullTime, moneyOf, numberOf, shownName, timeOf } from '../base/format.js'
import { html, useState } from '../base/html.js'
import { reasonIn, say } from '../base/words.js'
import { nameOf } from '../costs/names.js'
import { Chart } from './chart.js'
import { Undecided } from './undecided.js'

/**
 * @typedef {import('../../tuning/views.ts').ReplayView} Replay
 * @typedef {import('../../tuning/views.ts').SideView} Side
 * @typedef {import('../../tuning/views.ts').LookView} Look
 * @typedef {import('./chart.js').Point} Point
 */

/** Number of differences at first, and per click. */
const SHOWN = 20
/** Rules that matched less often are shown on request. */
const RULES = 10

export const KINDS = /** @type {const} */ (['silent', 'react', 'asked', 'ack', 'full'])
export const WORDS = /** @type {const} */ ({ silent: 'silent', react: 'react1', asked: 'asksModel', ack: 'ack', full: 'full' })

/**
 * @param {{
 *   replay: Replay, compared: boolean, tries: readonly Point[], bot: { name: string },
 *   asking: import('./undecided.js').Asking | undefined,
 * }} props `compared`: some option differs; `asking`: how the judge is asked. Undefined: the result is out of date
 */
export function Result({ replay, compared, tries, bot, asking }) {
  const { today, changed, messages, from, to, leftOut } = replay
  const { places } = today
  const point = pointOf(today)
  return html`<p class="soft">${say('replayed', { n: numberOf(messages), from: fullTime(from), to: fullTime(to) })}${leftOut.length > 0 && ` ${say('leftOut', { list: leftOut.join(', ') })}`}</p>
    <h2>${say('findsTitle')}</h2>
    ${!places && html`<p class="soft">${say('findsNothing')}</p>`}
    ${point && html`<${Chart} today=${point} changed=${compared ? pointOf(changed) : undefined} members=${membersOf(compared ? changed : today)} tries=${tries} />`}
    ${places && html`<p class="faint notes">${say('findsText', { bot: bot.name, names: places.members.map(({ name }) => shownName(name)).join(', ') })}</p>`}
    <${Figures} replay=${replay} compared=${compared} bot=${bot} />
    ${today.recorded + changed.recorded > 0 && html`<p class="soft">${say('recordedVerdicts', { n: numberOf(compared ? changed.recorded : today.recorded) })}</p>`}
    <${Undecided} replay=${replay} compared=${compared} asking=${asking} />
    <h2>${say('rulesTitle')}</h2>
    <${Rules} today=${today} changed=${compared ? changed : undefined} />
    ${compared && html`<h2>${say('differTitle', { n: numberOf(replay.differ) })}</h2><${Differences} replay=${replay} />`}`
}

/** @param {Side} side @returns {Point | undefined} */
export function pointOf({ places }) {
  return places?.coverage === undefined ? undefined : { ...places, coverage: places.coverage }
}

/** @param {Side} side @returns {Point[]} */
function membersOf({ places }) {
  return places?.members.flatMap(({ coverage, ...rest }) => (coverage === undefined ? [] : [{ ...rest, coverage }])) ?? []
}

/** @param {{ replay: Replay, compared: boolean, bot: { name: string } }} props */
function Figures({ replay: { today, changed, messages, cost }, compared, bot }) {
  const sides = compared ? [today, changed] : [today]
  const few = (/** @type {number | undefined} */ value) =>
    value === undefined ? '–' : numberOf(value, { maximumFractionDigits: 1 })
  const share = (/** @type {number | undefined} */ value) =>
    value === undefined ? '–' : numberOf(value, { style: 'percent', maximumFractionDigits: 1 })
  const row = (/** @type {string} */ title, /** @type {(side: Side) => string} */ show) =>
    html`<tr><th scope="row">${title}</th>${sides.map(side => html`<td>${show(side)}</td>`)}</tr>`
  const amount = (/** @type {number | null} */ spent) =>
    spent === null ? '–' : cost.priced ? moneyOf(spent) : numberOf(Math.round(spent))
  const paid = (/** @type {string} */ title, /** @type {number} */ spent, /** @type {number | null} */ estimated) =>
    html`<tr key=${title}><th scope="row">${title}</th><td>${amount(spent)}</td>${compared && html`<td>${amount(estimated)}${changeOf(spent, estimated)}</td>`}</tr>`
  const group = (/** @type {string} */ title) =>
    html`<tr><th class="group" scope="rowgroup" colspan=${sides.length + 1}>${title}</th></tr>`
  return html`<table class="figures tuned">
    <caption class="hidden">${say('figures')}</caption>
    <thead><tr><th scope="col"><span class="hidden">${say('figures')}</span></th><th scope="col">${say('tuneToday')}</th>${compared && html`<th scope="col">${say('tuneChanged')}</th>`}</tr></thead>
    ${
      today.places &&
      html`<tbody>
        ${group(say('inPlaces', { n: today.places.members.length }))}
        ${row(say('judgementsPer100'), ({ places }) => few(places?.judgements))}
        ${row(say('consideredPer100'), ({ places }) => few(places?.considered))}
        ${row(say('coverage'), ({ places }) => share(places?.coverage))}
        ${row(say('precision'), ({ places }) => share(places?.precision))}
      </tbody>`
    }
    <tbody>
      ${group(say('asItself', { bot: bot.name }))}
      ${KINDS.map(kind => row(say(WORDS[kind]), ({ turns }) => few((100 * turns[kind]) / messages)))}
    </tbody>
    ${
      cost.roles.length > 0 &&
      html`<tbody>
        ${group(say(cost.priced ? 'costOfThese' : 'tokensOfThese'))}
        ${cost.roles.map(({ role, today, changed }) => paid(nameOf('role', role, role), today, changed))}
        ${paid(say('together'), ...together(cost))}
      </tbody>`
    }
  </table>`
}

/** The sums. @param {Replay['cost']} cost @returns {[number, number | null]} */
function together({ roles }) {
  const add = (/** @type {readonly number[]} */ parts) => parts.reduce((sum, one) => sum + one, 0)
  const known = roles.flatMap(({ changed }) => changed ?? [])
  return [add(roles.map(({ today }) => today)), known.length === roles.length ? add(known) : null]
}

/** @param {number} spent @param {number | null} estimated */
function changeOf(spent, estimated) {
  if (estimated === null || spent === 0 || estimated === spent) return ''
  return ` (${numberOf(estimated / spent - 1, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })})`
}

/** @param {{ today: Side, changed: Side | undefined }} props */
function Rules({ today, changed }) {
  const [all, setAll] = useState(false)
  const sides = changed ? [today, changed] : [today]
  const names = [...new Set(sides.flatMap(({ rules }) => rules.map(({ why }) => why)))]
  const timesIn = (/** @type {Side} */ { rules }, /** @type {string} */ name) => rules.find(({ why }) => why === name)?.times ?? 0
  const most = Math.max(1, ...sides.flatMap(({ rules }) => rules.map(({ times }) => times)))
  if (names.length === 0) return html`<p class="faint">${say('noRules')}</p>`
  return html`<p class="soft">${say('rulesText')}</p>
    <table class="rules">
      <caption class="hidden">${say('rulesTitle')}</caption>
      <thead><tr><th scope="col">${say('rule')}</th>${sides.map((_, index) => html`<th scope="col" class=${index === 0 ? '' : 'accent'}>${say(index === 0 ? 'tuneToday' : 'tuneChanged')}</th>`)}</tr></thead>
      <tbody>
        ${names.slice(0, all ? undefined : RULES).map(
          name => html`<tr key=${name}>
            <th scope="row">${reasonIn(name)}</th>
            ${sides.map((side, index) => {
              const times = timesIn(side, name)
              return html`<td class=${index === 0 ? '' : 'accent'}>
                <span class="tally" aria-hidden="true"><i style=${{ width: `${(100 * times) / most}%` }}></i></span>${numberOf(times)}
              </td>`
            })}
          </tr>`,
        )}
      </tbody>
    </table>
    ${!all && names.length > RULES && html`<button class="plain" onClick=${() => setAll(true)}>${say('allRules', { n: names.length })}</button>`}`
}

/** @param {{ replay: Replay }} props */
function Differences({ replay: { differences, differ } }) {
  const [shown, setShown] = useState(SHOWN)
  if (differ === 0) return html`<p class="faint">${say('differNone')}</p>`
  return html`<ol class="differences">
      ${differences.slice(0, shown).map(
        ({ message, today, changed }) => html`<li key=${message.id}>
          <p class="byline"><b class="who">${shownName(message.author.name)}</b> <time class="faint" datetime=${message.at}>${timeOf(message.at)}</time></p>
          <p class="text">${message.text}</p>
          <dl>
            <div><dt>${say('tuneToday')}</dt><dd><${Told} look=${today} /></dd></div>
            <div class="accent"><dt>${say('tuneChanged')}</dt><dd><${Told} look=${changed} /></dd></div>
          </dl>
        </li>`,
      )}
    </ol>
    ${differences.length > shown && html`<button class="plain" onClick=${() => setShown(shown + SHOWN)}>${say('showMore')}</button>`}
    ${differ > differences.length && shown >= differences.length && html`<p class="faint">${say('differMore', { n: numberOf(differences.length) })}</p>`}`
}

/** @param {{ look: Look }} props */
export function Told({ look: { kind, why, points } }) {
  return html`<b>${say(WORDS[kind])}</b> <span class="faint">${[points !== undefined && say('pointsOf', { n: points }), kind === 'asked' ? say('asksWhy') : reasonIn(why)].filter(Boolean).join(' · ')}</span>`
}
