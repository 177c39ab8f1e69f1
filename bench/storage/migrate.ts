/** Upgrades a database, as a start of the bot does: `node scripts/run.mjs bench/storage/migrate.ts URL`. */
import { systemClock } from 'kikimimi'
import { openDatabase } from '../../core/storage/database/database.ts'
import { migrate } from '../../core/storage/database/migrate.ts'
import { KERNEL_MIGRATIONS } from '../../core/storage/kernel-migrations.ts'
import { benchLog } from '../base/talk.ts'

const db = await openDatabase(process.argv[2] ?? '', { clock: systemClock, log: benchLog })
const start = performance.now()
const ran = await migrate(db, 'kikimimi', KERNEL_MIGRATIONS, systemClock)
process.stdout.write(`${JSON.stringify({ ran, seconds: Math.round((performance.now() - start) / 100) / 10 })}\n`)
await db.close()
