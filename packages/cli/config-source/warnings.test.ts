/** Every row is a bot.config.ts that is valid and cannot work as it says. `‸` marks the place that `kikimimi check` tells. */
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WARNINGS } from 'kikimimi/host'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { called } from '../testing/command.ts'

let folder: string
beforeAll(async () => {
  vi.stubEnv('TZ', 'UTC')
  const cache = fileURLToPath(new URL('../../../.cache/', import.meta.url))
  await mkdir(cache, { recursive: true })
  folder = await mkdtemp(join(cache, 'warnings-'))
})
afterAll(() => rm(folder, { recursive: true }))

const HEAD = `import addressing from '@kikimimi/addressing'
import judgeRules from '@kikimimi/judge-rules'
import quiet from '@kikimimi/quiet'
import reply from '@kikimimi/reply'
import terminal from '@kikimimi/terminal'
import { defineBot, definePlugin } from 'kikimimi'

const own = (name, hooks = {}, more = {}) => definePlugin({ name, setup: () => hooks, ...more })
const memory = own('memory', {}, { remembers: true })
const vectors = { embedDocuments: async texts => texts.map(() => [1]) }
const chat = { name: 'dear', generate: async () => ({ text: 'Yes.', toolCalls: [] }) }
`

let count = 0
async function written(marked: string) {
  const file = `bot-${++count}.config.ts`
  const [before = '', after] = marked.split('‸')
  const lines = before.split('\n')
  await writeFile(join(folder, file), marked.replace('‸', ''))
  return { file, place: after === undefined ? undefined : `${file}:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}` }
}

const bot = (settings: string, list = '') => `${HEAD}
export default defineBot({
  persona: { name: 'kiki' },
  database: false,
  plugins: [
    terminal(),
    addressing(),
    reply(),
    ${list}
  ],
  ${settings}
})
`

const rows: readonly (readonly [rule: string, config: string, told: string])[] = [
  ['no-platform', bot('‸plugins: [addressing(), reply()]'), 'No plugin is a platform, so the bot hears nothing. Add terminal()'],
  ['no-responder', bot('‸plugins: [terminal(), addressing()]'), 'No plugin fills the stage respond'],
  [
    'no-decider',
    bot('', `‸own('points', { score: () => ({ points: 1, why: 'x' }) }),`),
    '[points] gives points, and no plugin decides by them',
  ],
  [
    'never-reached',
    bot('', `‸own('late', { respond: () => undefined }),`),
    `[late] is not asked in the stage respond, because [reply] before it always returns a value. Move it above, or declare before: ['reply']`,
  ],
  [
    'never-reached',
    bot('', `judgeRules(), ‸own('later', { decide: () => undefined }),`),
    '[later] is not asked in the stage decide, because [judge-rules]',
  ],
  [
    'unknown-order',
    bot('', `‸own('early', {}, { before: ['replay'] }),`),
    '[early] declares its order to "replay", which is not a plugin. Did you mean "reply"?',
  ],
  ['no-vectors', bot('', '‸memory,'), 'Memory finds shared words only, because no model makes vectors'],
  ['no-names', bot('‸plugins: [terminal(), reply()]'), 'The bot does not recognize its name'],
  ['unused-vectors', bot('models: { ‸embeddings: vectors }'), 'models.embeddings is not used: no plugin has a memory'],
  [
    'unused-tools',
    bot(
      `plugins: [terminal(), addressing(), ‸own('dice', { tools: [{ name: 'roll', description: '', schema: {}, invoke: async () => '' }], respond: () => undefined })]`,
    ),
    '[dice] offers tools, and no plugin gives tools to a model',
  ],
  [
    'unused-option',
    bot('', `‸judgeRules({ preset: 'classic', unasked: 2 }),`),
    '[judge-rules] unasked has no effect: preset "classic" does not read it. Change that, or remove unasked.',
  ],
  [
    'memory-lost',
    bot(`database: 'memory', models: { embeddings: vectors }`, '‸memory,'),
    `[memory] forgets everything when the bot stops: database is 'memory'`,
  ],
  [
    'hears-no-channel',
    bot(`listen: { ‸channels: ['dev'], except: ['dev'], direct: false }`),
    'and no direct messages, so it hears nothing',
  ],
  ['hears-no-channel', bot('listen: { ‸channels: [] }'), 'so it hears direct messages alone'],
  ['time-zone', bot(`‸locale: 'ja'`), 'TZ=Asia/Tokyo'],
  ['no-callers', bot(`access: { ‸call: 'nobody' }`), 'access.call is empty'],
  [
    'unheard-channel',
    bot(`listen: { except: ['#dev'] }, pacing: { channels: { ‸dev: { minWait: '9s' } } }`),
    'does not listen to the channel "dev"',
  ],
  [
    'unheard-channel',
    bot(
      `listen: { channels: ['general'] }`,
      'judgeRules({}, { channels: { general: { threshold: 1 }, ‸dev: { threshold: 2 } } }),',
    ),
    'does not listen to the channel "dev"',
  ],
  ['unused-postgres', bot('‸postgres: { connections: 5 }'), 'postgres has no effect: the database is no Postgres server'],
  [
    'unused-price',
    bot('budget: { day: { tokens: 100000 }, ‸prices: { dear: { input: 1, output: 1 } } }'),
    'budget.prices limits nothing',
  ],
  [
    'unused-price',
    bot(
      'models: { chat }, budget: { day: { money: 2 }, prices: { dear: { input: 1, output: 1 }, ‸daer: { input: 1, output: 1 } } }',
    ),
    'budget.prices has "daer", which is not a model of the bot. The bot has: dear',
  ],
  [
    'small-budget',
    bot('budget: { hour: { ‸tokens: 500 } }'),
    'budget.hour allows 500 tokens, fewer than one prompt may have (contextTokens: 6000)',
  ],
  ['wait-cut', bot(`pacing: { ‸minWait: '5m', maxWait: '1m' }`), 'minWait is longer than maxWait (60 s)'],
  ['wait-cut', bot(`pacing: { channels: { dev: { ‸minWait: '5m' } } }`), 'minWait is longer than maxWait (120 s)'],
  ['short-retention', bot(`retention: { ‸messages: '10m' }`), 'retention.messages is shorter than memory.ttl'],
  [
    'unused-settings',
    bot('‸settings: { plugins: { discrod: { options: { shards: 2 } }, reply: { enabled: true } } }'),
    'bot.settings.json has values for discrod, which',
  ],
]

