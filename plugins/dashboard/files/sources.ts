/** What the page needs beside the files of `page/`: packages, one style sheet, and what the server knows. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { STAGES } from 'kikimimi/host'
import type { Role } from '../server/roles.ts'

/** Files of packages, unchanged except for one import that a browser cannot resolve without an import map. */
const VENDOR = {
  'preact.js': 'preact',
  'hooks.js': 'preact/hooks',
  'htm.js': 'htm',
  'uplot.js': 'uplot/dist/uPlot.esm.js',
}

/** Folders of style sheets for all pages, in this order. */
const SHARED = ['base', 'shell', 'turn']

/** A page in the menu. */
export interface Listed {
  readonly name: string
  readonly role: Role
}

/** The texts of the generated files by their path, such as `/style.css`. `folder` is `page/`. */
export async function generated(folder: string, pages: readonly Listed[]): Promise<ReadonlyMap<string, string>> {
  const vendor = Object.entries(VENDOR).map(
    async ([name, specifier]) =>
      [`/vendor/${name}`, (await packaged(specifier)).replaceAll('"preact"', '"./preact.js"')] as const,
  )
  return new Map([
    ...(await Promise.all(vendor)),
    ['/style.css', await styles(folder)] as const,
    ['/site.js', site(pages, await languages(folder))] as const,
  ])
}

/** The languages of the page: the names of their files. */
export async function languages(folder: string): Promise<readonly string[]> {
  const names = (await readdir(join(folder, 'languages'))).filter(name => name.endsWith('.js'))
  return names.map(name => name.slice(0, -'.js'.length)).sort()
}

/** All style sheets as one. Those for all pages come first, so that a page can override them. */
async function styles(folder: string): Promise<string> {
  const found = (await readdir(folder, { recursive: true })).filter(name => name.endsWith('.css')).sort()
  const rank = (name: string) => SHARED.indexOf(name.split(/[\\/]/, 1)[0] ?? '') + 1 || SHARED.length + 1
  const ordered = found.toSorted((one, other) => rank(one) - rank(other))
  const own = await Promise.all(ordered.map(name => readFile(join(folder, name), 'utf8')))
  return [await packaged('uplot/dist/uPlot.min.css'), ...own].join('\n')
}

/** What the page has to know before it asks the API: its pages, languages and stages. See `types/site.d.ts`. */
function site(pages: readonly Listed[], languages: readonly string[]): string {
  const load = (path: string) => `() => import(${JSON.stringify(`./${path}.js`)})`
  const entries = pages.map(({ name, role }) => `  { name: '${name}', role: '${role}', load: ${load(`${name}/page`)} },\n`)
  const catalogues = languages.map(tag => `  '${tag}': ${load(`languages/${tag}`)},\n`)
  return [
    `export const pages = [\n${entries.join('')}]\n`,
    `export const panel = { load: ${load('panel/page')} }\n`,
    `export const languages = {\n${catalogues.join('')}}\n`,
    `export const stages = ${JSON.stringify(Object.keys(STAGES))}\n`,
  ].join('')
}

function packaged(specifier: string): Promise<string> {
  return readFile(fileURLToPath(import.meta.resolve(specifier)), 'utf8')
}
