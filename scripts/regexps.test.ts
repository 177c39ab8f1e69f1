/** The check of regular expressions, run on a small tree with planted ones. */
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const SCRIPT = join(import.meta.dirname, 'regexps.ts')

/** The output of the check for a tree with these files. */
async function check(planted: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'kikimimi-regexps-'))
  try {
    for (const [path, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...planted })) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT], { cwd: folder, encoding: 'utf8' })
    return { status, said: stdout + stderr }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('expressions that take linear time are accepted, with lookbehinds and sets', async () => {
  const { status, said } = await check({
    'plugins/a/a.ts': 'export const [end, kana] = [/(?<!\\s)\\s+$/u, /^[\\p{L}--[\\p{sc=Hiragana}]]+$/v]',
  })
  expect(said).toBe('2 regular expressions take linear time, or read bounded texts.\n')
  expect(status).toBe(0)
})

test.each([
  ['a literal of exponential time', 'export const end = /(a+)+$/', 'plugins/a/a.ts:1: exponential time: /(a+)+$/'],
  ['a literal of polynomial time', '\nexport const end = /\\s+$/u', 'plugins/a/a.ts:2: polynomial time: /\\s+$/u'],
  [
    'an expression that a module builds',
    'const one = "a+"\nexport const end = new RegExp("^(?:" + one + ")+$")',
    'plugins/a/a.ts:2: exponential time: /^(?:a+)+$/',
  ],
])('%s is refused with its place', async (_what, text, refusal) => {
  const { status, said } = await check({ 'plugins/a/a.ts': text })
  expect(said).toContain(refusal)
  expect(status).toBe(1)
})

test('a bounded file may take polynomial time, but not exponential time', async () => {
  const file = 'plugins/remember/tags.ts'
  expect((await check({ [file]: 'export const end = /\\s+$/' })).status).toBe(0)
  expect((await check({ [file]: 'export const end = /(a+)+$/' })).said).toContain(`${file}:1: exponential time`)
})
