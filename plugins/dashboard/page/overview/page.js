/** What the bot did: figures, pictures and channels of a period. Each leads to the turns behind it. */
import { call } from '../base/api.js'
import { listenTo } from '../base/events.js'
import { durationOf, fullTime, moneyOf, numberOf, placeName } from '../base/format.js'
import { html, useEffect, useState } from '../base/html.js'
import { useNewest } from '../base/newest.js'
import { dayName, weekFilter, weekHourName } from '../base/week.js'
import { language, reasonIn, say } from '../base/words.js'
import { hashOf } from '../costs/query.js'
import { Failed } from '../parts/failed.js'
import { sought } from '../parts/finder.js'
import { addressOf, goTo, outcomeName, PERIODS, startOf } from '../turns/address.js'
import { repliesInWeek } from './week.js'

/**
 * @typedef {import('../../overview/views.ts').OverviewView} Overview
 * @typedef {import('../../overview/views.ts').ChannelLine} ChannelLine
 * @typedef {keyof typeof PERIODS} Period
 * @typedef {(filters: Record<string, string>) => string | undefined} LinkTo the address of turns of the period; nothing for viewers
 */

/** Milliseconds between two readings while turns end, and while none does. */
const SOON = 3_000
const LATER = 30_000

const HOUR = 60 * 60_000
/** Days on the page of costs, by period. */
const DAYS = /** @type {const} */ ({ '24h': 1, '7d': 7, '30d': 30 })
/** Hours of one bar, and bars from one label to the next, by period. */
const STEP = /** @type {const} */ ({ '24h': 1, '7d': 6, '30d': 24 })
const LABEL = /** @type {const} */ ({ '24h': 4, '7d': 4, '30d': 5 })

/** @param {{ bot: { id: string, name: string }, where: string }} props `where`: the period. Viewers do not know the id of the bot. */
export function Page({ bot, where }) {
  const period = /** @type {Period} */ (where in PERIODS ? where : '24h')
  const isViewer = bot.id === ''
  const [seen, setSeen] = useState(/** @type {Overview | undefined} */ (undefined))
  const [why, setWhy] = useState('')
  const { hear } = useNewest()
  const hours = String(PERIODS[period])
  const read = () =>
    hear(
      call('overview', { query: { hours } }),
      answer => {
        setSeen(answer)
        setWhy('')
      },
      error => setWhy(error.message),
    )
  useEffect(() => {
    void read()
    return whenTurnsEnd(isViewer, read)
  }, [period])

  /** @type {LinkTo} */
  const linkTo = filters => (isViewer ? undefined : addressOf({ period, ...filters }))
  return html`<section class="wide-sheet overview">
    <header class="lead overview-lead">
      <h1>${say('overview')}</h1>
      <div class="segments" role="group" aria-label=${say('filterPeriod')}>
        ${Object.keys(PERIODS).map(one => html`<button key=${one} aria-pressed=${one === period} onClick=${() => goTo(`#/overview/${one}`)}>${say(/** @type {'period24h'} */ (`period${one}`))}</button>`)}
      </div>
    </header>
    ${why && html`<${Failed} why=${why} onRetry=${read} />`}
    ${seen && html`<${HealthLine} seen=${seen} linkTo=${linkTo} /><${Figures} seen=${seen} period=${period} linkTo=${linkTo} />`}
    ${seen && html`<h2>${say('turnsOverTime')}</h2><${Bars} hours=${seen.hours} period=${period} isViewer=${isViewer} />`}
    <div class="columns">
      ${seen && html`<section><h2>${say('silenceBy')}</h2><${Silence} silence=${seen.silence} linkTo=${linkTo} /></section>`}
      ${seen && html`<section><h2>${say('whenItSpeaks')}</h2><${Week} week=${repliesInWeek(seen.hours)} linkTo=${linkTo} /></section>`}
    </div>
    ${!isViewer && html`<h2>${say('busiestChannels')}</h2><${Channels} key=${period} hours=${hours} linkTo=${linkTo} />`}
  </section>`
}

/** Calls a function soon after turns have ended, and now and then. @param {boolean} isViewer they get no events @param {() => unknown} read */
function whenTurnsEnd(isViewer, read) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  const run = () => {
    timer = undefined
    if (!document.hidden) void read()
  }
  const leave = isViewer
    ? () => {}
    : listenTo(({ type }) => {
        if (type === 'turn') timer ??= setTimeout(run, SOON)
      })
  const every = setInterval(run, LATER)
  return () => {
    leave()
    clearTimeout(timer)
    clearInterval(every)
  }
}

/** A link, or the text alone. @param {{ to: string | undefined, class?: string, title?: string, label?: string, children?: unknown }} props */
function Link({ to, class: name, title, label, children }) {
  return to === undefined
    ? html`<span class=${name} title=${title}>${children}</span>`
    : html`<a class=${name} title=${title} aria-label=${label} href=${to}>${children}</a>`
}

