/** Starts a bot on a backup, with the tombstones of today. */
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, type PluginEntry, startBot } from 'kikimimi'
import { KERNEL_MIGRATIONS, movedClock, openDatabase, stepsOf } from 'kikimimi/host'
import { scriptedModel, silentLog, testPlatform } from 'kikimimi/testing'
import { dump as backup } from '../../packages/backup/data/dump.ts'
import { restore } from '../../packages/backup/data/restore.ts'
import { plugins as usual } from './town.ts'
import { PLATFORMS } from './world.ts'

/** Minutes after which the bot has erased again what was erased since the backup. */
const ERASING = 13

/** The lines of a backup of the restored bot. */
export async function restored(
  lines: readonly string[],
  today: Database,
  now: number,
  plugins: readonly PluginEntry[] = usual,
): Promise<readonly string[]> {
  await using scope = new AsyncDisposableStack()
  const { rows } = await today.query<{ key: string; at: Date }>('select key, at from kikimimi.tombstone')
  const database = join(tmpdir(), `kikimimi-privacy-${randomUUID()}`)
  scope.defer(() => rm(`${database}.erased`, { force: true }))
  await writeFile(`${database}.erased`, rows.map(({ key, at }) => `${key} ${at.toISOString()}\n`).join(''))

  const time = movedClock(new Date(now))
  const { clock, jobClock } = time
  const db = scope.adopt(await openDatabase('memory', { clock, log: silentLog }), opened => opened.close())
  const owners = plugins.flatMap(entry =>
    entry && 'definition' in entry && entry.definition.migrations
      ? [[entry.definition.name, entry.definition.migrations] as const]
      : [],
  )
  const folders = new Map([['kikimimi', KERNEL_MIGRATIONS] as const, ...owners])
  await restore(
    db,
    (async function* () {
      yield* lines
    })(),
    { clock, folders },
  )
  const platforms = PLATFORMS.map(name => testPlatform({ me: { id: 'bot', name: 'kiki' }, name }))
  const bot = scope.use(
    await startBot(
      { persona: { name: 'kiki' }, models: { chat: scriptedModel('nothing') }, database, plugins: [...plugins] },
      {
        ...{ db, clock, jobClock, platforms, log: silentLog, supervise: false, env: {} },
        project: new URL(`file://${tmpdir()}/`),
      },
    ),
  )
  const steps = stepsOf(time, db, () => bot.jobs)
  await steps.settle()
  await clock.advance(clock.now() + ERASING * 60_000, steps)
  const left: string[] = []
  await backup(db, clock, async line => void left.push(line))
  return left
}
