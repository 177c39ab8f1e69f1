/** Cost against coverage: judgements per 100 messages, or answers without a judge. */
import { numberOf } from '../base/format.js'
import { html, useEffect, useRef } from '../base/html.js'
import { language, say } from '../base/words.js'
import uPlot from '../vendor/uplot.js'

/**
 * @typedef {{ judgements: number, considered: number, coverage: number }} Point
 * @typedef {{ x: number, y: number, label?: string | undefined, ink: Ink, size: number, filled: boolean }} Dot
 * @typedef {'judgements' | 'considered'} Cost
 * @typedef {'ink' | 'soft' | 'faint' | 'line' | 'accent'} Ink
 */

const WORDS = /** @type {const} */ ({ judgements: 'judgementsPer100', considered: 'answersPer100' })

const HEIGHT = 300
/** Space for dots at the edge. */
const MARGIN = 12

/**
 * @param {{ today: Point, changed: Point | undefined, members: readonly Point[], tries: readonly Point[] }} props `tries`:
 * earlier runs
 */
export function Chart({ today, changed, members, tries }) {
  /** @type {Cost} */
  const cost = [today, ...(changed ? [changed] : []), ...tries].some(({ judgements }) => judgements > 0)
    ? 'judgements'
    : 'considered'
  const place = useRef(/** @type {HTMLDivElement | null} */ (null))
  const dots = [
    ...members.map(point => dotOf(point[cost], point, 'faint', 5, false)),
    ...tries.map(point => dotOf(point[cost], point, 'accent', 7, false)),
    dotOf(today[cost], today, 'soft', 12, true, say('tuneToday')),
    ...(changed ? [dotOf(changed[cost], changed, 'accent', 12, true, say('tuneChanged'))] : []),
  ]
  const told = JSON.stringify(dots)

  useEffect(() => {
    const { current } = place
    if (!current) return
    let plot = draw(current, dots, cost)
    const again = () => {
      plot.destroy()
      plot = draw(current, dots, cost)
    }
    const size = new ResizeObserver(
      () => plot.width !== current.clientWidth && plot.setSize({ width: current.clientWidth, height: HEIGHT }),
    )
    size.observe(current)
    // The chart uses colours of the page, which a canvas does not inherit.
    const theme = new MutationObserver(again)
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', again)
    return () => {
      size.disconnect()
      theme.disconnect()
      dark.removeEventListener('change', again)
      plot.destroy()
    }
  }, [told, language()])

  return html`<figure class="chart">
    <div ref=${place} role="img" aria-label=${sentenceOf(cost, today, changed)}></div>
    <figcaption class="faint notes">${say(tries.length > 0 ? 'chartTries' : 'chartMembers')}</figcaption>
  </figure>`
}

/** @param {number} x @param {Point} point @param {Ink} ink @param {number} size @param {boolean} filled @param {string} [label] @returns {Dot} */
function dotOf(x, { coverage }, ink, size, filled, label) {
  return { x, y: 100 * coverage, ink, size, filled, label }
}

/** @param {Cost} cost @param {Point} today @param {Point | undefined} changed */
function sentenceOf(cost, today, changed) {
  const values = (/** @type {Point} */ point) => ({
    cost: `${say(WORDS[cost])}: ${numberOf(point[cost], { maximumFractionDigits: 1 })}`,
    coverage: numberOf(point.coverage, { style: 'percent', maximumFractionDigits: 1 }),
  })
  const first = say('chartToday', values(today))
  return changed ? `${first} ${say('chartChanged', values(changed))}` : first
}

/** @param {HTMLElement} place @param {readonly Dot[]} dots @param {Cost} cost */
function draw(place, dots, cost) {
  const sorted = [...dots].sort((a, b) => a.x - b.x)
  const font = `12px ${getComputedStyle(place).fontFamily}`
  const axis = {
    stroke: inkOf(place, 'soft'),
    font,
    labelFont: font,
    labelSize: 24,
    grid: { stroke: inkOf(place, 'line'), width: 1 },
    ticks: { show: false },
  }
  const most = Math.max(10, ...dots.map(({ x }) => x))
  return new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      padding: [MARGIN, MARGIN + 36, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false, range: [0, most * 1.15] }, y: { range: [0, 105] } },
      axes: [
        { ...axis, label: say(WORDS[cost]), size: 32, labelGap: 0, values: (_, ticks) => ticks.map(tick => numberOf(tick)) },
        {
          ...axis,
          label: say('coverage'),
          size: 46,
          splits: () => [0, 25, 50, 75, 100],
          values: (_, ticks) => ticks.map(tick => numberOf(tick / 100, { style: 'percent' })),
        },
      ],
      series: [{}, { show: true, paths: () => null, points: { show: false } }],
      hooks: { draw: [plot => drawDots(plot, place, dots)] },
    },
    [sorted.map(({ x }) => x), sorted.map(({ y }) => y)],
    place,
  )
}

/** @param {uPlot} plot @param {HTMLElement} place @param {readonly Dot[]} dots */
function drawDots(plot, place, dots) {
  const { ctx } = plot
  const ratio = devicePixelRatio
  const at = (/** @type {Dot} */ { x, y }) => ({ left: plot.valToPos(x, 'x', true), top: plot.valToPos(y, 'y', true) })
  ctx.save()
  ctx.lineWidth = 1.5 * ratio
  const [from, to] = dots.filter(({ label }) => label !== undefined)
  if (from && to) {
    const [start, end] = [at(from), at(to)]
    ctx.strokeStyle = inkOf(place, 'accent')
    ctx.setLineDash([4 * ratio, 4 * ratio])
    ctx.beginPath()
    ctx.moveTo(start.left, start.top)
    ctx.lineTo(end.left, end.top)
    ctx.stroke()
    ctx.setLineDash([])
  }
  for (const dot of dots) {
    const { left, top } = at(dot)
    ctx.fillStyle = ctx.strokeStyle = inkOf(place, dot.ink)
    ctx.beginPath()
    ctx.arc(left, top, (dot.size / 2) * ratio, 0, 2 * Math.PI)
    if (dot.filled) ctx.fill()
    else ctx.stroke()
  }
  ctx.font = `600 ${12 * ratio}px ${getComputedStyle(place).fontFamily}`
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  for (const dot of dots) {
    if (dot.label === undefined) continue
    const { left, top } = at(dot)
    ctx.fillStyle = inkOf(place, dot.ink)
    // Beside the line between the two dots.
    const aside = dot === from && to ? (at(to).top > top ? -14 : 14) * ratio : 0
    ctx.fillText(dot.label, left + 11 * ratio, top + aside)
  }
  ctx.restore()
}

/** The current colour of the page. @param {HTMLElement} place @param {Ink} name */
function inkOf(place, name) {
  place.style.color = `var(--${name})`
  const { color } = getComputedStyle(place)
  place.style.color = ''
  return color
}