/** @param {{ seen: Overview, linkTo: LinkTo }} props */
function HealthLine({ seen: { health, totals, now }, linkTo }) {
  const { platforms, paused, isOverloaded } = health
  const bad = [
    ...platforms.map(({ name, why }) => html`<a href="#/health">${name}: ${why}</a>`),
    ...paused.map(
      ({ name, isModel }) =>
        html`<${Link} to=${linkTo(isModel ? { model: name } : { plugin: name })}>${say('isPaused', { name })}<//>`,
    ),
    ...(isOverloaded ? [html`<a href="#/health">${say('isOverloaded')}</a>`] : []),
    ...(totals.errors > 0
      ? [html`<${Link} to=${linkTo({ error: 'true' })}>${say('turnsWithErrors', { n: numberOf(totals.errors) })}<//>`]
      : []),
  ]
  return html`<p class=${bad.length > 0 ? 'health-line bad' : 'health-line'}>
    <i class="lamp" aria-hidden="true"></i>
    ${bad.length === 0 ? html`<a href="#/health">${say('allWell')}</a>` : bad.map((one, at) => html`${at > 0 && ' · '}${one}`)}
    <span class="faint">${say('atWork', { active: numberOf(now.active), due: numberOf(now.due) })}</span>
  </p>`
}

/** @param {{ seen: Overview, period: Period, linkTo: LinkTo }} props */
function Figures({ seen: { totals, outcomes, latency }, period, linkTo }) {
  const of = (/** @type {string} */ outcome) => outcomes.find(one => one.outcome === outcome)?.turns ?? 0
  const share = (/** @type {number} */ n) =>
    totals.turns > 0 ? numberOf(n / totals.turns, { style: 'percent', maximumFractionDigits: 1 }) : ''
  const outcome = (/** @type {string} */ one) => ({
    name: outcomeName(one),
    figure: numberOf(of(one)),
    note: share(of(one)),
    to: linkTo({ outcome: one }),
  })
  const figures = [
    { name: say('messagesJudged'), figure: numberOf(totals.messages), to: linkTo({}) },
    { name: say('turns'), figure: numberOf(totals.turns), to: linkTo({}) },
    outcome('replied'),
    outcome('silent'),
    {
      name: say('filterError'),
      figure: numberOf(totals.errors),
      note: share(totals.errors),
      to: linkTo({ error: 'true' }),
      bad: totals.errors > 0,
    },
    {
      name: say('answerTime'),
      figure: latency ? durationOf(latency.p50) : '–',
      note: latency && `p95 ${durationOf(latency.p95)}`,
      to: linkTo({ outcome: 'replied', ...slow(latency?.p95) }),
    },
    {
      name: say('cost'),
      figure: moneyOf(totals.cost),
      note: say('tokens', { n: numberOf(totals.tokens, { notation: 'compact' }) }),
      to: linkTo({}) && hashOf({ days: DAYS[period], by: 'place', only: {} }),
    },
    ...['delayed', 'cancelled', 'failed'].filter(one => of(one) > 0).map(outcome),
  ]
  return html`<ul class="figures-row">
    ${figures.map(
      ({ name, figure, note, to, bad }) => html`<li key=${name}><${Link} to=${to} class=${bad ? 'tile bad' : 'tile'}>
        <span class="tile-name">${name}</span><b>${figure}</b><span class="faint">${note}</span>
      <//></li>`,
    )}
  </ul>`
}

/** The filter for about the slowest of the turns. @param {number | undefined} ms @returns {Record<string, string>} */
function slow(ms = 0) {
  const took = ['30000', '10000', '3000', '1000'].find(one => Number(one) <= ms)
  return took === undefined ? {} : { took }
}

/** @param {{ hours: Overview['hours'], period: Period, isViewer: boolean }} props */
function Bars({ hours, period, isViewer }) {
  const step = STEP[period] * HOUR
  const start = startOf(PERIODS[period]).getTime()
  const bars = Array.from({ length: PERIODS[period] / STEP[period] }, (_, n) => ({
    at: start + n * step,
    turns: 0,
    replies: 0,
    errors: 0,
  }))
  for (const { at, turns, replies, errors } of hours) {
    const bar = bars[Math.floor((Date.parse(at) - start) / step)]
    if (!bar) continue
    bar.turns += turns
    bar.replies += replies
    bar.errors += errors
  }
  // Even, so that its half is a number of turns.
  const most = 2 * Math.ceil(Math.max(1, ...bars.map(({ turns }) => turns)) / 2)
  const label = new Intl.DateTimeFormat(
    language(),
    period === '24h' ? { hour: 'numeric', minute: '2-digit' } : { month: 'short', day: 'numeric' },
  )
  const height = (/** @type {number} */ n) => ({ height: `${(100 * n) / most}%` })
  return html`<figure class="bars-figure">
    <div class="bars">
      <span class="most faint" aria-hidden="true">${numberOf(most)}</span>
      <span class="most half-way faint" aria-hidden="true">${numberOf(most / 2)}</span>
      ${bars.map(({ at, turns, replies, errors }) => {
        const [since, until] = [new Date(at).toISOString(), new Date(at + step).toISOString()]
        const told = `${fullTime(since)}: ${say('barTold', { turns: numberOf(turns), replies: numberOf(replies), errors: numberOf(errors) })}`
        return html`<${Link} key=${at} class="column" title=${told} label=${told} to=${isViewer || turns === 0 ? undefined : addressOf({ since, until })}>
          <i class="all" style=${height(turns)}></i><i class="answered" style=${height(replies)}></i><i class="broken" style=${height(errors)}></i>
        <//>`
      })}
    </div>
    <ol class="bar-labels faint" aria-hidden="true">
      ${bars.map(({ at }, n) => n % LABEL[period] === 0 && html`<li key=${at} style=${{ insetInlineStart: `${(100 * n) / bars.length}%` }}>${label.format(at)}</li>`)}
    </ol>
    <figcaption class="faint legend"><i class="all"></i>${say('turns')} <i class="answered"></i>${say('outcomeReplied')} <i class="broken"></i>${say('filterError')}</figcaption>
  </figure>`
}

/** @param {{ silence: Overview['silence'], linkTo: LinkTo }} props */
function Silence({ silence, linkTo }) {
  const most = Math.max(1, ...silence.map(({ turns }) => turns))
  if (silence.length === 0) return html`<p class="faint">${say('none')}</p>`
  return html`<ul class="reasons">
    ${silence.map(
      ({
        reason,
        turns,
      }) => html`<li key=${reason}><${Link} class="reason-line" to=${reason ? linkTo({ outcome: 'silent', reason }) : undefined}>
        <bdi>${reason ? reasonIn(reason) : say('noReason')}</bdi><span class="figure">${numberOf(turns)}</span>
        <span class="bar" aria-hidden="true"><i style=${{ width: `${(100 * turns) / most}%` }}></i></span>
      <//></li>`,
    )}
  </ul>`
}

/** Answers by day and hour in the zone of the browser. @param {{ week: readonly number[], linkTo: LinkTo }} props */
function Week({ week, linkTo }) {
  const most = Math.max(1, ...week)
  const days = Array.from({ length: 7 }, (_, day) => week.slice(day * 24, (day + 1) * 24))
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label=${say('whenItSpeaks')}>
    <table class="week">
      <thead><tr><td></td>${[0, 6, 12, 18].map(hour => html`<th key=${hour} scope="colgroup" colspan="6">${numberOf(hour)}:00</th>`)}</tr></thead>
      <tbody>
        ${days.map(
          (cells, day) => html`<tr key=${day}><th scope="row">${dayName(day)}</th>
            ${cells.map((replies, hour) => {
              const filter = weekFilter(day * 24 + hour)
              const told = `${weekHourName(filter)}: ${numberOf(replies)}`
              const strength = replies === 0 ? 0 : Math.ceil((4 * replies) / most)
              return html`<td key=${hour}><${Link} class=${`cell s${strength}`} title=${told} label=${told} to=${replies > 0 ? linkTo({ outcome: 'replied', week: filter }) : undefined} /></td>`
            })}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** @param {{ hours: string, linkTo: LinkTo }} props */
