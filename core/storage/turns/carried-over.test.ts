// postgres: turns of another process
import { expect, it } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { openTestDatabase } from '../../testing/test-database.ts'
import { silentLog } from '../../testing/test-log.ts'
import { migrate, readMigrations } from '../database/migrate.ts'
import { createPgBossJobs } from '../jobs/pg-boss.ts'
import { KERNEL_MIGRATIONS } from '../kernel-migrations.ts'

it('turns of the last release, which were jobs, are carried over', async () => {
  const db = await openTestDatabase()
  const all = await readMigrations('kikimimi', KERNEL_MIGRATIONS)
  const before = (end: string) =>
    migrate(
      ...([db, 'kikimimi', KERNEL_MIGRATIONS, systemClock] as const),
      new Map(all.flatMap(({ name, checksum }) => (name < end ? [[name, checksum]] : []))),
    )
  await before('011')
  const jobs = createPgBossJobs({ db, clock: systemClock, log: silentLog, concurrency: 1, supervise: false })
  await jobs.start(true)
  const at = new Date('2030-01-05T10:00:00Z')
  const delayed = { decision: { kind: 'full', why: 'test' }, lastSeq: 7 }
  await jobs.schedule('turn', { conversation: 'test/team/dev', vary: 0.5, delayed }, { at, key: 'test/team/dev' })
  await jobs.schedule('turn', { conversation: 'test/team/ops', vary: 2 }, { at, key: 'test/team/ops', urgent: true })
  await jobs.schedule('facts.index', null, { at })
  await jobs.stop(1_000)
  await db.script(`
    insert into pgboss.queue select (jsonb_populate_record(q, '{"name": "turn"}')).* from pgboss.queue q where name = 'work';
    update pgboss.job set name = 'turn' where data->>'kind' = 'turn';
    insert into kikimimi.conversation (id, platform, workspace, channel, name, visibility)
      select id, 'test', 'team', id, id, 'public' from unnest(array['test/team/dev', 'test/team/ops', 'test/team/lab']) id`)
  // Processes of the last release take turns while most of the upgrade runs.
  await before('013')
  expect(
    (await db.query(`select 1 from pgboss.job j join pgboss.queue q on q.name = j.name where j.name = 'turn'`)).rowCount,
  ).toBe(2)
  await migrate(db, 'kikimimi', KERNEL_MIGRATIONS, systemClock)
  const { rows } = await db.query('select id, due_at, urgent, vary, delayed from kikimimi.conversation order by id')
  expect(rows).toEqual([
    { id: 'test/team/dev', due_at: at, urgent: false, vary: 0.5, delayed: { ...delayed, at: at.getTime() } },
    { id: 'test/team/lab', due_at: null, urgent: false, vary: 1, delayed: null },
    { id: 'test/team/ops', due_at: at, urgent: true, vary: 2, delayed: null },
  ])
  expect((await db.query(`select name, data->>'kind' as kind from pgboss.job`)).rows).toEqual([
    { name: 'work', kind: 'facts.index' },
  ])
  expect((await db.query(`select name from pgboss.queue where name = 'turn'`)).rows).toEqual([])
  await db.close()
})
