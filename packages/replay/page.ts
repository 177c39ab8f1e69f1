/** The report as a standalone page without external resources, light and dark, accessible by keyboard and screen reader. */
import { board, firings, per100, type Row } from './report.ts'
import { type Fired, metricsOf, type Sums } from './scores.ts'

export function toHtml(rows: readonly Row[]): string {
  const scored = rows.flatMap(row => (row.sums ? [{ ...row, sums: row.sums }] : []))
  const [first] = rows
  const intro = first
    ? `${first.counts.files} file${first.counts.files === 1 ? '' : 's'}, ${first.counts.messages} messages, ${first.counts.hours} hours of talk`
    : ''
  return standalone(
    'kikimimi replay',
    STYLE,
    `<p>${safe(intro)}</p>
${scored.length === 0 ? countsTable(rows) : ''}
${scored.length > 0 ? `<h2>Calls against coverage</h2>\n${scatter(scored)}\n<h2>The board</h2>\n${boardTable(rows)}` : ''}
${scored.map(({ name, sums }) => rulesTable(`What each rule did${name ? `: ${name}` : ''}`, sums)).join('\n')}`,
  )
}

/** A page without external resources. @param body HTML, after the heading */
export function standalone(title: string, style: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${safe(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${safe(title)}</h1>
${body}
</main>
</body>
</html>
`
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2530; --soft: #586474; --line: #d5dbe3; --paper: #fff; --yes: #1f7a8c; --no: #d08c3a }
@media (prefers-color-scheme: dark) { :root { --ink: #e7ebf0; --soft: #a3afbf; --line: #37414f; --paper: #141a21; --yes: #56b6c9; --no: #b8772c } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 }
main { max-width: 56rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin: 2.5rem 0 .75rem }
.wide { overflow-x: auto } .wide:focus-visible { outline: 2px solid var(--yes); outline-offset: 4px }
table { border-collapse: collapse } td, th { padding: .15rem 0 .15rem 1.2rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; font-weight: 400; font-variant-numeric: tabular-nums }
thead th { font-weight: 600; vertical-align: bottom; white-space: normal } tr > :first-child { text-align: left; padding-left: 0 }
.board tr > :first-child, .board thead { position: sticky; left: 0; background: var(--paper) } .board .mean { color: var(--soft) } .board .mean th { padding-left: 1.2rem }
.rules { width: 100% } .rules tbody th { white-space: normal } .rules .bar { width: 40%; text-align: left } .rules .key { white-space: nowrap }
.bar span { display: inline-block; height: .8rem; vertical-align: -.05rem } .yes { background: var(--yes); fill: var(--yes) } .no { background: var(--no) }
.key::before { content: ''; display: inline-block; width: .7rem; height: .7rem; margin-right: .35rem } .key.a::before { background: var(--yes) } .key.b::before { background: var(--no) }
svg { display: block; width: 100%; max-width: 36rem; height: auto } svg text { font: 13px system-ui, sans-serif; fill: var(--ink) } svg .soft { fill: var(--soft) } svg line { stroke: var(--line) }
@media (max-width: 40rem) { .rules .bar { display: none } .rules tbody th { width: 60% } td, th { padding-left: .6rem } .board tbody th { white-space: normal; min-width: 6.5rem } }
`

interface Scored extends Row {
  readonly sums: Sums
}

const [WIDTH, HEIGHT] = [480, 270]
const [LEFT, RIGHT, TOP, BOTTOM] = [50, 462, 20, 220]
const LINE = 17

/** A dot for each bot: further left is cheaper, higher misses less. */
function scatter(rows: readonly Scored[]): string {
  const dots = rows.map(({ name, counts, sums }) => ({
    name: name || 'this bot',
    calls: Number(per100(counts.judgements, counts)),
    coverage: metricsOf(sums).coverage ?? 0,
  }))
  const highest = Math.max(...dots.map(({ calls }) => calls))
  // Four equal steps.
  const most = Math.max(12, Math.ceil(highest / 4) * 4)
  const x = (calls: number) => Math.round(LEFT + (calls / most) * (RIGHT - LEFT))
  const y = (coverage: number) => Math.round(BOTTOM - coverage * (BOTTOM - TOP))
  const quarters = [0, 0.25, 0.5, 0.75, 1]
  const across = quarters.map(
    share =>
      `<line x1="${LEFT}" x2="${RIGHT}" y1="${y(share)}" y2="${y(share)}"/><text class="soft" x="${LEFT - 8}" y="${y(share) + 4}" text-anchor="end">${100 * share} %</text>`,
  )
  const along = quarters.map(
    share => `<text class="soft" x="${x(share * most)}" y="${BOTTOM + 18}" text-anchor="middle">${share * most}</text>`,
  )
  // Names of overlapping dots stand one below the other.
  let above = -LINE
  const points = dots
    .toSorted((a, b) => b.coverage - a.coverage)
    .map(({ name, calls, coverage }) => {
      above = Math.max(above + LINE, y(coverage) + 5)
      const atRight = x(calls) > (LEFT + RIGHT) / 2
      const label = `<text x="${x(calls) + (atRight ? -11 : 11)}" y="${above}"${atRight ? ' text-anchor="end"' : ''}>${safe(name)}</text>`
      return `<circle class="yes" cx="${x(calls)}" cy="${y(coverage)}" r="6"/>${label}`
    })
  const told = dots.map(({ name, calls, coverage }) => `${name}: ${calls} judgements, ${(100 * coverage).toFixed(1)} % covered`)
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${safe(`Judgements per 100 messages against coverage. ${told.join('; ')}.`)}">
${[...across, ...along, ...points].join('\n')}
<text class="soft" x="${LEFT}" y="${HEIGHT - 8}">→ judgements per 100 messages · ↑ coverage</text>
</svg>`
}

/** A bar for each rule: how often it applied in batches that the member answered, and in others. */
function rulesTable(title: string, sums: Sums): string {
  const rules = firings(sums)
  const head = `<h2>${safe(title)}</h2>`
  if (rules.length === 0) return `${head}\n<p>No rule gave points.</p>`
  const most = Math.max(1, ...rules.map(total))
  const width = (count: number) => `${((100 * count) / most).toFixed(1)}%`
  const lines = rules.map(
    ({ rule, gold, other, lift }) =>
      `<tr><th scope="row">${safe(rule)}</th><td class="bar" aria-hidden="true"><span class="yes" style="width:${width(gold)}"></span><span class="no" style="width:${width(other)}"></span></td>${[gold, other, lift?.toFixed(2) ?? '–'].map(cell => `<td>${cell}</td>`).join('')}</tr>`,
  )
  return `${head}
<p>The number of batches without a mention in which each rule applied: batches that the member answered, and others.</p>
<table class="rules">
<thead><tr><th scope="col">rule</th><th class="bar" aria-hidden="true"></th><th scope="col" class="key a">answered</th><th scope="col" class="key b">others</th><th scope="col">lift</th></tr></thead>
<tbody>
${lines.join('\n')}
</tbody>
</table>`
}

function total({ gold, other }: Fired): number {
  return gold + other
}

function boardTable(rows: readonly Row[]): string {
  return scrolling('The board', table(board(rows)))
}

function countsTable(rows: readonly Row[]): string {
  return table([
    ['', ...rows.map(({ name }) => name || 'this bot')],
    ...(['turns', 'unasked', 'judgements', 'texts', 'reactions', 'problems'] as const).map(key => [
      key,
      ...rows.map(({ counts }) => String(counts[key])),
    ]),
  ])
}

/** Content that is wider than a phone scrolls in its own area, also with the arrow keys. */
function scrolling(name: string, html: string): string {
  return `<div class="wide" role="region" aria-label="${safe(name)}" tabindex="0">\n${html}\n</div>`
}

function table([head = [], ...lines]: readonly (readonly string[])[]): string {
  const headings = head.map(cell => (cell === '' ? '<td></td>' : `<th scope="col">${safe(cell)}</th>`)).join('')
  const row = ([name = '', ...cells]: readonly string[]) =>
    `<tr${name.startsWith(' ') ? ' class="mean"' : ''}><th scope="row">${safe(name.trim())}</th>${cells.map(cell => `<td>${safe(cell)}</td>`).join('')}</tr>`
  return `<table class="board">\n<thead><tr>${headings}</tr></thead>\n<tbody>\n${lines.map(row).join('\n')}\n</tbody>\n</table>`
}

/** Text for HTML, also in attributes in double quotes. */
export function safe(text: string): string {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}
