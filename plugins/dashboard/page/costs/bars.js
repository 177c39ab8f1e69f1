/** Stacked bars of hours or days. The table below them has the colours and the sums. */
import { html } from '../base/html.js'
import { language, say } from '../base/words.js'
import { nameOf } from './names.js'

/** @typedef {import('../../costs/views.ts').CostsView} Costs */

const WIDTH = 720
const HEIGHT = 180
/** Space for the texts below and above. */
const FOOT = 26
const HEAD = 24
/** Maximum number of texts below the bars. */
const TICKS = 7

/** @param {{ costs: Costs, by: string, size: 'cost' | 'tokens', amount: (n: number) => string }} props */
export function Bars({ costs: { step, steps, series, groups }, by, size, amount }) {
  const inks = new Map(groups.map(({ key }, at) => [key, key === null ? 'rest' : String(at)]))
  const order = new Map(groups.map(({ key }, at) => [key, at]))
  const bars = steps.map((at, index) => ({
    at,
    parts: series
      .filter(one => one.at === index && one[size] > 0)
      .sort((a, b) => (order.get(a.key) ?? 0) - (order.get(b.key) ?? 0)),
  }))
  const sumOf = (/** @type {typeof bars[number]} */ bar) => bar.parts.reduce((sum, one) => sum + one[size], 0)
  const most = Math.max(...bars.map(sumOf), 0)
  if (most === 0) return null
  const width = WIDTH / bars.length
  const every = Math.ceil(bars.length / TICKS)
  const time = new Intl.DateTimeFormat(
    language(),
    step === 'hour' ? { weekday: 'short', hour: 'numeric' } : { month: 'short', day: 'numeric' },
  )
  const label = say(step === 'hour' ? 'barsHours' : 'barsDays', { most: amount(most) })
  return html`<figure class="cost-bars">
    <svg viewBox=${`0 0 ${WIDTH} ${HEAD + HEIGHT + FOOT}`} role="img" aria-label=${label}>
      ${[1, 0.5, 0].map(part => {
        const y = HEAD + HEIGHT * (1 - part)
        return html`<line key=${part} x1="0" x2=${WIDTH} y1=${y} y2=${y} class="rule" />
          ${part > 0 && html`<text x=${WIDTH} y=${y - 6} text-anchor="end">${amount(most * part)}</text>`}`
      })}
      ${bars.map((bar, index) => {
        let top = HEAD + HEIGHT
        return html`<g key=${bar.at}>
          ${bar.parts.map(one => {
            const height = (HEIGHT * one[size]) / most
            top -= height
            return html`<rect key=${one.key} class=${`ink-${inks.get(one.key)}`} x=${index * width + width * 0.08} y=${top} width=${width * 0.84} height=${height} />`
          })}
          <rect class="touch" x=${index * width} y=${HEAD} width=${width} height=${HEIGHT}>
            <title>${[
              `${time.format(new Date(bar.at))}: ${amount(sumOf(bar))}`,
              ...bar.parts.map(
                one => `${nameOf(by, one.key, groups.find(({ key }) => key === one.key)?.name ?? '')}: ${amount(one[size])}`,
              ),
            ].join('\n')}</title>
          </rect>
          ${index % every === 0 && html`<text x=${index * width} y=${HEAD + HEIGHT + 19}>${time.format(new Date(bar.at))}</text>`}
        </g>`
      })}
    </svg>
  </figure>`
}
