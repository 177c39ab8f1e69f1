import { cp, mkdir, mkdtempDisposable, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freeze, frozenProblems } from './frozen.ts'

/** A checkout with two released migrations of facts, one of the kernel, and a backup. */
async function released() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-frozen-'))
  const write = async (path: string, text: string) => {
    await mkdir(join(folder.path, path, '..'), { recursive: true })
    await writeFile(join(folder.path, path), text)
  }
  await write('core/storage/migrations/001-kernel.sql', 'create table a ();\n')
  await write('plugins/facts/migrations/001-facts.sql', 'create table b ();\n')
  await write('plugins/facts/migrations/002-more.sql', 'create table c ();\n')
  await write('test/upgrade/0.1.0.backup', 'rows')
  await write('test/upgrade/released.json', '{}')
  await freeze(folder.path)
  return { root: folder.path, write, [Symbol.asyncDispose]: folder[Symbol.asyncDispose].bind(folder) }
}

test('the files of this repository that were released are as they were', async () => {
  expect(await frozenProblems()).toEqual([])
})

test('a released migration stays as it is, except its line ends; a later one is added', async () => {
  await using one = await released()
  await one.write('core/storage/migrations/001-kernel.sql', 'create table a ();\r\n')
  await one.write('plugins/facts/migrations/003-next.sql', 'create table d ();\n')
  await one.write('plugins/new/migrations/001-new.sql', 'create table e ();\n')
  expect(await frozenProblems(one.root)).toEqual([])

  await one.write('plugins/facts/migrations/001-facts.sql', 'create table b (id int);\n')
  expect(await frozenProblems(one.root)).toEqual([
    'plugins/facts/migrations/001-facts.sql was released, and is another file now. Bring it back, and write the change as a new migration.',
  ])
})

test('a released migration is neither removed nor renamed, and a new one has a higher number', async () => {
  await using one = await released()
  const facts = join(one.root, 'plugins/facts/migrations')
  await rename(join(facts, '002-more.sql'), join(facts, '002-other.sql'))
  expect(await frozenProblems(one.root)).toEqual([
    'plugins/facts/migrations/002-more.sql was released, and is missing. Bring it back, and write the change as a new migration.',
    'plugins/facts/migrations/002-other.sql is new, and its number is not after 002-more.sql, which was released. Give it a higher number.',
  ])
  await rm(join(one.root, 'plugins/facts'), { recursive: true })
  expect(await frozenProblems(one.root)).toHaveLength(2)
})

test('the backup of a release is neither changed, removed nor made by hand, and the list stays', async () => {
  await using one = await released()
  const backup = join(one.root, 'test/upgrade/0.1.0.backup')
  await cp(backup, join(one.root, 'test/upgrade/0.0.9.backup'))
  await one.write('test/upgrade/0.1.0.backup', 'other rows')
  expect(await frozenProblems(one.root)).toEqual([
    'test/upgrade/0.1.0.backup was released, and is another file now. Bring it back.',
    'test/upgrade/0.0.9.backup is a backup of no release. Remove it: npm run release makes it.',
  ])
  await one.write('test/upgrade/released.json', '<<<<<<< HEAD')
  expect(await frozenProblems(one.root)).toEqual([
    expect.stringMatching(/^test\/upgrade\/released\.json is no JSON: .*\. Bring it back from the last commit that has it\.$/),
  ])
  await rm(join(one.root, 'test/upgrade/released.json'))
  expect(await frozenProblems(one.root)).toEqual([
    'test/upgrade/released.json is missing. Bring it back from the last commit that has it.',
  ])
})
