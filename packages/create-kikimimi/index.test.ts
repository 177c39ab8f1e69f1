import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { newBot } from './index.ts'

test.each(['ja', 'ko'])('the files of %s do the same as in English', async language => {
  const code = async (locale: string) => {
    const text = await readFile(new URL(`./templates/bot-${locale}/bot.config.ts`, import.meta.url), 'utf8')
    return text.replaceAll(/ *\/(?:\/|\*\*).*\n/g, '').replace(`locale: '${locale}'`, 'locale')
  }
  expect(await code(language)).toBe(await code('en'))
  const names = async (locale: string) => {
    const text = await readFile(new URL(`./templates/bot-${locale}/_env.example`, import.meta.url), 'utf8')
    return text.match(/^#[A-Z_]+=.*$/gm)
  }
  expect(await names(language)).toEqual(await names('en'))
})

test.each([
  [{ LANG: 'ja_JP.UTF-8', LC_ALL: '' }, "locale: 'ja'"],
  [{ LANG: 'ko_KR.UTF-8', LC_ALL: '' }, "locale: 'ko'"],
  [{ LANG: 'ja_JP.UTF-8', LC_ALL: 'C' }, "locale: 'en'"],
])('a bot speaks the language of its maker: %j', async (env, expected) => {
  for (const [name, value] of Object.entries({ LC_MESSAGES: '', ...env })) vi.stubEnv(name, value)
  await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-create-'))
  await newBot(join(folder.path, 'tea-bot'), { install: false })
  expect(await readFile(join(folder.path, 'tea-bot/bot.config.ts'), 'utf8')).toContain(expected)
  expect(JSON.parse(await readFile(join(folder.path, 'tea-bot/package.json'), 'utf8'))).toMatchObject({ name: 'tea-bot' })
})
