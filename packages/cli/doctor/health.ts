/** The checks of the database, in the order in which one can need the repair of another. */

import { deadLetters } from './database/dead-letters.ts'
import { hangingDeliveries } from './database/deliveries.ts'
import { invalidIndexes } from './database/invalid-indexes.ts'
import { stuckJobs } from './database/jobs.ts'
import { missingParts } from './database/missing-parts.ts'
import { orphans } from './database/orphans.ts'
import { byPlugins } from './database/plugins.ts'
import { clockDifference, space, versions } from './database/server.ts'
import { unfinishedUpgrade } from './database/upgrade.ts'
import type { Check } from './diagnosis.ts'
import { type Patient, ranOf } from './patient.ts'

/** A new check of the database is a file in `database/`, and a line here. */
export const HEALTH: readonly Check<Patient>[] = [
  { name: 'versions', run: versions },
  { name: 'clock', run: clockDifference },
  { name: 'space', run: space },
  { name: 'upgrade', run: unfinishedUpgrade },
  { name: 'tables', run: withTables(missingParts) },
  { name: 'indexes', run: invalidIndexes },
  { name: 'rows', run: withTables(orphans) },
  { name: 'jobs', run: stuckJobs },
  { name: 'dead-letters', run: deadLetters },
  { name: 'deliveries', run: withTables(hangingDeliveries) },
  { name: 'plugins', run: byPlugins },
]

/** Of a database without tables there is nothing to say. */
function withTables(run: Check<Patient>['run']): Check<Patient>['run'] {
  return async patient => ((await ranOf(patient.db, 'kikimimi')).size === 0 ? [] : run(patient))
}
