/** The rules of the layers, run on a small tree with planted imports. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'

const SCRIPT = join(import.meta.dirname, 'layers.ts')

/** A tree that keeps to the rules. */
const KEPT = {
  'core/package.json': JSON.stringify({
    name: 'kikimimi',
    type: 'module',
    exports: { '.': './index.ts', './host': './host.ts', './testing': './testing/index.ts' },
  }),
  'core/index.ts': `export type * from './api/turn.ts'`,
  'core/host.ts': `export { open } from './storage/open.ts'`,
  'core/base/clock.ts': 'export type Clock = () => number',
  'core/base/clock.test.ts': `import '../testing/index.ts'`,
  'core/api/turn.ts': `import type { Clock } from '../base/clock.ts'\nexport interface Turn { clock: Clock }`,
  'core/models/role.ts': `export type Role = 'chat'`,
  'core/storage/open.ts': `import type { Turn } from '../api/turn.ts'\nexport const open = (turn: Turn) => turn`,
  'core/kernel/turns.ts': `export { open } from '../storage/open.ts'`,
  'core/features/stop.ts': `export { open } from '../kernel/turns.ts'`,
  'core/bot/bot.ts': `export { open } from '../features/stop.ts'`,
  'core/testing/index.ts': `export { open } from '../bot/bot.ts'`,
  'packages/cli/cli.ts': `export { open } from 'kikimimi/host'`,
  'plugins/facts/package.json': JSON.stringify({ name: '@kikimimi/facts', type: 'module', exports: './index.ts' }),
  'plugins/facts/index.ts': `export type { Turn } from 'kikimimi'`,
  'plugins/facts/facts.test.ts': `import 'kikimimi/host'\nimport 'kikimimi/testing'`,
  'plugins/facts/testing/facts.ts': `import '@kikimimi/offline'`,
  'plugins/offline/package.json': JSON.stringify({ name: '@kikimimi/offline', type: 'module', exports: './index.ts' }),
  'plugins/offline/index.ts': `export type { Turn } from 'kikimimi'`,
  'packages/cli/start.ts': `import '@kikimimi/offline'`,
  'plugins/recall/index.ts': `export type { Turn } from '@kikimimi/facts'`,
  'plugins/dashboard/start.ts': `import { open } from 'kikimimi/host'\nopen`,
}

