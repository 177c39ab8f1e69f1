import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentOf } from './project.ts'

test.each([
  ['package-lock.json', '{}', 'npm'],
  ['pnpm-lock.yaml', 'lockfileVersion: "9.0"\n', 'pnpm'],
  ['yarn.lock', '# yarn lockfile v1\n', 'yarn'],
  ['yarn.lock', '__metadata:\n  version: 8\n', 'yarn@berry'],
  ['bun.lock', '{}', 'bun'],
])('the package manager of a folder with %s that begins with %j is %s', async (name, text, agent) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-agent-'))
  await writeFile(join(folder.path, 'package.json'), '{}')
  await writeFile(join(folder.path, name), text)
  expect(await agentOf(folder.path)).toBe(agent)
})
