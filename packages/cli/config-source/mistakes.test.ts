/** Every row is a bot.config.ts that the command line reads from a file. `‸` marks the place of each mistake, in the order of the file. */
import { globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OWN_COMMANDS } from 'kikimimi/host'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PLUGIN_PACKAGES, variableOf } from '../plugin-packages.ts'
import { createProgram } from '../program.ts'
import { called, spawned } from '../testing/command.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

let folder: string
beforeAll(async () => {
  // Inside the workspace, so that a config there finds the packages.
  await mkdir(join(root, '.cache'), { recursive: true })
  folder = await mkdtemp(join(root, '.cache/mistakes-'))
  await mkdir(join(folder, 'plugins/hello'), { recursive: true })
  await writeFile(join(folder, 'plugins/hello/index.ts'), `export const hello = 1\nexport default {}\n`)
})
afterAll(() => rm(folder, { recursive: true }))

const HEAD = `import eavesdrop from '@kikimimi/eavesdrop'
import judgeRules from '@kikimimi/judge-rules'
import proactive from '@kikimimi/proactive'
import quiet from '@kikimimi/quiet'
import reflection from '@kikimimi/reflection'
import reply from '@kikimimi/reply'
import terminal from '@kikimimi/terminal'
import { defineBot, definePlugin, service } from 'kikimimi'
import { z } from 'zod'

const own = (name, more = {}) => definePlugin({ name, setup: () => ({}), ...more })
const taking = definePlugin({
  name: 'taking',
  options: z.strictObject({ size: z.number(), mode: z.enum(['slow', 'fast']).default('slow'), deep: z.strictObject({ depth: z.number() }).optional() }),
  scoped: ['size', 'mode'],
  setup: () => ({}),
})
`

const bot = (settings: string) => `${HEAD}
export default defineBot({
  persona: { name: 'kiki' },
  database: false,
  plugins: [terminal(), reply()],
${settings}
})
`

let count = 0

interface Marked {
  readonly file: string
  /** `bot-1.config.ts:12:5` of each mark. */
  readonly places: readonly string[]
}

async function written(marked: string): Promise<Marked> {
  const file = `bot-${++count}.config.ts`
  const parts = marked.split('‸')
  const places = parts.slice(0, -1).map((_, index) => {
    const lines = parts
      .slice(0, index + 1)
      .join('')
      .split('\n')
    return `${file}:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`
  })
  await writeFile(join(folder, file), parts.join(''))
  return { file, places }
}

async function told(marked: string, run = called) {
  const { file, places } = await written(marked)
  const { code, out, err } = await run(['start', '--config', file], { cwd: folder })
  const [head, ...lines] = err
    .replace(/^(?:This is the offline model.*\n)/, '')
    .trimEnd()
    .split('\n')
  return { code, out, head, lines, file, places }
}

type Row = readonly [title: string, config: string, ...told: readonly string[]]

