import { expect, test } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { migrate, readMigrations } from '../../storage/database/migrate.ts'
import { dropNewTables, KERNEL_MIGRATIONS } from '../../storage/kernel-migrations.ts'
import { openTestDatabase } from '../../testing/test-database.ts'

test('opt-outs of the plugin remember go to the kernel, with accounts that were linked since, also in a bot without it', async () => {
  await using scope = new AsyncDisposableStack()
  const db = scope.adopt(await openTestDatabase(), opened => opened.close())
  await dropNewTables(db)
  const [first] = await readMigrations('kikimimi', KERNEL_MIGRATIONS)
  await migrate(db, 'kikimimi', KERNEL_MIGRATIONS, systemClock, new Map([[first?.name ?? '', first?.checksum ?? '']]))
  await db.script(`
    create schema remember;
    create table remember.opt_out (platform text, person text, since timestamptz, until timestamptz);
    insert into remember.opt_out values ('test', 'alice', '2026-01-05', null), ('test', 'bob', '2026-01-05', '2026-01-06');
    create schema profiles;
    create table profiles.account (platform text, person text, identity bigint);
    insert into profiles.account values ('test', 'alice', 1), ('slack', 'U1', 1), ('test', 'bob', 2), ('slack', 'U2', 2)`)
  await migrate(db, 'kikimimi', KERNEL_MIGRATIONS, systemClock)
  const { rows } = await db.query('select platform, person, until from kikimimi.opt_out order by person')
  expect(rows).toEqual([
    { platform: 'slack', person: 'U1', until: null },
    { platform: 'test', person: 'alice', until: null },
    { platform: 'test', person: 'bob', until: new Date('2026-01-06T00:00:00Z') },
  ])
})
