/**
 * Bundles the page of the dashboard for its package and for the image: few files, named by their content and compressed, so that
 * browsers keep them.
 *   node plugins/dashboard/files/bundle-page.ts FOLDER     FOLDER is replaced by the bundle
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type OutputOptions, type Plugin, rolldown } from 'rolldown'
import { pages } from '../pages.ts'
import { generated, languages } from './sources.ts'

/** The link of the style sheet in index.html. */
const LINK = /^ *<link rel="stylesheet" href="\/style\.css" \/>\n/m
/** The entry of the bundle: the style sheet, whose own file would cost a request, and the page. */
const ENTRY = 'entry'
const SHEET = 'sheet'

/** Replaces the folder `into` by a bundle of the page in the folder `from`. */
export async function bundlePage(from: string, into: string): Promise<void> {
  const texts = await generated(from, pages)
  /** The files of the bundle by their names, and their names by those of the sources. */
  const files = new Map<string, string>()
  const names = new Map<string, string>()
  const add = (path: string, text: string) => {
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 8)
    const name = path.replace(/(?=\.\w+$)/, `-${hash}`)
    files.set(name, text)
    names.set(path, name)
  }

  // A language is loaded alone, when it is chosen.
  for (const tag of await languages(from)) {
    const path = `/languages/${tag}.js`
    add(path, await bundled(join(from, path), { format: 'esm' }))
  }
  const made = new Map([
    ...Array.from(texts, ([path, text]) => [join(from, path), text] as const),
    [ENTRY, `import '${SHEET}'\nimport ${JSON.stringify(join(from, 'main.js'))}`],
    [
      SHEET,
      `const sheet = new CSSStyleSheet()
       sheet.replaceSync(${JSON.stringify(texts.get('/style.css'))})
       document.adoptedStyleSheets = [sheet]`,
    ],
  ])
  const ofServer: Plugin = {
    name: 'of-server',
    resolveId(name, importer = '') {
      if (made.has(name)) return name
      const file = join(dirname(importer), name)
      const language = names.get(`/${relative(from, file).replaceAll('\\', '/')}`)
      if (language !== undefined) return { id: language, external: 'absolute' }
      return made.has(file) ? file : null
    },
    load: id => made.get(id) ?? null,
  }
  add('/main.js', await bundled(ENTRY, { format: 'esm', codeSplitting: false }, ofServer))
  add('/shell/before.js', await bundled(join(from, 'shell/before.js'), { format: 'iife' }))
  add('/icon.svg', await readFile(join(from, 'icon.svg'), 'utf8'))
  const html = await readFile(join(from, 'index.html'), 'utf8')
  files.set(
    '/index.html',
    html.replace(LINK, '').replaceAll(/(?<=(?:src|href)=")[^"]+/g, path => {
      const name = names.get(path)
      if (name === undefined) throw new Error(`page/index.html names ${path}, which is not in the bundle.`)
      return name
    }),
  )
  await rm(into, { recursive: true, force: true })
  for (const [path, text] of files) await write(join(into, path), text)
}

/** The code of one file with all that it imports, minified. */
async function bundled(input: string, output: OutputOptions, ...plugins: readonly Plugin[]): Promise<string> {
  await using bundle = await rolldown({ input, plugins: [...plugins] })
  const { output: chunks } = await bundle.generate({ ...output, minify: true })
  const [first, ...others] = chunks
  if (first?.type !== 'chunk' || others.length > 0) throw new Error(`${input} became ${chunks.length} files instead of one.`)
  return first.code
}

/** With its compressed forms, which the server only has to send. */
async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  await writeFile(file, text)
  await writeFile(`${file}.br`, await promisify(brotliCompress)(text, best))
  await writeFile(`${file}.gz`, await promisify(gzip)(text, { level: constants.Z_BEST_COMPRESSION }))
}

if (import.meta.main) {
  const [into, ...rest] = process.argv.slice(2)
  if (!into || rest.length > 0) throw new Error('usage: node plugins/dashboard/files/bundle-page.ts FOLDER')
  await bundlePage(join(import.meta.dirname, '../page'), into)
}
