// postgres: a refused restore into a server
/** A restored backup does not bring back what was erased since it was made. */
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { dump } from '@kikimimi/backup'
import { systemClock } from 'kikimimi'
import { createLogger, openDatabase } from 'kikimimi/host'
import { openTestDatabase, testServer } from 'kikimimi/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { called } from '../testing/command.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })

let folder: string
beforeAll(async () => {
  // Inside the workspace, so that a config there finds the packages.
  await mkdir(join(root, '.cache'), { recursive: true })
  folder = await mkdtemp(join(root, '.cache/restore-'))
  await writeFile(
    join(folder, 'bot.config.ts'),
    `import facts from '@kikimimi/facts'
     import memorySummary from '@kikimimi/memory-summary'
     import profiles from '@kikimimi/profiles'
     import remember from '@kikimimi/remember'
     import reply from '@kikimimi/reply'
     import terminal from '@kikimimi/terminal'
     import { defineBot } from 'kikimimi'
     export default defineBot({
       persona: { name: 'kiki' },
       database: './data',
       plugins: [terminal(), remember(), memorySummary({ everyMessages: 1 }), facts(), profiles(), reply()],
     })`,
  )
  const said = [
    'alice: @kiki remember that my cat lives in Zanzibar',
    'alice: the cat of Zanzibar is called Mimosa',
    'bob: alice told me about the quokka',
    'bob: alice is on holiday',
    'bob: the fox of the garden is called Quito',
    'bob: the train leaves at ten',
  ]
  await run(['start'], `${said.join('\n')}\n`)
  expect(await run(['backup', 'old.backup'])).toMatchObject({ code: 0, err: '' })
  await rename(join(folder, 'data'), join(folder, 'data-at-first'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A data folder is the same everywhere. */
const isRepeated = testServer() !== undefined

const run = (args: readonly string[], input = '') => called([...args], { cwd: folder, input })
const remove = (...names: string[]) => Promise.all(names.map(name => rm(join(folder, name), { recursive: true, force: true })))

async function withData<T>(use: (db: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>): Promise<T> {
  const db = await openDatabase(join(folder, 'data'), { clock: systemClock, log })
  try {
    return await use(db)
  } finally {
    await db.close()
  }
}

async function stored(): Promise<string> {
  const lines: string[] = []
  await withData(db => dump(db, systemClock, async line => void lines.push(line)))
  return lines.join('\n')
}

it.skipIf(isRepeated)(
  'leaves out the messages that were deleted or edited, and the people who were forgotten, in the time since',
  async () => {
    await remove('data', 'data.lock', 'data.erased')
    await cp(join(folder, 'data-at-first'), join(folder, 'data'), { recursive: true })
    await withData(async db => {
      await db.query(
        `update kikimimi.message set text = '', deleted_at = now() where text like '%quokka%' and author_name = 'bob'`,
      )
      await db.query(
        `update kikimimi.message set text = 'the fox has no name', edited_at = now() where text like '%Quito%' and not own`,
      )
    })
    expect(await run(['forget', 'alice'])).toMatchObject({ code: 0, err: '' })
    const file = await readFile(join(folder, 'data.erased'), 'utf8')
    expect(file).toMatch(/^(?:[0-9a-f]{64} \S+\n)+$/)
    expect((await stat(join(folder, 'data.erased'))).mode & 0o777).toBe(0o600)

    await remove('data')
    expect(await run(['restore', 'old.backup'])).toMatchObject({ code: 0, err: '' })
    // The request itself stays for five minutes, for messages that another process is sending.
    const restored = (await stored()).replace(/^.*"person":"alice","before".*$/m, '')
    for (const word of ['Zanzibar', 'Mimosa', 'quokka', 'Quito']) expect(restored).not.toContain(word)
    // What others said of her stays, and is the only place of her name.
    expect(restored.split('\n').filter(line => line.includes('alice'))).toEqual([
      expect.stringMatching(/"author_id":"bob".*"text":"alice is on holiday"/),
    ])
    expect(restored).toContain('the train leaves at ten')
  },
)

describe('a restore that is refused leaves nothing behind', () => {
  const REFUSED: Readonly<Record<string, (lines: string[]) => string[]>> = {
    'a backup of other tables': ([head = '', ...rows]) => [head.replace(/"checksum":"\w+"/g, '"checksum":"other"'), ...rows],
    'a backup that is cut short': lines => lines.slice(0, -20),
    'a row that does not fit': lines => lines.map(line => line.replace(/"visibility": ?"public"/, '"visibility":"wide"')),
    'a foreign file': () => ['hello'],
  }
  beforeAll(async () => {
    await remove('data', 'data.lock', 'data.erased')
    const lines = gunzipSync(await readFile(join(folder, 'old.backup')))
      .toString()
      .split('\n')
    for (const [name, broken] of Object.entries(REFUSED))
      await writeFile(join(folder, `${name}.backup`), gzipSync(broken(lines).join('\n')))
  })

  it.skipIf(isRepeated).for(Object.keys(REFUSED))('%s, without a data folder', async name => {
    const before = await readdir(folder)
    const { code, err } = await run(['restore', `${name}.backup`])
    expect({ code, sentence: err.split('\n').length }).toEqual({ code: 1, sentence: 2 })
    expect(await readdir(folder)).toEqual(before)
  })

  it.skipIf(isRepeated)('with an empty data folder', async () => {
    await mkdir(join(folder, 'data'))
    expect(await run(['restore', 'a row that does not fit.backup'])).toMatchObject({ code: 1 })
    expect(await readdir(join(folder, 'data'))).toEqual([])
  })

  it.skipIf(isRepeated)('and the next one restores everything', async () => {
    expect(await run(['restore', 'old.backup'])).toMatchObject({ code: 0, err: '' })
    expect(await stored()).toContain('Zanzibar')
  })

  it.runIf(testServer())('on a server', async () => {
    const db = await openTestDatabase()
    onTestFinished(() => db.close())
    const schemas = async () =>
      (await db.query<{ name: string }>(`select nspname as name from pg_namespace where nspname !~ '^pg_' order by 1`)).rows.map(
        ({ name }) => name,
      )
    const before = await schemas()
    const config = await readFile(join(folder, 'bot.config.ts'), 'utf8')
    await writeFile(join(folder, 'server.config.ts'), config.replace('./data', db.kind === 'postgres' ? db.url : ''))
    const restored = (file: string) => run(['restore', file, '--config', 'server.config.ts'])
    for (const name of Object.keys(REFUSED)) {
      expect(await restored(`${name}.backup`)).toMatchObject({ code: 1 })
      expect(await schemas()).toEqual(before)
    }
    expect(await restored('old.backup')).toMatchObject({ code: 0, err: '' })
    expect((await db.query('select 1 from facts.fact')).rowCount).toBe(1)
  })
})
