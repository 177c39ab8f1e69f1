/** Several bots in one process. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { called } from '../testing/command.ts'

let cwd: string
beforeAll(async () => {
  // Inside the workspace, so that a config there finds the packages.
  const cache = fileURLToPath(new URL('../../../.cache', import.meta.url))
  await mkdir(cache, { recursive: true })
  cwd = await mkdtemp(join(cache, 'start-'))
})
afterAll(() => rm(cwd, { recursive: true }))

let count = 0

/** A bot in a folder of its own, which hears what `said` has, and prints its answer with the number of messages that it remembers. */
async function bot(name: string, said: string, rest = `database: 'data/${name}'`): Promise<string> {
  // A module is loaded once in this process.
  const file = join(name, `bot-${++count}.config.ts`)
  await mkdir(join(cwd, name), { recursive: true })
  await writeFile(
    join(cwd, file),
    `import { defineBot } from 'kikimimi'
import { definePlatform } from 'kikimimi/platform'
     const closed = Promise.withResolvers()
     const me = { id: 'bot', name: '${name}' }
     const radio = definePlatform({ name: 'radio', setup: ctx => ({
       platform: {
         name: 'radio', me, limits: { textLength: 100 }, closed: closed.promise,
         start: () => ctx.receive({
           id: '${said}', conversation: { platform: 'radio', workspace: 'w', channel: 'dev', name: 'dev', visibility: 'public' },
           author: { id: 'A', name: 'alice' }, text: '${said}', mentions: [me], at: new Date(),
         }),
         async send(conversation, { text }) {
           process.stdout.write(text + '\\n')
           closed.resolve()
           return { id: String(Math.random()) }
         },
       },
       respond: ({ message, history }) =>
         ({ kind: 'text', text: [ctx.bot.name, ...history.filter(one => one.id !== message.id && !one.own).map(one => one.text), message.text].join(' | ') }),
     }) })
     export default defineBot({ persona: { name: '${name}' }, pacing: { minWait: '10ms', jitter: 0 }, plugins: [radio()], ${rest} })`,
  )
  return file
}

const start = (...files: readonly string[]) =>
  called(['start', ...files], { cwd, env: { LOG_LEVEL: 'info', LOG_FORMAT: 'json' } })

test('bots in one process have memories of their own, and each line of the log has the name of its bot', async () => {
  for (const day of ['one', 'two']) {
    const { code, out, err } = await start(await bot('kiki', `tea ${day}`), await bot('mimi', `rice ${day}`))
    const before = day === 'one' ? { tea: '', rice: '' } : { tea: 'tea one | ', rice: 'rice one | ' }
    expect(out.trimEnd().split('\n').toSorted()).toEqual([`kiki | ${before.tea}tea ${day}`, `mimi | ${before.rice}rice ${day}`])
    const lines = err
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as { bot?: string; message: string })
    const listening = lines.filter(({ message }) => message === 'listening').map(one => one.bot)
    expect(listening.toSorted()).toEqual(['kiki', 'mimi'])
    expect(code).toBe(0)
  }
})

test('bots with one database are refused', async () => {
  const files = [await bot('one', 'hello', `database: './shared'`), await bot('other', 'hello', `database: 'shared/'`)] as const
  const { code, err } = await start(...files)
  expect(err).toContain(
    `${files[0]} and ${files[1]} have the same database. Give each bot a database of its own: database: 'data/NAME'`,
  )
  expect(code).toBe(1)
})

test('if one bot cannot start, none runs, and the message names its file', async () => {
  const well = await bot('well', 'hello')
  const ill = await bot('ill', 'hello', `database: '${well}'`)
  const misspelt = await bot('misspelt', 'hello', `databse: 'data/misspelt'`)
  const { code, err } = await start(well, misspelt)
  expect(err).toMatch(/misspelt\/bot-\d+\.config\.ts:\d+:\d+ .*databse.*database/)
  expect(code).toBe(1)
  const unopened = await start(well, ill)
  expect(unopened.err).toContain(`${ill}: `)
  expect(unopened.code).toBe(1)
})
