/** Where a bot keeps its data: the database with its tables, messages, jobs, and the accounts of what models cost. */
import type { Logger } from '../base/log.ts'
import { createReloadBarrier, type ReloadBarrier } from '../base/reload-barrier.ts'
import { renameSettings } from '../features/options/renamed.ts'
import { createSettingTable, type SettingTable } from '../features/options/table.ts'
import type { Plan } from '../features/reload/reload.ts'
import { type Ledger, memoryLedger, sqlLedger } from '../models/ledger.ts'
import { createModelUse, type ModelUse } from '../models/use.ts'
import { type Availability, createAvailability } from '../storage/database/availability.ts'
import { migrate } from '../storage/database/migrate.ts'
import { databaseMissing } from '../storage/database/no-database.ts'
import { type OpenDatabase, openConfiguredDatabase } from '../storage/database/open-database.ts'
import { createOutageLog } from '../storage/database/outage-log.ts'
import { createRetryWhileUnavailable, type RetryWhileUnavailable } from '../storage/database/retry-while-unavailable.ts'
import type { Jobs } from '../storage/jobs/jobs.ts'
import { createMemoryJobs } from '../storage/jobs/memory.ts'
import { createPgBossJobs } from '../storage/jobs/pg-boss.ts'
import { KERNEL_MIGRATIONS } from '../storage/kernel-migrations.ts'
import { createMemoryStore } from '../storage/store/memory.ts'
import { retryingStore } from '../storage/store/retrying-store.ts'
import { createSqlStore } from '../storage/store/sql.ts'
import type { Store } from '../storage/store/store.ts'
import { addMonths } from '../storage/store/sweep.ts'
import { connectionsOf } from './connections-of.ts'
import type { Foundation } from './foundation.ts'
import { needsDatabase } from './plugins/list.ts'
import { beginUpgrade } from './upgrade.ts'

export interface Storage {
  /** The database, also if only plugins use it. */
  readonly db: OpenDatabase | undefined
  /** The database of messages and jobs. Undefined: they are in memory. */
  readonly durable: OpenDatabase | undefined
  /** The database that other processes of the bot use too. */
  readonly shared: OpenDatabase | undefined
  readonly availability: Availability
  /** The log, without the errors that follow from an unavailable database. */
  readonly log: Logger
  readonly retryWhileUnavailable: RetryWhileUnavailable
  readonly store: Store
  /** Settings that people made in the chat. */
  readonly table: SettingTable
  readonly jobs: Jobs
  /** Holds up work while a reload replaces plugins. */
  readonly barrier: ReloadBarrier
  readonly ledger: Ledger
  readonly modelUse: ModelUse | undefined
  /** Creates and changes the tables of plugins. Throws DATABASE_NONE for a plugin that needs some in a bot without a database. */
  migratePlugins(plugins: Plan['order']): Promise<void>
}

/** The number of background jobs that run at the same time in one process. */
const WORK_CONCURRENCY = 2

export async function openStorage(first: Plan, foundation: Foundation, scope: AsyncDisposableStack): Promise<Storage> {
  const { options, clock, log: given, stopping, failure } = foundation
  const db = options.db ?? (await databaseOf(first, foundation, scope))
  if (db) await beginUpgrade(db, first.order, given.logger)
  if (db) await migrate(db, 'kikimimi', KERNEL_MIGRATIONS, clock)
  const availability = createAvailability({ db, clock, log: given.logger, scope, fail: failure.fail })
  const log = createOutageLog(given.logger, availability)
  if (db) await addMonths(db, new Date(clock.now()))
  const migratePlugins: Storage['migratePlugins'] = async plugins => {
    for (const plugin of plugins) {
      const { name, definition } = plugin
      if (!db && needsDatabase(plugin)) throw databaseMissing(name)
      if (db && definition.migrations) await migrate(db, name, definition.migrations, clock)
      if (db) await renameSettings(db, definition)
    }
  }
  await migratePlugins(first.order)

  const durable = options.inMemory === true ? undefined : db
  const retryWhileUnavailable = createRetryWhileUnavailable({ clock, isAway: availability.isAway, stopping: stopping.signal })
  const barrier = createReloadBarrier(clock)
  const work = { log, concurrency: WORK_CONCURRENCY, barrier }
  return {
    ...{ db, durable, availability, log, retryWhileUnavailable, barrier, migratePlugins },
    shared: durable?.kind === 'postgres' ? durable : undefined,
    store: durable
      ? retryingStore(createSqlStore(durable, log, clock), retryWhileUnavailable, availability)
      : createMemoryStore(),
    table: await createSettingTable({ db: durable, clock, log, scope }),
    jobs:
      durable && !options.inMemory
        ? createPgBossJobs({
            ...{ ...work, db: durable, clock: options.jobClock ?? clock },
            supervise: options.supervise ?? !options.idle,
          })
        : createMemoryJobs({ ...work, clock }),
    ledger: durable ? sqlLedger(durable) : memoryLedger(),
    modelUse: durable && createModelUse(durable, clock),
  }
}

/** A bot that keeps messages in memory opens a database only for plugins that need their tables. */
async function databaseOf(
  { settings, order }: Plan,
  { options, clock, log, env }: Foundation,
  scope: AsyncDisposableStack,
): Promise<OpenDatabase | undefined> {
  if (options.inMemory === true && !order.some(needsDatabase)) return undefined
  const wait = options.idle ? undefined : { clock, log: log.logger, signal: options.signal }
  const postgres = { ...connectionsOf(settings, env), wait }
  return openConfiguredDatabase(settings.database, { clock, log: log.logger, scope, postgres })
}
