/** A start with migrations, to be killed: it prints the statements that it is about to run, with a zero byte after each. */

import { writeSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { systemClock } from 'kikimimi'
import { openDatabase } from '../../core/storage/database/database.ts'
import { migrate } from '../../core/storage/database/migrate.ts'
import { silent } from '../support.ts'

const [database = '', folder = '', owner = 'shop'] = process.argv.slice(2)
const db = await openDatabase(database, { clock: systemClock, log: silent })
const script = db.script.bind(db)
Object.assign(db, {
  script(sql: string) {
    // Synchronously: the embedded database occupies the only thread until it is done.
    writeSync(1, `${sql}\0`)
    return script(sql)
  },
})
const ran = await migrate(db, owner, pathToFileURL(folder), systemClock)
writeSync(2, JSON.stringify(ran))
await db.close()
