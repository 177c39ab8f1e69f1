// postgres: the contract of databases
import { databaseContract } from '../../testing/database-contract.ts'
import { openTestDatabase, testServer } from '../../testing/test-database.ts'

databaseContract(testServer() ? 'Postgres' : 'PGlite', () => openTestDatabase())