/** The output of the check for the tree with these additional files. */
async function check(planted: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'kikimimi-layers-'))
  try {
    for (const [path, text] of Object.entries({ ...KEPT, ...planted })) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    await mkdir(join(folder, 'node_modules/@kikimimi'), { recursive: true })
    await symlink(join(folder, 'core'), join(folder, 'node_modules/kikimimi'))
    for (const name of ['facts', 'offline'])
      await symlink(join(folder, 'plugins', name), join(folder, 'node_modules/@kikimimi', name))
    return await new Promise<{ readonly code: number; readonly said: string }>(resolve => {
      execFile(process.execPath, [SCRIPT], { cwd: folder }, (error, _, said) => resolve({ code: Number(error?.code ?? 0), said }))
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('a tree whose imports point down passes, with 20 files and their tests in a folder', async () => {
  const files = Array.from({ length: 19 }, (_, at) => [
    [`plugins/recall/part-${at}.ts`, `export const part = ${at}`],
    [`plugins/recall/part-${at}.test.ts`, `import './part-${at}.ts'`],
  ])
  expect(await check(Object.fromEntries(files.flat()))).toEqual({ code: 0, said: '' })
})

/** The planted import, and the output of the check. */
const PLANTED: readonly (readonly [name: string, planted: Readonly<Record<string, string>>, said: readonly string[]])[] = [
  [
    'an import of a higher layer',
    { 'core/models/ask.ts': `import { open } from '../kernel/turns.ts'\nopen` },
    [
      'core/models may import core/models, core/api, core/base and npm packages only',
      'core/models/ask.ts → core/kernel/turns.ts',
    ],
  ],
  [
    'a type import of a higher layer',
    { 'core/base/log.ts': `import type { Turn } from '../api/turn.ts'\nexport type Log = Turn` },
    ['core/base may import core/base and npm packages only', 'core/base/log.ts → core/api/turn.ts'],
  ],
  [
    'an inline type import of a higher layer',
    { 'core/base/text/lines.ts': `export type Lines = readonly import('../../api/turn.ts').Turn[]` },
    ['core/base/text/lines.ts → core/api/turn.ts'],
  ],
  [
    'a dynamic import of a higher layer',
    { 'core/prompt/text.ts': `export const later = () => import('../bot/bot.ts')` },
    ['core/prompt/text.ts → core/bot/bot.ts'],
  ],
  [
    'an import between models and storage',
    { 'core/models/ledger.ts': `export { open } from '../storage/open.ts'` },
    ['core/models/ledger.ts → core/storage/open.ts'],
  ],
  [
    'a package in core',
    { 'core/index.ts': `export * from '../packages/cli/cli.ts'` },
    ['core imports no package and no plugin', 'core/index.ts → packages/cli/cli.ts'],
  ],
  [
    'a circle of folders that no two files form',
    {
      'plugins/facts/store/rows.ts': `import type { Rank } from '../rank/rank.ts'\nexport type Rows = Rank[]`,
      'plugins/facts/store/id.ts': 'export type Id = string',
      'plugins/facts/rank/rank.ts': 'export type Rank = number',
      'plugins/facts/rank/order.ts': `export type { Id } from '../store/id.ts'`,
    },
    ['These folders import each other in a circle', 'plugins/facts/store → plugins/facts/rank → plugins/facts/store'],
  ],
  [
    'core by a relative path in a plugin',
    { 'plugins/recall/rank.ts': `export type { Turn } from '../../core/api/turn.ts'` },
    ["Import core by its name: 'kikimimi'", 'plugins/recall/rank.ts → core/api/turn.ts'],
  ],
  [
    'core by a relative path in the test of a package',
    { 'packages/cli/cli.test.ts': `import '../../core/host.ts'` },
    ["Import core by its name: 'kikimimi'", 'packages/cli/cli.test.ts → core/host.ts'],
  ],
  [
    'kikimimi/host in a plugin',
    { 'plugins/recall/open.ts': `import { open } from 'kikimimi/host'\nopen` },
    ["A plugin imports 'kikimimi', and 'kikimimi/platform'", 'plugins/recall/open.ts → core/host.ts'],
  ],
  [
    'kikimimi/testing outside of tests',
    { 'plugins/recall/try.ts': `import { open } from 'kikimimi/testing'\nopen` },
    ['Only tests import a testing kit', 'plugins/recall/try.ts → core/testing/index.ts'],
  ],
  [
    'core/testing in a file of core that is no test, whatever its name',
    { 'core/features/stop/test-stop.ts': `import '../../testing/index.ts'` },
    ['In core, only files `….test.ts` import core/testing', 'core/features/stop/test-stop.ts → core/testing/index.ts'],
  ],
  [
    'the offline model in a plugin',
    { 'plugins/recall/words.ts': `export type { Turn } from '@kikimimi/offline'` },
    ['Only programs that start a bot', 'plugins/recall/words.ts → plugins/offline/index.ts'],
  ],
  [
    'a file of another plugin',
    { 'plugins/recall/find.ts': `export type { Turn } from '../facts/index.ts'` },
    ['Import another package or plugin by its name', 'plugins/recall/find.ts → plugins/facts/index.ts'],
  ],
  [
    'a folder with 21 files',
    Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`plugins/crowd/part-${at}.ts`, `export const part = ${at}`])),
    ['A folder holds at most 20 source files', 'plugins/crowd: 21 files'],
  ],
]

describe('the check of a tree with planted imports', () => {
  let code: number
  let said: string
  beforeAll(async () => {
    const all = await check(Object.assign({}, ...PLANTED.map(([, planted]) => planted)))
    code = all.code
    said = all.said
  })

  test('fails', () => {
    expect(code).toBe(1)
    expect(said).toContain('The layers break 12 rules.')
  })

  test.each(PLANTED)('names %s', (_, __, expected) => {
    for (const text of expected) expect(said).toContain(text)
  })
})