const settings: readonly Row[] = [
  [
    'a mistyped setting',
    bot('  ‸conurrency: 4,'),
    'unknown option: "conurrency". Did you mean "concurrency"? Valid: persona, locale, timeZone, models',
  ],
  ['a setting that nothing resembles', bot('  ‸colour: "red",'), 'unknown option: "colour". Valid: persona, locale'],
  ['two unknown settings, each on its line', bot('  ‸colour: 1,\n  ‸flavour: 2,'), '"colour"', '"flavour"'],
  [
    'a language that the bot does not speak',
    bot(`  ‸locale: 'jp',`),
    'locale: expected one of "en"|"ja"|"ko", got "jp". Did you mean "ja"?',
  ],
  ['a number in quotes', bot(`  ‸concurrency: '8',`), 'concurrency: expected number, got "8"'],
  ['a number that is too small', bot('  ‸concurrency: 0,'), 'concurrency: Too small: expected number to be >=1, got 0'],
  ['a persona without a name', bot('  ‸persona: {},'), 'persona.name: expected string, got nothing'],
  ['an empty name', bot(`  persona: { ‸name: ' ' },`), 'persona.name: Too small'],
  [
    'a mistyped key of the persona',
    bot(`  persona: { name: 'kiki', ‸promt: 'x' },`),
    'persona: unknown option: "promt". Did you mean "prompt"? Valid: name, names, prompt',
  ],
  [
    'a name in a list of names',
    bot(`  persona: { name: 'kiki', names: ['kk', ‸7] },`),
    'persona.names.1: expected string, got 7',
  ],
  [
    'a time without a unit',
    bot(`  pacing: { ‸minWait: 'soon' },`),
    'pacing.minWait: expected a number of seconds or a string such as "90s"',
  ],
  ['a wrong pace of one channel', bot(`  pacing: { channels: { dev: { ‸jitter: 3 } } },`), 'pacing.channels.dev.jitter: Too big'],
  [
    'a mistyped pace of one channel',
    bot(`  pacing: { channels: { dev: { ‸minwait: '3s' } } },`),
    'pacing.channels.dev: unknown option: "minwait". Did you mean "minWait"? Valid: minWait, jitter, maxWait',
  ],
  ['a limit of nothing', bot('  budget: { day: { ‸tokens: 0 } },'), 'budget.day.tokens: Too small'],
  [
    'a mistyped limit',
    bot('  budget: { day: { ‸token: 10 } },'),
    'budget.day: unknown option: "token". Did you mean "tokens"? Valid: tokens, money',
  ],
  [
    'money without a price',
    bot(`  models: { chat: { name: 'dear', generate: async () => ({}) } },\n  ‸budget: { day: { money: 1 } },`),
    'budget.prices has no price for "dear"',
  ],
  ['an address without a port', bot(`  ‸http: 'localhost',`), '"localhost" is not an address for HTTP'],
  ['a role of access that does not exist', bot(`  access: { ‸orders: 'admin' },`), 'Did you mean "admins"?'],
  ['a model that is none', bot(`  models: { ‸chat: 'gpt-5' },`), 'models.chat: expected a model, got "gpt-5"'],
  [
    'a mistyped role of a model',
    bot(`  models: { ‸jugde: {} },`),
    'models: unknown option: "jugde". Did you mean "judge"? Valid: chat, judge, summary',
  ],
  [
    'models of a plugin that is not listed',
    bot(`  models: { plugins: { ‸replay: {} } },`),
    'the bot has no plugin of this name. Did you mean "reply"? Valid: terminal, reply',
  ],
  ['no database in a form that is none', bot('  ‸database: true,'), 'database: '],
  ['no list of plugins', bot('  ‸plugins: terminal(),'), 'plugins: expected array'],
  [
    'settings behind a variable',
    `${HEAD}\nconst pacing = { ‸maxWait: 'never' }\nexport default defineBot({ persona: { name: 'kiki' }, database: false, plugins: [], pacing })\n`,
    'pacing.maxWait: expected a number of seconds',
  ],
  [
    'settings that are spread',
    `${HEAD}\nconst base = { persona: { name: 'kiki' }, ‸contextTokens: -1 }\nexport default defineBot({ ...base, database: false, plugins: [] })\n`,
    'contextTokens: Too small',
  ],
  [
    'a bot behind a variable and a cast',
    `${HEAD}\nconst kiki = defineBot({ persona: { name: 'kiki' }, plugins: [], ‸sendWithin: {} } as never)\nexport default kiki\n`,
    'sendWithin: expected a number of seconds',
  ],
]

const plugins = (...list: readonly string[]) =>
  bot(`  plugins: [\n    terminal(),\n    reply(),\n${list.map(one => `    ${one},`).join('\n')}\n  ],`)