async function warned(marked: string) {
  const { file, place } = await written(marked)
  const { code, out } = await called(['check', '--config', file], { cwd: folder })
  return { code, place, warnings: out.split('\n').filter(line => line.startsWith(' !')) }
}

test.each(rows)('%s', async (_rule, marked, told) => {
  const { code, place, warnings } = await warned(marked)
  expect(warnings).toEqual([expect.stringContaining(`${place}  `)])
  expect(warnings[0]).toContain(told)
  expect(code).toBe(0)
})

test('every warning has a row, here and in the documentation', () => {
  const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8')
  const told = Array.from(page.matchAll(/^\| ([a-z]+-[a-z-]+) \|/gm), ([, rule]) => rule)
  expect(told).toEqual(Object.keys(WARNINGS))
  expect([...new Set(rows.map(([rule]) => rule))].toSorted()).toEqual(Object.keys(WARNINGS).toSorted())
})

test.each([
  ['a bot that works', bot('')],
  [
    'a responder for failures, which declares its place',
    bot('', `own('spare', { respond: () => undefined }, { after: ['reply'] }),`),
  ],
  [
    'a plugin that stands in the wrong place, and declares the right one',
    bot('', `own('early', { respond: () => undefined }, { before: ['reply'] }),`),
  ],
  ['a decider of kikimimi behind the rules', bot('', 'judgeRules(), quiet(),')],
  [
    'a channel that is named by its id',
    bot(`listen: { channels: ['general'] }, pacing: { channels: { C0123456789: { minWait: '9s' } } }`),
  ],
  ['calls that one channel allows', bot(`access: { call: 'nobody', channels: { dev: { call: 'everyone' } } }`)],
])('no warning about %s', async (_title, config) => {
  expect(await warned(config)).toMatchObject({ code: 0, warnings: [] })
})

test('the start warns too, and explain draws the pipeline with the warnings', async () => {
  const { file, place } = await written(
    bot(
      `models: { chat, plugins: { reply: { chat } } }`,
      `quiet(), judgeRules({ threshold: 40 }), ‸own('late', { respond: () => undefined }),`,
    ),
  )
  const { err, code } = await called(['start', '--config', file], { cwd: folder, input: 'alice: hello\n' })
  expect(err).toContain(`${place}  [late] is not asked in the stage respond`)
  expect(code).toBe(0)
  const { out } = await called(['explain', '--config', file], { cwd: folder })
  expect(out.slice(0, out.indexOf('\nOptions:'))).toBe(`message       from terminal
   │
address       addressing
   │
record, wait
   │
score         addressing + quiet + judge-rules
   │
decide        quiet → judge-rules
   │
respond       quiet → reply → late
   │
separate      addressing → quiet
   │
beforeSend    addressing → quiet
   │
after         terminal

Plugins, in this order:
  1 terminal
  2 addressing
  3 quiet            entry 4 of bot.config.ts; before judge-rules, reply
  4 reply
                     model chat: dear
  5 judge-rules
                     threshold: 40
  6 late

Models:
  chat               dear

Warnings:
  ${place}  [late] is not asked in the stage respond, because [reply] before it always returns a value. Move it above, or declare before: ['reply'].
`)
})
