import { execFileSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createReader } from '../documents/reader.ts'
import { tempFolder } from '../testing/temp-folder.ts'
import { folderSource } from './folder.ts'
import { gitSource } from './git.ts'
import { pagesSource } from './pages.ts'
import type { Source } from './source.ts'

const reader = createReader()
afterAll(() => reader[Symbol.asyncDispose]())
const { signal } = new AbortController()

/** What a source has: its passages by document, or why it cannot be read. */
async function readAll(source: Source): Promise<Record<string, unknown>> {
  const { documents, read } = await source.list(signal)
  const found: Record<string, unknown> = {}
  for (const document of documents) {
    const of = async () => {
      const { kind, bytes } = await read(document, signal)
      const { passages } = await reader.read(kind, bytes)
      return passages.map(({ headings, anchor, text }) => [headings.join(' › '), anchor, text])
    }
    found[document.path] = await of().catch(error => String(error.message))
  }
  return found
}

/** A file of one page, written by hand: https://www.iso.org/standard/75839.html, 7.5. */
function pdf(text: string): string {
  const stream = `BT /F1 12 Tf 20 100 Td (${text}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = file.length
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  return `${file}xref\n0 6\n0000000000 65535 f \n${places.join('')}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
}

const HTML = `<html><head><title>Manual</title><style>p { color: red }</style></head><body><nav>Home | About</nav>
<h1 id="top">Manual<a href="#top">¶</a></h1>
<dl><dt><a href="#oil">Oil &amp; water</a></dt><dd><dl><dt><a href="#a">Oil</a></dt><dt><a href="b.html">Water</a></dt></dl></dd></dl><p>Read <b>this</b>   first.</p><h2><a name="oil"></a>Oil &amp; water</h2>
<table><tr><th>part</th><th>litres</th></tr><tr><td>engine</td><td>4.2</td></tr></table>
<pre>oil --check\n  now</pre><ul><li>one</li><li>two</li></ul><script>alert(1)</script></body></html>`

test('a folder: Markdown, HTML, PDF and text, and no hidden files', async () => {
  await using docs = await tempFolder({
    'guide.md':
      '---\ntags: x\n---\nBefore.\n\n# Guide\n\n## Oil\n\nSee [the page](https://a.example/b).\n\n```\n# no heading\n```\n\nOil\n---\n\nAgain <!-- not this -->.',
    'deep/manual.html': HTML,
    'paper.pdf': pdf('The pump needs grease'),
    'notes.txt': Buffer.from('\ufeffgrüße', 'utf16le'),
    'image.png': 'x',
    '.hidden/secret.md': 'no',
    'node_modules/x/readme.md': 'no',
  })
  expect(await readAll(folderSource({ name: 'docs', folder: docs.path }))).toEqual({
    'guide.md': [
      ['', undefined, 'Before.'],
      ['Guide › Oil', 'oil', 'See [the page].\n\n```\n# no heading\n```'],
      ['Guide › Oil', 'oil-1', 'Again .'],
    ],
    'deep/manual.html': [
      ['Manual', 'top', 'Read this first.'],
      ['Manual › Oil & water', 'oil', 'part | litres\nengine | 4.2\noil --check\nnow\n- one\n- two'],
    ],
    'paper.pdf': [['p. 1', 'page=1', 'The pump needs grease']],
    'notes.txt': [['', undefined, 'grüße']],
  })
})

test('a folder tells of changes', async () => {
  await using docs = await tempFolder({ 'deep/one.md': 'one' })
  const { promise, resolve } = Promise.withResolvers<void>()
  using _watching = await folderSource({ name: 'docs', folder: docs.path }).watch?.(resolve)
  await writeFile(join(docs.path, 'deep/two.md'), 'two')
  await promise
})

test('a Git repository: its branch, without links and without a checkout', async () => {
  await using repository = await tempFolder({ 'docs/a.md': '# A\n\nfirst', 'other.md': '# Other\n\nno' })
  await using scope = new AsyncDisposableStack()
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { cwd: repository.path, stdio: 'pipe' })
  git('init', '--quiet', '--initial-branch', 'main')
  execFileSync('ln', ['-s', '/etc/passwd', join(repository.path, 'docs/passwd.md')])
  git('add', '.')
  git('commit', '--quiet', '--message', 'one')
  const source = gitSource({
    name: 'repo',
    git: `file://${repository.path}`,
    path: 'docs',
    branch: 'main',
    link: 'https://x.example/blob',
    scope,
  })
  expect(await readAll(source)).toEqual({ 'docs/a.md': [['A', 'a', 'first']] })
  const [before] = (await source.list(signal)).documents
  expect(before?.link).toBe('https://x.example/blob/docs/a.md')
  await writeFile(join(repository.path, 'docs/b.md'), '# B\n\nsecond')
  git('add', '.')
  git('commit', '--quiet', '--message', 'two')
  expect(await readAll(source)).toEqual({ 'docs/a.md': [['A', 'a', 'first']], 'docs/b.md': [['B', 'b', 'second']] })
  expect((await source.list(signal)).documents[0]).toEqual(before)
  await rm(repository.path, { recursive: true })
  await expect(source.list(signal)).rejects.toThrow(/does not appear to be a git repository|not exist/)
  const withPassword = gitSource({ name: 'repo', git: 'file://me:secret@localhost/nowhere', scope })
  await expect(withPassword.list(signal)).rejects.toThrow(/^(?!.*secret)/s)
})

test('pages: by media type, with redirects in the host alone, and never a password in a path', async () => {
  const server = createServer(({ url, headers }, response) => {
    if (url === '/moved') return response.writeHead(302, { location: '/page' }).end()
    if (url === '/away') return response.writeHead(302, { location: 'http://192.0.2.1/admin' }).end()
    if (url === '/page' && headers.authorization === `Basic ${Buffer.from('me:secret').toString('base64')}`) {
      return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(HTML)
    }
    if (url === '/zip') return response.writeHead(200, { 'content-type': 'application/zip' }).end('x')
    if (url === '/large')
      return response.writeHead(200, { 'content-type': 'text/plain' }).end(Buffer.alloc(11 * 1024 * 1024, 'x'))
    return response.writeHead(404).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const urls = ['moved', 'away', 'zip', 'large', 'missing'].map(path => `http://me:secret@${host}/${path}`)
    expect(await readAll(pagesSource({ name: 'web', urls }))).toEqual({
      [`http://${host}/moved`]: [
        ['Manual', 'top', 'Read this first.'],
        ['Manual › Oil & water', 'oil', expect.stringContaining('engine | 4.2')],
      ],
      [`http://${host}/away`]: 'it has moved to http://192.0.2.1/admin',
      [`http://${host}/zip`]: 'it is no document (application/zip)',
      [`http://${host}/large`]: expect.stringMatching(/^it has 11 MB, and more than 10 MB are not read$/),
      [`http://${host}/missing`]: 'the server answered 404',
    })
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
