/** The report as a page of its own: drawn in SVG, nothing from elsewhere, light and dark. */
import { board, firings, per100, type Row } from './report.ts'
import { type Fired, metricsOf, type Sums } from './scores.ts'

export function toHtml(rows: readonly Row[]): string {
  const scored = rows.flatMap(row => (row.sums ? [{ ...row, sums: row.sums }] : []))
  const [first] = rows
  const intro = first ? `${first.counts.files} files, ${first.counts.messages} messages, ${first.counts.hours} hours of talk` : ''
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>kikimimi replay</title>
<style>${STYLE}</style>
<h1>kikimimi replay</h1>
<p>${safe(intro)}</p>
${scored.length === 0 ? countsTable(rows) : ''}
${scored.length > 0 ? `<h2>Calls against coverage</h2>\n${scatter(scored)}\n<h2>The board</h2>\n${boardTable(rows)}` : ''}
${scored.map(({ name, sums }) => `<h2>What each rule did${name ? `: ${safe(name)}` : ''}</h2>\n${bars(sums)}`).join('\n')}
</html>
`
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2530; --soft: #6a7686; --line: #d5dbe3; --paper: #fff; --yes: #1f7a8c; --no: #d08c3a }
@media (prefers-color-scheme: dark) { :root { --ink: #e7ebf0; --soft: #97a3b4; --line: #37414f; --paper: #141a21; --yes: #56b6c9; --no: #e0a458 } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2.5rem }
table { border-collapse: collapse } td, th { padding: .15rem .8rem; border-bottom: 1px solid var(--line); text-align: right; font-variant-numeric: tabular-nums }
td:first-child, th:first-child { text-align: left; padding-left: 0 }
svg { max-width: 100%; height: auto } svg text { font: 12px system-ui, sans-serif; fill: var(--ink) } svg .soft { fill: var(--soft) }
svg line { stroke: var(--line) } svg .yes { fill: var(--yes) } svg .no { fill: var(--no) }
`

interface Scored extends Row {
  readonly sums: Sums
}

const WIDTH = 720
const HEIGHT = 320
const LEFT = 50
const BOTTOM = 280

/** A dot for each bot: the further left the cheaper, the higher the less it passes over. */
function scatter(rows: readonly Scored[]): string {
  const dots = rows.map(({ name, counts, sums }) => ({
    name: name || 'this bot',
    calls: Number(per100(counts.judgements, counts)),
    coverage: metricsOf(sums).coverage ?? 0,
  }))
  const most = Math.max(10, ...dots.map(({ calls }) => calls))
  const x = (calls: number) => LEFT + (calls / most) * (WIDTH - LEFT - 190)
  const y = (coverage: number) => BOTTOM - coverage * (BOTTOM - 20)
  const across = [0, 0.25, 0.5, 0.75, 1].map(
    share =>
      `<line x1="${LEFT}" x2="${WIDTH - 180}" y1="${y(share)}" y2="${y(share)}"/><text class="soft" x="8" y="${y(share) + 4}">${100 * share} %</text>`,
  )
  const along = [0, 0.25, 0.5, 0.75, 1].map(
    share =>
      `<text class="soft" x="${x(share * most)}" y="${BOTTOM + 18}" text-anchor="middle">${(share * most).toFixed(0)}</text>`,
  )
  const points = dots.map(
    ({ name, calls, coverage }) =>
      `<circle class="yes" cx="${x(calls).toFixed(1)}" cy="${y(coverage).toFixed(1)}" r="6"/><text x="${(x(calls) + 11).toFixed(1)}" y="${(y(coverage) + 4).toFixed(1)}">${safe(name)}</text>`,
  )
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" role="img" aria-label="Judgements per 100 messages against coverage">
${[...across, ...along, ...points].join('\n')}
<text class="soft" x="${LEFT}" y="${HEIGHT - 6}">judgements per 100 messages → against ↑ coverage of what the member answered</text>
</svg>`
}

const ROW = 26
const NAME = 330

/** A bar for each rule: how often it fired on batches that the member answered, and on others. */
function bars(sums: Sums): string {
  const rules = firings(sums)
  if (rules.length === 0) return '<p>No rule gave points.</p>'
  const width = (count: number) => ((WIDTH - NAME - 130) * count) / Math.max(1, ...rules.map(total))
  const lines = rules.map(({ rule, lift, ...fired }, at) => {
    const y = 24 + at * ROW
    const yes = width(fired.gold)
    return `<text x="0" y="${y + 13}">${safe(rule)}</text>
<rect class="yes" x="${NAME}" y="${y}" width="${yes.toFixed(1)}" height="17"/><rect class="no" x="${(NAME + yes).toFixed(1)}" y="${y}" width="${width(fired.other).toFixed(1)}" height="17"/>
<text class="soft" x="${(NAME + width(total(fired)) + 8).toFixed(1)}" y="${y + 13}">${fired.gold} + ${fired.other}, lift ${lift?.toFixed(2) ?? '–'}</text>`
  })
  return `<svg viewBox="0 0 ${WIDTH} ${rules.length * ROW + 30}" width="${WIDTH}" role="img" aria-label="How often each rule fired">
<text class="soft" x="${NAME}" y="13">answered by the member + others</text>
${lines.join('\n')}
</svg>`
}

function total({ gold, other }: Fired): number {
  return gold + other
}

function boardTable(rows: readonly Row[]): string {
  const [head = [], ...lines] = board(rows)
  return html([head, ...lines])
}

function countsTable(rows: readonly Row[]): string {
  return html([
    ['', ...rows.map(({ name }) => name || 'this bot')],
    ...(['turns', 'unasked', 'judgements', 'texts', 'reactions', 'problems'] as const).map(key => [
      key,
      ...rows.map(({ counts }) => String(counts[key])),
    ]),
  ])
}

function html([head = [], ...lines]: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: 'td' | 'th') =>
    `<tr>${cells.map(cell => `<${tag}>${safe(cell)}</${tag}>`).join('')}</tr>`
  return `<table>\n${[row(head, 'th'), ...lines.map(line => row(line, 'td'))].join('\n')}\n</table>`
}

function safe(text: string): string {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}
