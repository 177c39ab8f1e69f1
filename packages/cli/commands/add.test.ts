import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { called, spawned } from '../testing/command.ts'
import { startRegistry, type TestRegistry } from '../testing/registry.ts'

const root = join(import.meta.dirname, '../../..')

let folder: string
let registry: TestRegistry
beforeAll(async () => {
  // Inside the workspace, so that a bot there finds the packages of kikimimi.
  await mkdir(join(root, '.cache'), { recursive: true })
  folder = await mkdtemp(join(root, '.cache/add-'))
  registry = await startRegistry(folder)
})
afterAll(async () => {
  await registry[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const CONFIG = `import reply from '@kikimimi/reply'
import terminal from '@kikimimi/terminal'
import { defineBot } from 'kikimimi'

export default defineBot({
  persona: { name: 'kiki' },
  database: false,
  plugins: [
    // Where people talk.
    terminal(),

    // Writes the answer.
    reply(),
  ],
})
`

let count = 0

/** A bot in a folder of its own. */
async function bot(config = CONFIG) {
  const cwd = join(folder, `bot-${++count}`)
  await mkdir(cwd)
  await writeFile(join(cwd, 'bot.config.ts'), config)
  await writeFile(join(cwd, 'package.json'), '{\n  "name": "a-bot",\n  "private": true,\n  "type": "module"\n}\n')
  const read = (name: string) => readFile(join(cwd, name), 'utf8').catch(() => undefined)
  return {
    cwd,
    read,
    run: (words: string, input = '', env: NodeJS.ProcessEnv = {}) =>
      called(words.split(' '), { cwd, input, env: { ...registry.env, WEATHER_TEST_KEY: '', ...env } }),
    /** Everything that a refused or failed command must leave as it was. */
    state: async () => ({
      config: await read('bot.config.ts'),
      package: await read('package.json'),
      env: await read('.env'),
      lock: await read('package-lock.json'),
      installed: existsSync(join(cwd, 'node_modules/kikimimi-weather')),
    }),
  }
}

const weather = {
  name: 'kikimimi-weather',
  version: '1.2.0',
  description: 'Tells the weather.',
  keywords: ['kikimimi-plugin', 'forecast'],
  type: 'module',
  exports: './index.js',
  peerDependencies: { kikimimi: '^0.1.0' },
  peerDependenciesMeta: { kikimimi: { optional: true } },
  kikimimi: {
    name: 'weather',
    export: 'weather',
    tables: true,
    settings: [
      { option: 'town', description: 'Town of the forecast.' },
      { option: 'key', description: 'Key of the service.', env: 'WEATHER_TEST_KEY' },
    ],
    needs: { almanac: 'kikimimi-almanac' },
  },
}
const CODE = `import { definePlugin } from 'kikimimi'
const plugin = definePlugin({
  name: 'weather',
  setup: () => {
    if (process.env.WEATHER_TEST_KEY !== 'se#cret') throw new Error('WEATHER_TEST_KEY is wrong')
    return { context: () => ({ place: 'other', title: 'Weather', text: 'rain' }) }
  },
})
export const weather = ({ town }) => {
  if (town !== "L'Aquila") throw new Error(town)
  return plugin()
}
`

test('add asks, installs, writes bot.config.ts and .env, and checks; remove takes all of it back', async () => {
  await registry.publish(weather, CODE)
  const { cwd, read, run, state } = await bot()
  await writeFile(join(cwd, '.env'), '# Key of the service.\n#WEATHER_TEST_KEY=\nOTHER=1\n')
  const before = await state()

  const refused = await run('add kikimimi-weather', "L'Aquila\nse#cret\nn\n")
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('Nothing is changed') })
  expect(await state()).toEqual(before)

  const added = await run('add kikimimi-weather', "L'Aquila\nse#cret\ny\n")
  expect(added.out).toContain(`Install kikimimi-weather@1.2.0: Tells the weather.`)
  expect(added.out).toContain(`+    weather({ town: 'L\\'Aquila' }),`)
  expect(added.out).toContain(
    'It needs the service "almanac", which no plugin of the bot provides: kikimimi add kikimimi-almanac',
  )
  expect(added.out).toContain('.env gets WEATHER_TEST_KEY.')
  expect(added.out).toMatch(/^ok plugins/m)
  expect(added).toMatchObject({ code: 0, err: '' })
  expect(added.out).not.toContain('se#cret')
  const config = CONFIG.replace(`from 'kikimimi'`, `from 'kikimimi'\nimport { weather } from 'kikimimi-weather'`)
  const written = await read('bot.config.ts')
  expect(written).toBe(config.replace('    terminal(),\n', `    terminal(),\n    weather({ town: 'L\\'Aquila' }),\n`))
  expect(await read('.env')).toBe(`# Key of the service.\nWEATHER_TEST_KEY='se#cret'\nOTHER=1\n`)
  expect(JSON.parse((await read('package.json')) ?? '').dependencies).toHaveProperty('kikimimi-weather')

  const again = await run('add kikimimi-weather')
  expect(again).toMatchObject({ code: 0, out: 'kikimimi-weather is installed and in bot.config.ts already.\n' })

  // As after a fresh clone of the project without npm install.
  await rm(join(cwd, 'node_modules'), { recursive: true })
  const missing = await spawned(['check'], { cwd })
  expect(missing.out).toContain('the package "kikimimi-weather" is not installed. Add it: kikimimi add kikimimi-weather')
  const installed = await run('add kikimimi-weather --yes', '', { WEATHER_TEST_KEY: 'se#cret' })
  expect(installed).toMatchObject({ code: 0, out: expect.stringContaining('Install kikimimi-weather@1.2.0') })
  expect(await read('bot.config.ts')).toBe(written)

  const kept = await state()
  expect(await run('remove kikimimi-weather', 'n\n')).toMatchObject({ code: 1 })
  expect(await state()).toEqual(kept)
  const removed = await run('remove kikimimi-weather', 'y\n', { WEATHER_TEST_KEY: 'se#cret' })
  expect(removed.out).toContain('Its data stays in the database: the schema weather.')
  expect(removed.out).toContain('WEATHER_TEST_KEY stays in .env.')
  expect(removed).toMatchObject({ code: 0 })
  expect(await read('bot.config.ts')).toBe(CONFIG)
  expect(JSON.parse((await read('package.json')) ?? '').dependencies ?? {}).toEqual({})
  expect((await state()).installed).toBe(false)
  expect(await run('remove kikimimi-weather')).toMatchObject({
    code: 0,
    out: 'kikimimi-weather is neither in bot.config.ts nor in package.json.\n',
  })
})

test('a failed installation and a package that does not fit leave everything as it was', async () => {
  const { run, state } = await bot()
  const before = await state()
  const set = '--yes --set town=Osaka --set key=k'
  await registry.publish({ ...weather, name: 'kikimimi-storm' })
  const failed = await run(`add kikimimi-storm ${set}`)
  expect(failed).toMatchObject({
    code: 1,
    err: expect.stringMatching(/npm i kikimimi-storm .* ended with 1\. Nothing is changed/),
  })

  await registry.publish({ ...weather, name: 'kikimimi-future', peerDependencies: { kikimimi: '^9.0.0' } })
  expect(await run(`add kikimimi-future ${set}`)).toMatchObject({
    code: 1,
    err: expect.stringContaining('kikimimi-future 1.2.0 needs kikimimi ^9.0.0, this bot has 0.1.0.'),
  })
  await registry.publish({ name: 'lodash', version: '1.0.0' })
  expect(await run('add lodash --yes')).toMatchObject({
    code: 1,
    err: expect.stringContaining('lodash is not a plugin of kikimimi'),
  })
  expect(await run('add telegran --yes')).toMatchObject({
    code: 1,
    err: 'The registry has no package "telegran". Did you mean "telegram"?\n',
  })
  expect(await run('add irc --yes')).toMatchObject({ code: 2, err: expect.stringContaining('--set host=…   Host name') })
  expect(await run('add irc --yes --set city=x')).toMatchObject({ code: 2, err: expect.stringContaining('"city"') })
  expect(await run('add reflection')).toMatchObject({ code: 1, err: expect.stringContaining('--yes') })
  expect(await run('add ../other')).toMatchObject({ code: 2 })
  expect(await run('add terminal', '', { KIKIMIMI_PACKAGES: '/app' })).toMatchObject({
    code: 1,
    err: expect.stringContaining('docker compose up --build'),
  })
  expect(await state()).toEqual(before)
})

test('a file of an unknown shape is not changed: the message says which lines to add', async () => {
  const { run, state } = await bot(CONFIG.replace('plugins: [', 'plugins: Array.from([').replace('  ],', '  ]),'))
  const before = await state()
  const { code, err } = await run('add irc --yes --set host=irc.example.org --set channels=#a,#b')
  expect(err).toContain(`in the first line of the file:
    import irc from '@kikimimi/irc'
  in the plugins of the bot, which begins in line 5:
    irc({ host: 'irc.example.org', channels: ['#a', '#b'] }),`)
  expect(code).toBe(1)
  expect(await state()).toEqual(before)
})

test('search lists plugins with those that fit, and says when the registry does not answer', async () => {
  await registry.publish(weather)
  await registry.publish({ ...weather, name: 'kikimimi-tide', peerDependencies: { kikimimi: '^9.0.0' } })
  const { run } = await bot()
  const { code, out, err } = await run('search forecast')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain('kikimimi-weather 1.2.0  fits\n  Tells the weather.\n')
  expect(out).toContain('kikimimi-tide 1.2.0  needs kikimimi ^9.0.0, this bot has 0.1.0\n')
  const away = await run('search forecast', '', { npm_config_registry: 'http://127.0.0.1:9/' })
  expect(away).toMatchObject({ code: 1, out: '' })
  expect(away.err).toMatch(/^The registry http:\/\/127\.0\.0\.1:9\/ gave no answer: .*ECONNREFUSED/)
})
