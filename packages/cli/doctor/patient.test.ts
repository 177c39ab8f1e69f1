import { systemClock } from 'kikimimi'
import { createLogger, dropNewTables, KERNEL_MIGRATIONS, migrate, openDatabase } from 'kikimimi/host'
import { expect, test } from 'vitest'
import { readCatalog } from './database/catalog.ts'
import { patientOf, ranOf } from './patient.ts'

test('a database that an earlier version has used is compared with the tables of that version', async () => {
  const deps = { clock: systemClock, log: createLogger({ level: 'error', format: 'lines', write: () => {}, clock: systemClock }) }
  await using scope = new AsyncDisposableStack()
  const db = scope.adopt(await openDatabase('memory', deps), opened => opened.close())
  const earlier = new Map([...(await ranOf(db, 'kikimimi'))].slice(0, -2))
  await dropNewTables(db)
  await migrate(db, 'kikimimi', KERNEL_MIGRATIONS, systemClock, earlier)
  const { expected } = patientOf(db, { target: 'memory', plugins: [], deps })
  expect(await expected()).toEqual(await readCatalog(db, ['kikimimi']))
})
