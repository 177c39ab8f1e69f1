/** The result of `kikimimi eval memory` as JSON, as text and as a page. */
import type { SceneResult } from './run-scene.ts'

export interface Totals {
  readonly scenes: number
  readonly passed: number
  /** Share of passed checks for each kind of scene, 0…1. */
  readonly byKind: Readonly<Record<string, number>>
}

export function totalsOf(results: readonly SceneResult[]): Totals {
  const kinds = Map.groupBy(results, ({ kind }) => kind)
  return {
    scenes: results.length,
    passed: results.filter(isPassed).length,
    byKind: Object.fromEntries([...kinds].map(([kind, some]) => [kind, shareOf(some)])),
  }
}

export function isPassed({ checks }: SceneResult): boolean {
  return checks.every(({ passed }) => passed)
}

export function toJson(model: string, results: readonly SceneResult[]): string {
  return JSON.stringify({ model, ...totalsOf(results), results }, null, 2)
}

export function toText(results: readonly SceneResult[]): string {
  const { passed, scenes, byKind } = totalsOf(results)
  const lines = results.map(result => {
    const failed = result.checks.filter(check => !check.passed).map(({ what }) => what)
    const mark = failed.length === 0 ? 'ok' : '!!'
    return `${mark} ${result.kind} (${result.locale}) ${result.name}${failed.length === 0 ? '' : `: ${failed.join(', ')}`}`
  })
  const shares = Object.entries(byKind).map(([kind, share]) => `${kind} ${Math.round(100 * share)} %`)
  return [...lines, `${passed} of ${scenes} scenes passed. ${shares.join(', ')}`].join('\n')
}

export function toHtml(model: string, results: readonly SceneResult[]): string {
  const { passed, scenes, byKind } = totalsOf(results)
  const kinds = Object.entries(byKind).map(
    ([kind, share]) => `<tr><th scope="row">${kind}</th><td>${Math.round(100 * share)} %</td></tr>`,
  )
  const rows = results.map(({ name, kind, locale, checks, known, answer }) => {
    const cells = [
      `<th scope="row" lang="${locale}">${safe(name)}</th><td>${kind}</td>`,
      `<td>${checks.map(check => `${check.passed ? 'passed' : '<strong>failed</strong>'}: ${safe(check.what)}`).join('<br>')}</td>`,
      `<td lang="${locale}">${known.map(safe).join('<br>')}</td><td lang="${locale}">${safe(answer ?? '')}</td>`,
    ]
    return `<tr>${cells.join('')}</tr>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>kikimimi eval memory</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>kikimimi eval memory</h1>
<p>${passed} of ${scenes} scenes passed with ${safe(model)}.</p>
<table><caption>Share of passed checks</caption><tbody>${kinds.join('')}</tbody></table>
<h2>Scenes</h2>
<div class="wide" tabindex="0" role="region" aria-label="Scenes">
<table>
<thead><tr><th scope="col">Scene</th><th scope="col">Kind</th><th scope="col">Checks</th><th scope="col">Known after it</th><th scope="col">Answer</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</div>
</main>
</body>
</html>
`
}

const STYLE = `
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 }
main { max-width: 64rem; margin: 2rem auto; padding: 0 1rem }
.wide { overflow-x: auto }
table { border-collapse: collapse }
caption { text-align: left; font-weight: 600 }
td, th { padding: .3rem .8rem .3rem 0; border-bottom: 1px solid gray; text-align: left; vertical-align: top }
`

function shareOf(results: readonly SceneResult[]): number {
  const checks = results.flatMap(({ checks }) => checks)
  return checks.filter(({ passed }) => passed).length / Math.max(1, checks.length)
}

function safe(text: string): string {
  return text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)
}
