import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const cli = join(root, 'packages/cli/cli.ts')

const WORDS = (word: string) => `export const word: string = '${word}'\n`
const CONFIG = (more = '') => `
import terminal from '@kikimimi/terminal'
import { defineBot } from 'kikimimi'
import echo from './plugins/echo.ts'
import other from './plugins/other.ts'
export default defineBot({ persona: { name: 'kiki' }, database: false, plugins: [terminal(), echo, other], ${more} })
`
const ECHO = `
import { definePlugin } from 'kikimimi'
import { word } from '../words.ts'
let messages = 0
export default definePlugin({
  name: 'echo',
  setup: ctx => ({ respond: () => ({ kind: 'text', text: word + ' ' + ++messages + ctx.prompt('mark') }) }),
})
`
const OTHER = `
import { definePlugin } from 'kikimimi'
export default definePlugin({ name: 'other', setup: () => {} })
`

const MOUNTED = (apology: string) => `
import terminal from '@kikimimi/terminal'
import { defineBot } from 'kikimimi'
export default defineBot({ persona: { name: 'kiki' }, database: false, plugins: [terminal()], apology: '${apology}' })
`

/** Saves like an editor. */
async function save(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text)
  await rename(`${file}.new`, file)
}

it('kikimimi start applies saved changes, and names those it cannot apply', async () => {
  await mkdir(join(root, '.cache'), { recursive: true })
  const folder = await mkdtemp(join(root, '.cache/follow-'))
  await mkdir(join(folder, 'plugins'))
  await mkdir(join(folder, 'prompts/echo/en'), { recursive: true })
  await save(join(folder, 'prompts/echo/en/mark.md'), '.')
  const [config, words] = [join(folder, 'bot.config.ts'), join(folder, 'words.ts')]
  await save(config, CONFIG())
  await save(words, WORDS('one'))
  await save(join(folder, 'plugins/echo.ts'), ECHO)
  await save(join(folder, 'plugins/other.ts'), OTHER)

  const { NO_COLOR, FORCE_COLOR, ...env } = process.env
  const bot = spawn(process.execPath, [cli, 'start'], { cwd: folder, env: { ...env, LOG_LEVEL: 'info', LOG_FORMAT: 'json' } })
  onTestFinished(async () => {
    bot.kill('SIGKILL')
    await rm(folder, { recursive: true })
  })
  let out = ''
  let log = ''
  bot.stdout.setEncoding('utf8').on('data', text => (out += text))
  bot.stderr.setEncoding('utf8').on('data', text => (log += text))
  const logged = async (text: string) => {
    await expect.poll(() => log).toContain(text)
    log = ''
  }
  const answered = async (text: string) => {
    out = ''
    bot.stdin.write('alice: @kiki hello\n')
    await expect.poll(() => out).toBe(`kiki: ${text}\n`)
  }

  await logged('listening')
  await answered('one 1.')

  // A file that a plugin imports: that plugin changes, and the others stay.
  await save(words, WORDS('two'))
  await logged('bot.config.ts: echo restarted; the rest is unchanged')
  await answered('two 1.')

  await save(join(folder, 'prompts/echo/en/mark.md'), '!')
  await logged('bot.config.ts: echo restarted; the rest is unchanged')
  await answered('two 2!')

  await writeFile(config, 'export default {{{')
  await logged(
    'bot.config.ts is not applied, and the bot runs on unchanged. Correct it and save it again: bot.config.ts has a mistake: bot.config.ts:1:17 ',
  )
  await answered('two 3!')

  await save(config, `\nthrow new Error('not today')\n`)
  await logged('bot.config.ts has a mistake: bot.config.ts:2:7  not today')

  await save(config, `import './plugins/missing.ts'\n${CONFIG()}`)
  await logged('bot.config.ts:1:8  ./plugins/missing.ts does not exist.')
  await save(join(folder, 'plugins/missing.ts'), 'export {}\n')
  await logged('bot.config.ts: no change')
  await answered('two 4!')

  await save(config, CONFIG(`plugin: []`))
  await logged('unknown option: \\"plugin\\"')
  await save(config, CONFIG(`apology: 'Oh.', http: '127.0.0.1:1'`))
  await logged('bot.config.ts: a change of http needs a restart of the bot')

  await save(config, CONFIG(`listen: { channels: ['elsewhere'] }`))
  await logged('listen and apology applied')

  // A file mounted by Kubernetes: a link into a folder that is replaced at each change.
  async function mount(version: string, apology: string): Promise<void> {
    await mkdir(join(folder, version))
    await writeFile(join(folder, version, 'bot.config.ts'), MOUNTED(apology))
    await symlink(version, join(folder, 'data.new'))
    await rename(join(folder, 'data.new'), join(folder, 'data'))
  }
  await mount('v1', 'Oh.')
  await symlink('data/bot.config.ts', `${config}.new`)
  await rename(`${config}.new`, config)
  await logged('bot.config.ts: echo and other stopped, listen and apology applied; the rest is unchanged')
  await mount('v2', 'Ah.')
  await logged('bot.config.ts: apology applied; the rest is unchanged')
  bot.stdin.end('alice: @kiki hello\n')
  const [code] = await once(bot, 'close')
  expect({ code, out }).toEqual({ code: 0, out: 'kiki: two 4!\nkiki: Ah.\n' })
})
