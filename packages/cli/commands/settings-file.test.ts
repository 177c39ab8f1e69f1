import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { spawned } from '../testing/command.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const cli = join(root, 'packages/cli/cli.ts')

const CONFIG = `
import terminal from '@kikimimi/terminal'
import { defineBot, definePlugin } from 'kikimimi'
import settings from './bot.settings.json' with { type: 'json' }
import { z } from 'zod'
const options = z.strictObject({ size: z.number(), depth: z.number().optional(), mode: z.string().optional(), apiKey: z.string().optional() })
const taking = definePlugin({ name: 'taking', options, scoped: ['size'], setup: () => ({}) })
const echo = definePlugin({ name: 'echo', setup: () => ({ respond: ({ persona }) => ({ kind: 'text', text: persona.name }) }) })
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

/** Every row is both files. `‸` marks the place of each mistake, in the order of bot.config.ts, then of bot.settings.json. */
test.each<readonly [title: string, config: string, settings: string, ...told: readonly string[]]>([
  ['no mistake', CONFIG, '{ "concurrency": 2 }'],
  ['a broken file', CONFIG, '{\n  "persona": {},\n‸}', 'It is no JSON: unexpected "}". Correct it.'],
  ['a file that is cut off', CONFIG, '{\n  "persona": {‸', 'It is no JSON: it ends too early. Correct it.'],
  [
    'a broken file, and mistakes in bot.config.ts',
    CONFIG.replace('persona:', "‸locale: 'jp', persona:").replace('echo]', "‸'quiet']"),
    '{ "locale": "ja" ‸"concurrency": 2 }',
    'locale: expected one of "en"|"ja"|"ko", got "jp". Did you mean "ja"?',
    '"quiet" is not a plugin',
    'It is no JSON: unexpected "\\"". Correct it.',
  ],
  [
    'mistakes of every kind in both files',
    CONFIG.replace('persona:', '‸conurrency: 3, persona:').replace('echo]', 'taking({ size: 1, ‸dept: 2 }), ‸taking()]'),
    `{
  "persona": { "name": "mimi", ‸"promt": "x" },
  ‸"concurrency": 0,
  ‸"persoma": {},
  "pacing": { "channels": { "dev": { ‸"minWait": "soon" } } },
  ‸"database": "memory",
  "models": { ‸"chat": "gpt" },
  "plugins": {
    "taking": {
      "options": { ‸"size": "big", ‸"colour": 1, ‸"apiKey": "hunter2" },
      "channels": { "dev": { "size": null, ‸"mode": "fast" } },
      ‸"chanels": {}
    },
    ‸"echo": 5
  }
}`,
    'unknown option: "conurrency". Did you mean "concurrency"? Valid: persona',
    '[taking] unknown option: "dept". Did you mean "depth"? Valid: size, depth, mode, apiKey',
    '[taking] is listed twice',
    'persona: unknown option: "promt". Did you mean "prompt"? Valid: name, names, prompt',
    'concurrency: Too small: expected number to be >=1, got 0',
    'unknown option: "persoma". Did you mean "persona"? Valid: persona, locale',
    'pacing.channels.dev.minWait: expected a number of seconds',
    'database: can only be set in bot.config.ts. It is opened once',
    'models.chat: no model "gpt"; bot.config.ts has none',
    '[taking] size: expected number, got "big"',
    '[taking] unknown option: "colour". Valid: size',
    'plugins.taking.options.apiKey: cannot be set in this file. It is a secret',
    '[taking] in the channel "dev": mode: is the same everywhere; what can differ: size',
    'plugins.taking: unknown option: "chanels". Did you mean "channels"? Valid: enabled',
    'plugins.echo: expected object, got 5',
  ],
])('kikimimi check tells %s in one round', async (_, config, settings, ...expected) => {
  const files = { 'bot.config.ts': config, 'bot.settings.json': settings }
  const places = Object.entries(files).flatMap(([file, marked]) =>
    marked
      .split('‸')
      .slice(0, -1)
      .map((_, index, parts) => {
        const lines = parts
          .slice(0, index + 1)
          .join('')
          .split('\n')
        return `${file}:${lines.length}:${(lines.at(-1) ?? '').length + 1}`
      }),
  )
  for (const [file, marked] of Object.entries(files)) await writeFile(join(folder, file), marked.replaceAll('‸', ''))
  const { code, out } = await spawned(['check'], { cwd: folder })
  const told = out.split('\n').filter(line => line.startsWith('!! '))
  expect(told).toEqual(expected.map((text, at) => expect.stringContaining(`!! ${places[at]}: ${text}`)))
  expect(out).not.toContain('hunter2')
  expect(code).toBe(expected.length > 0 ? 1 : 0)
})

test.each([
  ['broken', '{\n  "persona": {},\n}', 'bot.settings.json:3:1  It is no JSON: unexpected "}". Correct it.'],
  ['missing', undefined, './bot.settings.json does not exist. Create it with the content {}.'],
  ['wrong', '{ "concurrency": 0 }', 'bot.settings.json:1:3  concurrency: Too small: expected number to be >=1, got 0'],
])('kikimimi start refuses a %s bot.settings.json with one sentence', async (_, content, sentence) => {
  if (content !== undefined) await save(content)
  const { code, err } = await spawned(['start'], { cwd: folder })
  expect(err.trim().split('\n').slice(0, 3).join('\n')).toContain(sentence)
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
    await logged('bot.settings.json:3:3  It is no JSON: unexpected \\"\\\\\\"\\"')
    bot.stdin.write('alice: @kiki hello\n')
    await expect.poll(() => out).toMatch(/: mimi\n$/)
    await save('{}\n')
    await logged('persona applied')
  } finally {
    bot.kill('SIGKILL')
    await once(bot, 'exit')
  }
})
