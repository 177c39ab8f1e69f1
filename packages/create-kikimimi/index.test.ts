import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { newBot } from './index.ts'
import { ask, type Question } from './questions.ts'

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

test('a bot for Discord has a line for its token, and the way to it', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-create-'))
  const bot = join(folder.path, 'tea-bot')
  const told = await newBot(bot, { locale: 'en', connect: 'discord', install: false })
  expect(told).toContain('until .env has DISCORD_TOKEN: node_modules/kikimimi/docs/discord.md')
  const lines = async (file: string) => (await readFile(join(bot, file), 'utf8')).split('\n')
  const example = await lines('.env.example')
  expect((await lines('.env')).filter(line => !example.includes(line))).toEqual(['DISCORD_TOKEN='])
  await expect(newBot(`${bot}-2`, { connect: 'irc', install: false })).rejects.toThrow(
    '--connect must be one of terminal, discord, slack, got "irc".',
  )
})

const questions: readonly Question[] = [
  { text: 'Name', usual: 'my-bot' },
  { text: 'Language', usual: 'en', choices: ['en', 'ja'] },
]

test.each([
  ['\n\n', ['my-bot', 'en']],
  ['tea-bot\nfr\nJA\n', ['tea-bot', 'ja']],
])('questions have defaults, and are asked again after a wrong answer: %j', async (typed, expected) => {
  const { terminal, shown } = terminalWith(typed)
  expect(await ask(questions, terminal)).toEqual(expected)
  expect(shown()).toContain('Language: en, ja (en): ')
})

test('an input that ends before the last answer creates nothing', async () => {
  await expect(ask(questions, terminalWith('tea-bot\n', true).terminal)).rejects.toThrow('Nothing was created.')
})

/** Types each line when a question is shown. */
function terminalWith(typed: string, ends = false) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const lines = typed.split('\n').slice(0, -1)
  let shown = ''
  output.on('data', (text: Buffer) => {
    shown += text
    if (!shown.endsWith('): ')) return
    const line = lines.shift()
    if (line !== undefined) input.write(`${line}\n`)
    else if (ends) input.end()
  })
  return { terminal: { input, output }, shown: () => shown }
}