const ofPlugins: readonly Row[] = [
  [
    'a mistyped option',
    plugins('judgeRules({ ‸treshold: 60 })'),
    '[judge-rules] unknown option: "treshold". Did you mean "threshold"? Valid: preset',
  ],
  [
    'an option of the wrong kind',
    plugins(`judgeRules({ ‸threshold: '60' })`),
    '[judge-rules] threshold: expected number, got "60"',
  ],
  [
    'a number out of its range',
    plugins('judgeRules({ ‸threshold: 160 })'),
    '[judge-rules] threshold: Too big: expected number to be <=100, got 160',
  ],
  [
    'an option deep inside',
    plugins('taking({ size: 1, ‸deep: { ‸dept: 2 } })'),
    '[taking] deep.depth: expected number',
    '[taking] deep: unknown option: "dept". Did you mean "depth"? Valid: depth',
  ],
  ['an option that is missing', plugins('taking(‸{})'), '[taking] size: expected number, got nothing'],
  ['a plugin whose options are missing', plugins('‸taking'), '[taking] size: expected number, got nothing'],
  [
    'a choice that does not exist',
    plugins(`taking({ size: 1, ‸mode: 'fats' })`),
    '[taking] mode: expected one of "slow"|"fast", got "fats". Did you mean "fast"?',
  ],
  [
    'options of a plugin that takes none',
    plugins(`own('plain')(‸{ a: 1 })`),
    '[plain] takes no options. Remove what stands between its brackets',
  ],
  [
    'an option of a channel that is the same everywhere',
    plugins(`judgeRules({}, { channels: { dev: { ‸preset: 'classic' } } })`),
    '[judge-rules] in the channel "dev": preset: is the same everywhere; what can differ: threshold',
  ],
  [
    'a wrong option of a channel',
    plugins(`taking({ size: 1 }, { channels: { dev: { ‸size: 'big' } } })`),
    '[taking] in the channel "dev": size: expected number, got "big"',
  ],
  [
    'a kind of place that does not exist',
    plugins('taking({ size: 1 }, { ‸channel: { dev: { size: 2 } } })'),
    'none for "channel". Did you mean "channels"?',
  ],
  ['a plugin twice', plugins('quiet()', '‸quiet()'), '[quiet] is listed twice'],
  [
    'a plugin three times, in a list inside',
    plugins('quiet()', '[‸quiet()]', 'true && ‸quiet'),
    '[quiet] is listed twice',
    '[quiet] is listed twice',
  ],
  ['an object that is not a plugin', plugins(`‸{ name: 'x', token: 'secret-9' }`), 'An object with name, token is not a plugin'],
  ['a name instead of a plugin', plugins(`‸'quiet'`), '"quiet" is not a plugin'],
  [
    'a plugin that is imported and not awaited',
    plugins(`‸import('@kikimimi/quiet')`),
    'A promise, which needs "await" before it, is not a plugin',
  ],
  ['a function that is not a plugin', plugins('‸defineBot'), 'A function is not a plugin'],
  ['a name in capitals', plugins(`‸own('My Plugin')`), '"My Plugin" is no name for a plugin'],
  ['a name of kikimimi itself', plugins(`‸own('kikimimi-stop')`), '[kikimimi-stop] has a name that belongs to kikimimi itself'],
  [
    'a service that nobody provides',
    plugins('‸reflection()'),
    '[reflection] needs the service "facts", and no plugin provides it. Add the plugin @kikimimi/facts',
  ],
  ['two services that are missing', plugins('‸reflection()', '‸proactive()'), '[reflection] needs', '[proactive] needs'],
  [
    'a mistyped service',
    plugins(`own('giver', { provides: [service('weather')] })`, `‸own('taker', { needs: [service('wheather')] })`),
    'Did you mean "weather"? Valid: ',
  ],
  [
    'one service from two plugins',
    plugins(`own('one', { provides: [service('a')] })`, `‸own('two', { provides: [service('a')] })`),
    '[one] and [two] both provide the service "a"',
  ],
  [
    'services in a circle',
    plugins(
      `‸own('one', { provides: [service('a')], needs: [service('b')] })`,
      `own('two', { provides: [service('b')], needs: [service('a')] })`,
    ),
    '[one] needs [two] needs [one]',
  ],
  [
    'an order in a circle',
    plugins(`‸own('one', { before: ['two'] })`, `own('two', { before: ['one'] })`),
    `[one] declares before: ['two'], and [two] declares before: ['one']`,
  ],
  [
    'an order in a circle of three',
    plugins(
      `own('other')`,
      `‸own('one', { before: ['two'] })`,
      `own('two', { before: ['three'] })`,
      `own('three', { before: ['one'] })`,
    ),
    'Plugins cannot be put in order: ',
  ],
  ['a plugin before itself', plugins(`‸own('one', { after: ['one'] })`), `[one] declares after: ['one']`],
  [
    'a command of kikimimi',
    plugins(`‸own('chef', { cli: [{ name: 'start', usage: [], run: () => {} }] })`),
    '[chef] has a command "start", and so has kikimimi itself',
  ],
  [
    'one command of two plugins',
    plugins(
      `own('a', { cli: [{ name: 'tea', usage: [], run: () => {} }] })`,
      `‸own('b', { cli: [{ name: 'tea', usage: [], run: () => {} }] })`,
    ),
    '[b] has a command "tea", and so has [a]',
  ],
  [
    'plugins behind a variable',
    `${HEAD}\nconst memory = [taking({ ‸size: null })]\nconst plugins = [terminal(), ...memory, ‸own('My Plugin')]\nexport default defineBot({ persona: { name: 'kiki' }, database: false, plugins })\n`,
    '[taking] size: expected number, got null',
    '"My Plugin" is no name',
  ],
  [
    'mistakes of every kind in one round',
    bot(`  ‸locale: 'fr',
  ‸concurency: 2,
  plugins: [
    terminal(),
    reply({ ‸maxTokens: '60' }),
    ‸reflection(),
    judgeRules({ ‸treshold: 1 }, { channels: { dev: { ‸threshold: 'low' } } }),
    ‸judgeRules(),
    ‸own('one', { before: ['two'] }),
    own('two', { before: ['one'] }),
    ‸'three',
  ],`),
    'locale: expected one of',
    '"concurency". Did you mean "concurrency"?',
    '[reply] maxTokens: expected number',
    '[reflection] needs the service "facts"',
    '[judge-rules] unknown option: "treshold"',
    '[judge-rules] in the channel "dev": threshold: expected number, got "low"',
    '[judge-rules] is listed twice',
    'Plugins cannot be put in order',
    '"three" is not a plugin',
  ],
]

