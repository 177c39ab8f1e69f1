/** The result of an evaluation as text and as a page. */
import { safe, standalone } from '../page.ts'
import { type CaseResult, type Evaluation, hasResult, isPassed, type Side } from './evaluate.ts'
import type { Difference, Share } from './figures.ts'

export function toText({ sides, rows, cases }: Evaluation): string {
  const isCompared = sides.length > 1
  const listed = cases.map(({ name, kind, results }) => {
    const [first, second] = results.map(stateOf)
    const marks = isCompared ? `${MARKS[first ?? 'left']}→${MARKS[second ?? 'left']}` : MARKS[first ?? 'left']
    const faults = results.flatMap((result, at) => faultsOf(result).map(fault => (isCompared ? `${'AB'[at]}: ${fault}` : fault)))
    return `${marks} ${kind}: ${name}${faults.length > 0 ? `: ${faults.join('; ')}` : ''}`
  })
  const head = ['', ...sides.map((_, at) => (isCompared ? 'AB'[at] : 'passed') ?? ''), ...(isCompared ? ['B − A'] : [])]
  const table = [
    head,
    ...rows.map(({ kind, shares, difference }) => [kind, ...shares.map(share), ...(difference ? [points(difference)] : [])]),
  ]
  return [...listed, '', ...columns(table), '', ...columns(sides.map(sideOf(isCompared))), ''].join('\n')
}

const MARKS = { passed: 'ok', failed: '!!', error: '??', left: '--' } as const

function stateOf(result: CaseResult): keyof typeof MARKS {
  if (result.left) return 'left'
  if (!hasResult(result)) return 'error'
  return isPassed(result) ? 'passed' : 'failed'
}

/** Why a case does not pass, with what the bot did instead. */
function faultsOf(result: CaseResult): readonly string[] {
  if (result.left) return ['the budget is spent']
  if (result.failed !== undefined) return [`no result: ${result.failed}`]
  const faults = result.checks.filter(({ passed }) => !passed).map(({ what }) => `not: ${what}`)
  if (faults.length === 0) return []
  const said = result.said.join(' / ')
  return [...faults, said === '' ? `silent (${result.why ?? 'no turn'})` : `it says ${JSON.stringify(said)}`]
}

function share({ n, passed, value, low, high }: Share): string {
  return n === 0 ? '–' : `${passed} of ${n}, ${percent(value)} (${percent(low)} to ${percent(high)})`
}

function points({ n, won, lost, value, low, high }: Difference): string {
  const signed = (number: number) => `${number > 0 ? '+' : ''}${(100 * number).toFixed(0)}`
  return n === 0 ? '–' : `${signed(value)} points (${signed(low)} to ${signed(high)}), ${won} won, ${lost} lost`
}

function percent(value: number): string {
  return `${(100 * value).toFixed(0)} %`
}

const sideOf =
  (isCompared: boolean) =>
  ({ name, spent, medianMs, p95Ms, failed, left }: Side, at: number): readonly string[] => [
    isCompared ? `${'AB'[at]}: ${name}` : name,
    `${spent.calls} calls, ${spent.tokens} tokens${spent.cost ? `, cost ${spent.cost.toFixed(4)}` : ''}`,
    `models work ${seconds(medianMs)} in a case, in 95 of 100 at most ${seconds(p95Ms)}`,
    ...(failed > 0 ? [`${failed} without a result`] : []),
    ...(left > 0 ? [`${left} left out by the budget`] : []),
  ]

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((most, row) => row.map((cell, at) => Math.max(most[at] ?? 0, cell.length)), [])
  return rows.map(row =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('   ')
      .trimEnd(),
  )
}

export function toHtml({ sides, rows, cases }: Evaluation): string {
  const letter = (at: number) => (sides.length > 1 ? (['A', 'B'][at] ?? '') : 'Passed')
  const heads = [...sides.map((_, at) => letter(at)), ...(sides.length > 1 ? ['B − A'] : [])]
  const th = (text: string, scope: 'row' | 'col') => `<th scope="${scope}">${safe(text)}</th>`
  const td = (text: string) => `<td>${safe(text)}</td>`
  const row = (cells: string) => `<tr>${cells}</tr>`
  const caseCells = (result: CaseResult) =>
    `<td>${[stateOf(result) === 'passed' ? 'passed' : faultsOf(result).join('\n'), ...result.said].map(safe).join('<br>')}</td>`
  return standalone(
    'kikimimi eval',
    STYLE,
    `<ul>
${sides
  .map(
    (side, at) =>
      `<li>${sideOf(sides.length > 1)(side, at)
        .map(safe)
        .join('; ')}</li>`,
  )
  .join('\n')}
</ul>
<table>
<caption>Cases that pass, with 95 % intervals</caption>
<thead>${row(['Kind', ...heads].map(head => th(head, 'col')).join(''))}</thead>
<tbody>
${rows.map(({ kind, shares, difference }) => row([th(kind, 'row'), ...shares.map(one => td(share(one))), ...(difference ? [td(points(difference))] : [])].join(''))).join('\n')}
</tbody>
</table>
<h2>Cases</h2>
<div class="wide" tabindex="0" role="region" aria-label="Cases">
<table>
<thead>${row(['Case', 'Kind', ...sides.map((_, at) => letter(at))].map(head => th(head, 'col')).join(''))}</thead>
<tbody>
${cases.map(({ name, kind, results }) => row([th(name, 'row'), td(kind), ...results.map(caseCells)].join(''))).join('\n')}
</tbody>
</table>
</div>`,
  )
}

const STYLE = `
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 }
main { max-width: 64rem; margin: 2rem auto; padding: 0 1rem }
.wide { overflow-x: auto }
table { border-collapse: collapse }
caption { text-align: left; font-weight: 600 }
td, th { padding: .3rem .8rem .3rem 0; border-bottom: 1px solid gray; text-align: left; vertical-align: top; white-space: pre-line }
`
