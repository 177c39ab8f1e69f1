/** Each language is complete: each package has the same texts, placeholders, prompts and patterns as in English. */
import { glob, readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { LOCALES } from 'kikimimi/host'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Folders with a file per language. The dashboard page runs in browsers and has its own files. */
const found = await Array.fromAsync(
  glob(['core/base/text/locales', '{packages,plugins}/*/locales', '{packages,plugins}/*/**/locales'], { cwd: root, exclude }),
)
const catalogues = [...new Set(found)].sort()
const languages = [...new Set(await Array.fromAsync(glob('{core,packages,plugins}/**/language', { cwd: root, exclude })))].sort()
const prompts = [...new Set(await Array.fromAsync(glob('plugins/**/prompts/en', { cwd: root, exclude })))].map(dirname).sort()

function exclude(path: string): boolean {
  return /node_modules|fixtures|templates/.test(path)
}

const PLACEHOLDER = /\{\{\s*([\w.-]+)\s*\}\}/g
const placeholdersOf = (text: string) => [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name]) => name))].sort()

/** The key without its plural form, which differs between languages. */
const textOf = (key: string) => key.replace(/_(?:zero|one|two|few|many|other)$/, '')

async function textsIn(folder: string, locale: string): Promise<Readonly<Record<string, string>>> {
  return JSON.parse(await readFile(join(root, folder, `${locale}.json`), 'utf8'))
}

test('packages with texts or patterns are found', () => {
  expect(LOCALES).toEqual(expect.arrayContaining(['en', 'ja', 'ko']))
  expect(catalogues).toEqual(
    expect.arrayContaining(['core/base/text/locales', 'plugins/quiet/locales', 'plugins/remember/locales']),
  )
  expect(languages).toEqual(
    expect.arrayContaining(['packages/speech-acts/rules/language', 'plugins/quiet/language', 'plugins/addressing/language']),
  )
  expect(prompts).toEqual(expect.arrayContaining(['plugins/reply/prompts', 'plugins/eavesdrop/prompts']))
})

describe.each(LOCALES)('%s', locale => {
  test.each(catalogues)('has the texts and placeholders of %s', async folder => {
    const [english, own] = await Promise.all([textsIn(folder, 'en'), textsIn(folder, locale)])
    const shape = (texts: Readonly<Record<string, string>>) =>
      Object.fromEntries(
        [...Map.groupBy(Object.entries(texts), ([key]) => textOf(key))].map(([key, forms]) => [
          key,
          // A singular form may omit its number.
          [...new Set(forms.flatMap(([, text]) => placeholdersOf(text)))].sort(),
        ]),
      )
    expect(shape(own)).toEqual(shape(english))
    const plural = Object.keys(own).filter(key => textOf(key) !== key)
    for (const key of plural) expect(own).toHaveProperty([`${textOf(key)}_other`])
    const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories as readonly string[]
    for (const key of plural) expect(forms).toContain(key.slice(textOf(key).length + 1))
  })

  test.each(prompts)('has the prompts of %s', async folder => {
    const names = async (language: string) => (await readdir(join(root, folder, language))).sort()
    expect(await names(locale)).toEqual(await names('en'))
    for (const name of await names('en')) {
      const [english, own] = await Promise.all(
        ['en', locale].map(async language => readFile(join(root, folder, language, name), 'utf8')),
      )
      expect({ name, values: placeholdersOf(own ?? '') }).toEqual({ name, values: placeholdersOf(english ?? '') })
    }
  })

  test.each(languages)('has the patterns of %s', async folder => {
    const files = (await readdir(join(root, folder))).map(file => basename(file, '.ts'))
    expect(files).toContain(locale)
  })
})
