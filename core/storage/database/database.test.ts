// postgres: the contract of databases
import { systemClock } from '../../base/clock.ts'
import { createLogger } from '../../base/log.ts'
import { databaseContract } from '../../testing/database-contract.ts'
import { openTestDatabase, testServer } from '../../testing/test-database.ts'
import { openDatabase } from './database.ts'

const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })

databaseContract('PGlite', () => openDatabase('memory', { log, clock: systemClock }))

if (testServer()) databaseContract('Postgres', () => openTestDatabase())
