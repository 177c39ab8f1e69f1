/**
 * What the documents show is true: their code is type-checked and run, and their links lead somewhere.
 *
 * A block whose first line is a comment with a path is a file of that path, and so is JSON after a line with the path. A document's files lie together in a
 * folder of their own, each TypeScript file on the lines that it has in the document. Tests among them are tests here.
 */
import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
// First here, so that the database it shares outlives the tests of one block.
import { testBot } from 'kikimimi/testing'
import { afterAll, describe, expect, it } from 'vitest'
import config from '../bot.config.ts'

const root = join(import.meta.dirname, '..')
const documents = globSync('{README.md,CONTRIBUTING.md,docs/*.md,docs/{ja,tutorials,ja/tutorials}/*.md,plugins/*/README.md}', {
  cwd: root,
})

// Inside the workspace, so that the packages are found.
mkdirSync(join(root, '.cache'), { recursive: true })
const folder = mkdtempSync(join(root, '.cache/docs-'))
afterAll(() => rmSync(folder, { recursive: true }))

writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.json', include: ['.'] }))

it('the code has the right types', async () => {
  const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '--project', folder]
  const { stdout } = await promisify(execFile)(process.execPath, tsc, { cwd: folder }).catch(error => error)
  expect(stdout).toBe('')
})

describe.each(documents)('%s', document => {
  const files = filesIn(document)

  describe.each(files.filter(({ path }) => path.endsWith('.test.ts')))('$name', async ({ path }) => {
    await import(pathToFileURL(path).href)
  })

  it.each(files.filter(({ path }) => /(?<!\.test)\.ts$/.test(path)))('$name runs', async ({ path }) => {
    await import(pathToFileURL(path).href)
  })

  it.each(talksIn(document))('the talk in line $line goes as it is shown', async ({ talk }) => {
    await using bot = await testBot({ ...config, pacing: { jitter: 0 } })
    const shown: string[] = []
    let [author, seen] = ['you', 0]
    for (const { 1: named, 2: text = '' } of talk.matchAll(/^\w+> (?:(\w+): )?(.*)$/gm)) {
      author = named ?? author
      await bot.say(author, text, { channel: 'terminal' })
      await bot.pass('10s')
      const { score, decision } = await bot.trace()
      const said = bot.sent.slice(seen).map(text => `kiki: ${text.replaceAll('\n', '\n  ')}`)
      shown.push(...said.flatMap(text => text.split('\n')), `${decision?.kind} · ${score?.points}: ${decision?.why}`)
      seen = bot.sent.length
    }
    expect(shown).toEqual(talk.split('\n').filter(line => line !== '' && !/^\w+> /.test(line)))
  })

  it('its links lead somewhere', () => {
    const text = readFileSync(join(root, document), 'utf8')
    const links = Array.from(text.matchAll(/\]\((?!https?:)([^)#\s]+)/g), ([, link = '']) => link)
    expect(links.filter(link => !existsSync(join(root, dirname(document), link)))).toEqual([])
  })

  it('its links to sections lead to a heading', () => {
    const text = readFileSync(join(root, document), 'utf8')
    const links = Array.from(text.matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g), ([, page = '', anchor = '']) => ({
      page,
      anchor,
    }))
    const missing = links.filter(({ page, anchor }) => !anchorsOf(page ? join(dirname(document), page) : document).has(anchor))
    expect(missing).toEqual([])
  })
})

/** The ids of the headings of a document, as GitHub and the site make them. A file that is no document has none of its own. */
function anchorsOf(document: string): Pick<Set<string>, 'has'> {
  if (!document.endsWith('.md')) return { has: () => true }
  const text = readFileSync(join(root, document), 'utf8').replace(/^```[\s\S]*?^```$/gm, '')
  const headings = Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  )
  return new Set(headings)
}

/** Blocks in which somebody types at a terminal. */
function talksIn(document: string): { readonly line: number; readonly talk: string }[] {
  const text = readFileSync(join(root, document), 'utf8')
  return Array.from(text.matchAll(/^```\n(\w+> [\s\S]*?)^```$/gm), ({ 1: talk = '', index }) => ({
    line: text.slice(0, index).split('\n').length,
    talk,
  }))
}

/** Writes the code of a document where it can run. */
function filesIn(document: string): { readonly name: string; readonly path: string }[] {
  const text = readFileSync(join(root, document), 'utf8')
  const home = join(folder, document.replaceAll('/', '.'))
  for (const { 1: name = '', 2: json = '' } of text.matchAll(/^`(\S+\.json)`:\n\n```json\n([\s\S]*?)^```$/gm)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), json)
  }
  return [...text.matchAll(/^```(ts|sql|md)\n(.*\n)([\s\S]*?)^```$/gm)].flatMap(
    ({ 1: language, 2: first = '', 3: rest, index }) => {
      const named = /^(?:\/\/|--|<!--) (\S+\.(?:ts|sql|md))(?: -->)?$/.exec(first.trimEnd())?.[1]
      if (language !== 'ts' && named === undefined) return []
      const line = text.slice(0, index).split('\n').length
      const name = named ?? `line-${line}.ts`
      const path = join(home, name)
      if (existsSync(path)) throw new Error(`${document} shows ${name} twice, again in line ${line}`)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, (language === 'ts' ? '\n'.repeat(line) : '') + first + rest)
      return { name, path }
    },
  )
}
