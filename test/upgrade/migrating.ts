/**
 * A start with migrations, to be killed: it prints the statements that it is about to run, with a zero byte after each. It does nothing
 * more after a statement with the text of the last argument.
 */

import { writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { systemClock } from 'kikimimi'
import { openDatabase } from '../../core/storage/database/database.ts'
import { migrate } from '../../core/storage/database/migrate.ts'
import { silent } from '../support.ts'

/** Longer than a test. */
const LIFETIME = 1_000_000

const [database = '', folder = '', owner = 'shop', last] = process.argv.slice(2)
const db = await openDatabase(database, { clock: systemClock, log: silent })
const script = db.script.bind(db)
Object.assign(db, {
  script(sql: string) {
    // Synchronously: the embedded database occupies the only thread until it is done.
    writeSync(1, `${sql}\0`)
    const running = script(sql)
    return last !== undefined && sql.includes(last) ? running.then(() => wait(LIFETIME)) : running
  },
})
const ran = await migrate(db, owner, pathToFileURL(folder), systemClock)
writeSync(2, JSON.stringify(ran))
await db.close()
