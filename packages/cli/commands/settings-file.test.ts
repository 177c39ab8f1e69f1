import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const cli = join(root, 'packages/cli/cli.ts')

const CONFIG = `
import terminal from '@kikimimi/terminal'
import { defineBot, definePlugin } from 'kikimimi'
import settings from './bot.settings.json' with { type: 'json' }
const echo = definePlugin({ name: 'echo', setup: ctx => ({ respond: () => ({ kind: 'text', text: ctx.persona.name }) }) })
export default defineBot({ settings, persona: { name: 'kiki' }, database: false, plugins: [terminal(), echo] })
`

let folder: string
beforeEach(async () => {
  await mkdir(join(root, '.cache'), { recursive: true })
  folder = await mkdtemp(join(root, '.cache/settings-file-'))
  await writeFile(join(folder, 'bot.config.ts'), CONFIG)
})
afterEach(() => rm(folder, { recursive: true }))

function kikimimi(...args: string[]) {
  const { NO_COLOR, FORCE_COLOR, ...env } = process.env
  return spawn(process.execPath, [cli, ...args], { cwd: folder, env: { ...env, LOG_LEVEL: 'info', LOG_FORMAT: 'json' } })
}

/** Saves like an editor. */
async function save(content: string): Promise<void> {
  const file = join(folder, 'bot.settings.json')
  await writeFile(`${file}.new`, content)
  await rename(`${file}.new`, file)
}

test.each([
  ['broken', '{\n  "persona": {},\n}', 'which is no JSON: unexpected "}" in line 3, column 1. Correct it.'],
  ['cut off', '{\n  "persona": {', 'which is no JSON: it ends too early in line 2, column 15. Correct it.'],
  ['missing', undefined, './bot.settings.json does not exist. Create it with the content {}.'],
  ['wrong', '{ "concurrency": 0 }', 'concurrency: Too small: expected number to be >=1, got 0'],
])('kikimimi start refuses a %s bot.settings.json with one sentence', async (_, content, sentence) => {
  if (content !== undefined) await save(content)
  const bot = kikimimi('start')
  const [err, [code]] = await Promise.all([text(bot.stderr), once(bot, 'exit'), text(bot.stdout)])
  expect(err.trim().split('\n').slice(0, 2).join('\n')).toContain(sentence)
  expect(err).toContain('bot.settings.json')
  expect(err).not.toContain('    at ')
  expect(code).toBe(1)
})

test('a running bot applies a saved bot.settings.json, and runs on with a broken one', async () => {
  await save('{}')
  const bot = kikimimi('start')
  let log = ''
  let out = ''
  bot.stdout.setEncoding('utf8').on('data', said => (out += said))
  bot.stderr.setEncoding('utf8').on('data', said => (log += said))
  const logged = async (said: string) => {
    await expect.poll(() => log).toContain(said)
    log = ''
  }
  try {
    await logged('listening')
    await save('{ "persona": { "name": "mimi" } }\n')
    await logged('persona applied')
    await save('{\n  "persona": { "name": "kiki" }\n  "locale": "ja"\n}\n')
    await logged('bot.settings.json, which is no JSON: unexpected \\"\\\\\\"\\" in line 3, column 3')
    bot.stdin.write('alice: @kiki hello\n')
    await expect.poll(() => out).toMatch(/: mimi\n$/)
    await save('{}\n')
    await logged('persona applied')
  } finally {
    bot.kill('SIGKILL')
    await once(bot, 'exit')
  }
})