function Channels({ hours, linkTo }) {
  const [channels, setChannels] = useState(/** @type {readonly ChannelLine[] | undefined} */ (undefined))
  const [text, setText] = useState('')
  const [why, setWhy] = useState('')
  const { hear } = useNewest()
  const read = () =>
    hear(
      call('overview/channels', { query: { hours, text: sought(text) } }),
      answer => {
        setChannels(answer.channels)
        setWhy('')
      },
      error => setWhy(error.message),
    )
  useEffect(() => {
    void read()
    return whenTurnsEnd(false, read)
  }, [text])
  return html`<label class="filter"><span class="hidden">${say('findChannels')}</span>
      <input type="search" maxlength="200" placeholder=${say('findChannels')} onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => setText(currentTarget.value)} />
    </label>
    ${why && html`<${Failed} why=${why} onRetry=${read} />`}
    ${channels?.length === 0 && html`<p class="faint" role="status">${say(text ? 'foundNoChannel' : 'none')}</p>`}
    <ul class="channel-lines">
      ${channels?.map(
        ({
          place,
          turns,
          replies,
          series,
        }) => html`<li key=${place.conversation}><a class="channel-line" href=${linkTo({ channel: place.conversation })}>
          <span class="snippet"><bdi><b>${placeName(place)}</b></bdi> <span class="faint">${place.platform}</span></span>
          <${Sparkline} series=${series} />
          <span class="faint">${say('turnsAndReplies', { turns: numberOf(turns), replies: numberOf(replies) })}</span>
        </a></li>`,
      )}
    </ul>`
}

/** @param {{ series: readonly number[] }} props */
function Sparkline({ series }) {
  const most = Math.max(1, ...series)
  const points = series.map((n, at) => `${(100 * at) / (series.length - 1)},${22 - (20 * n) / most}`).join(' ')
  return html`<svg class="sparkline" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true"><polyline points=${points} vector-effect="non-scaling-stroke" /></svg>`
}
