// postgres: the statements of mcp
import { testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import mcp from './index.ts'
import { type Options, options } from './options.ts'
import { changes, needsConfirmation, permissionFor } from './rules.ts'

const general = { channel: 'C1', name: 'general', visibility: 'public' } as const
const dev = { channel: 'C2', name: 'dev', visibility: 'private' } as const
/** A direct conversation has the name that its person chose. */
const direct = { channel: 'D1', name: 'dev', visibility: 'direct' } as const

const rulesOf = (rules: readonly object[]) =>
  (options.parse({ servers: { files: { command: 'x' }, web: { command: 'x' } }, rules }) as Options).rules

describe('who may use a tool, and where', () => {
  const NOBODY = [{ tools: ['files/write_*'], people: 'nobody' }]
  const DEV = [{ tools: ['files'], channels: ['#dev'], people: ['members'] }]
  const TWO = [
    { tools: ['files/delete'], channels: ['C2'], people: ['person:U1'], confirm: 'always' },
    { tools: ['files'], people: ['admins'] },
  ]
  test.each([
    // rules, tool, place, people, confirm
    [[], 'files/read', general, 'everyone', 'changes'],
    [NOBODY, 'files/read', general, 'everyone', 'changes'],
    [NOBODY, 'files/write_file', general, [], 'changes'],
    [NOBODY, 'web/write_file', general, 'everyone', 'changes'],
    [DEV, 'files/read', dev, ['members'], 'changes'],
    [DEV, 'files/read', general, undefined, undefined],
    [DEV, 'files/read', direct, undefined, undefined],
    [DEV, 'web/read', general, 'everyone', 'changes'],
    [TWO, 'files/delete', dev, ['person:U1'], 'always'],
    [TWO, 'files/delete', general, ['admins'], 'changes'],
    [TWO, 'files/delete_all', dev, ['admins'], 'changes'],
    [[{ tools: ['*'], people: 'nobody' }], 'web/read', dev, [], 'changes'],
    [[{ tools: ['*'], channels: ['D1'] }], 'web/read', direct, 'everyone', 'changes'],
    [[{ tools: ['*'], channels: ['D1'] }], 'web/read', general, undefined, undefined],
    [[{ tools: ['files/*'], confirm: 'never' }], 'files/read', general, 'everyone', 'never'],
    [[{ tools: ['files/prompts'], people: ['role:ops'] }], 'files/prompts', general, ['role:ops'], 'changes'],
  ] as const)('%j: %s in %j', (rules, tool, place, people, confirm) => {
    const [server = '', name = ''] = tool.split('/')
    expect(permissionFor(rulesOf(rules), server, name, place)).toEqual(people === undefined ? undefined : { people, confirm })
  })
})

test.each([
  // annotations, changes something
  [{}, true],
  [{ readOnlyHint: true }, false],
  [{ readOnlyHint: false }, true],
  [{ readOnlyHint: false, destructiveHint: false }, true],
  [{ destructiveHint: false }, true],
  [{ destructiveHint: true }, true],
  [{ readOnlyHint: true, destructiveHint: false }, false],
  [{ readOnlyHint: true, destructiveHint: true }, true],
] as const)('a tool with %j changes something: %s', (annotations, isChange) => {
  expect(changes(annotations)).toBe(isChange)
  expect([
    needsConfirmation('changes', isChange),
    needsConfirmation('always', isChange),
    needsConfirmation('never', isChange),
  ]).toEqual([isChange, true, false])
})

test.each([
  [{ rules: [{ tools: ['file'] }] }, 'rules.0.tools: there is no server "file"'],
  [{ rules: [{ tools: ['files/a*b'] }] }, 'expected SERVER, SERVER/TOOL, SERVER/BEGINNING*, or *'],
  [{ rules: [{ tools: ['files'], people: ['admin'] }] }, 'Did you mean "admins"?'],
  [{ servers: { 'my-files': { command: 'x' } } }, 'expected a name of up to 20 lower-case letters and digits'],
  [{ servers: { web: { url: 'ftp://x.example' } } }, 'servers.web'],
  [{ servers: { web: { url: 'https://x.example', headers: { Authorization: 'Bearer abc' } } } }, 'servers.web'],
])('%j is refused at the start', async (given, message) => {
  const all = { servers: { files: { command: 'x' } }, ...given } as Parameters<typeof mcp>[0]
  await expect(testBot({ plugins: [mcp(all)] })).rejects.toThrow(message)
})
