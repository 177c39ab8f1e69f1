/** Checks of all pages and languages, without a browser. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { STAGES } from 'kikimimi/host'
import { expect, test } from 'vitest'
import { pages } from './pages.ts'
import { catalogues, translated, type Words } from './testing/catalogues.ts'

const { en: english, ...others } = await catalogues()

test('the page has the right types', async () => {
  const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
  const project = fileURLToPath(new URL('./tsconfig.page.json', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '--noEmit', '--project', project]).catch(error => error)
  expect(stdout).toBe('')
})

test.each(Object.entries(others))('%s has exactly the texts of English, with the same values', (_language, { words }) => {
  expect(Object.keys(words).toSorted()).toEqual(Object.keys(english.words).toSorted())
  expect(valuesOf(words)).toEqual(valuesOf(english.words))
  expect(Object.entries(words).filter(([, text]) => text.trim() === '')).toEqual([])
})

test('every page has a title and its own code', () => {
  const folders = readdirSync(new URL('./page/', import.meta.url))
  for (const { name } of pages) {
    expect(english.words).toHaveProperty(name)
    expect(folders).toContain(name)
  }
})

test('every stage has a name', () => {
  const names = Object.keys(STAGES).map(stage => `stage${stage.charAt(0).toUpperCase()}${stage.slice(1)}`)
  expect(Object.keys(english.words)).toEqual(expect.arrayContaining(names))
})

test.each(Object.entries(others))('%s translates every reason of the plugins', (_language, { reasons }) => {
  const root = new URL('../../', import.meta.url)
  const files = ['core', 'plugins'].flatMap(folder =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map(file => `${folder}/${file}`),
  )
  const given = files
    .filter(file => file.endsWith('.ts') && !/node_modules|test|bot-with-judge|dashboard/.test(file))
    .flatMap(file => [...readFileSync(new URL(file, root), 'utf8').matchAll(/\bwhy: (['"])(.+?)\1/g)])
    .map(([, , why = '']) => why)
    // Exceptions: the state before a decision, and single words.
    .filter(why => why !== 'not decided yet' && why.includes(' '))
  expect(given.length).toBeGreaterThan(40)
  const told = given.map(why => translated(why, reasons))
  expect(told.filter(why => /[a-z]{2}/i.test(why))).toEqual([])
})

test.each(Object.entries(others))('%s translates reasons with values', (_language, { reasons }) => {
  const given = [
    'addressed by mention',
    'the command /12',
    '7 failed to decide',
    'asked for another answer (again)',
    'asked for another answer (shorter)',
    'the channel wakes up, and fact 7 has to do with it',
    'the process that made the answer ended before it was sent',
    'the bot ended while it wrote the answer; what people saw of it is deleted, and it is answered anew',
  ]
  expect(given.map(why => translated(why, reasons)).filter(why => /[a-z]{2}/i.test(why))).toEqual([])
})

test('Japanese reasons are all polite, or a noun', () => {
  const { reasons = [] } = others.ja ?? {}
  expect(reasons.length).toBeGreaterThan(80)
  expect(
    reasons.map(([, told]) => told).filter(told => /(?<!まし|でし)た$|(?<!で|ま)す$|[だいうるくむぶぬつ]$/.test(told)),
  ).toEqual([])
})

/** Names of the values in each text. */
function valuesOf(words: Words): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(words).map(([key, text]) => [key, [...new Set(text.match(/\{\w+\}/g) ?? [])].toSorted()]),
  )
}