const file = (text: string) => `${text}\nexport default defineBot({ persona: { name: 'kiki' }, database: false, plugins: [] })\n`

const ofFiles: readonly Row[] = [
  [
    'a package that is not installed',
    file(`import { defineBot } from 'kikimimi'\nimport poll from ‸'kikimimi-plugin-poll'`),
    'the package "kikimimi-plugin-poll" is not installed. Add it: kikimimi add kikimimi-plugin-poll',
  ],
  [
    'two packages that are not installed',
    file(`import { defineBot } from 'kikimimi'\nimport a from ‸'@some/poll/deep'\nimport b from ‸'no-such-package'`),
    'npm install @some/poll',
    'npm install no-such-package',
  ],
  [
    'a mistyped package',
    file(`import { defineBot } from 'kikimimi'\nimport discord from ‸'@kikimimi/discrod'`),
    '"@kikimimi/discrod" is not installed. Did you mean "@kikimimi/discord"? Valid: @kikimimi/addressing',
  ],
  [
    'a file that does not exist',
    file(`import { defineBot } from 'kikimimi'\nimport hello from ‸'./plugins/helo/index.ts'`),
    './plugins/helo/index.ts does not exist. Did you mean "./plugins/hello/index.ts"?',
  ],
  [
    'a mistyped export',
    file(`import { ‸defineBott } from 'kikimimi'\nimport { defineBot } from 'kikimimi'`),
    '"kikimimi" has no export "defineBott". Did you mean "defineBot"?',
  ],
  [
    'a mistyped export of an own file',
    file(`import { defineBot } from 'kikimimi'\nimport { ‸helo } from './plugins/hello/index.ts'`),
    'has no export "helo". Did you mean "hello"? Valid: hello',
  ],
  [
    'a plugin that is not imported',
    file(`import { defineBot } from 'kikimimi'\nconst list = [‸discord()]`),
    `discord is not defined. Import it: import discord from '@kikimimi/discord'`,
  ],
  [
    'a mistyped plugin',
    file(`import { defineBot } from 'kikimimi'\nconst list = [‸judgRules()]`),
    'judgRules is not defined. Did you mean "judgeRules"?',
  ],
  [
    'an error in the file',
    file(`import { defineBot } from 'kikimimi'\nconst key = undefined\nkey.‸length`),
    "Cannot read properties of undefined (reading 'length')",
  ],
  [
    'a bracket that is missing',
    `import { defineBot } from 'kikimimi'\nexport default defineBot({ persona: { name: 'kiki' }, plugins: [\n‸`,
    'Unexpected token',
  ],
  [
    'a comma that is missing',
    `import { defineBot } from 'kikimimi'\nexport default defineBot({\n  persona: { name: 'kiki' }\n  ‸plugins: [],\n})\n`,
    'Unexpected token, expected ","',
  ],
]

describe.each([
  ['settings', settings, called],
  ['plugins', ofPlugins, called],
  // The loader of the tests leaves out imports that are not used.
  ['files', ofFiles, spawned],
] as const)('mistakes in %s are told with their place and a remedy', (_, rows, run) => {
  test.each(rows)('%s', async (_title, marked, ...expected) => {
    const { code, out, head, lines, file, places } = await told(marked, run)
    expect(head).toBe(`${file} has ${lines.length === 1 ? 'a mistake' : `${lines.length} mistakes`}:`)
    expect(lines).toEqual(expected.map(text => expect.stringContaining(text)))
    const where = lines.map(line => /^ {2}(\S+:\d+:\d+) {2}\S/.exec(line)?.[1])
    expect([...new Set(where)]).toEqual(places)
    expect({ code, out }).toEqual({ code: 1, out: '' })
  })
})

test('there are sixty of them', () => {
  expect(settings.length + ofPlugins.length + ofFiles.length).toBeGreaterThanOrEqual(60)
})

test('no mistake shows a secret', async () => {
  const { lines } = await told(plugins(`‸{ token: 'hunter2' }`, `judgeRules({ ‸apiToken: 'hunter2' })`))
  expect(lines).toHaveLength(2)
  expect(lines.join()).not.toContain('hunter2')
})

test('the names of packages and commands are those that there are', () => {
  const manifests = globSync('{plugins,packages}/*/package.json', { cwd: root }).map(path =>
    JSON.parse(readFileSync(join(root, path), 'utf8')),
  )
  const plugins = manifests.filter(({ keywords }) => keywords.includes('kikimimi-plugin'))
  expect([...PLUGIN_PACKAGES]).toEqual(plugins.map(({ name }) => name).toSorted())
  expect(variableOf('@kikimimi/judge-rules')).toBe('judgeRules')
  expect([...OWN_COMMANDS].toSorted()).toEqual(['help', ...createProgram().commands.map(command => command.name())].toSorted())
})
