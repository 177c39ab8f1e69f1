/** Indexes that an interrupted `create index concurrently` has left. Queries do not use them, and every write keeps them up to date. */
import { counted, type Diagnosis, ok } from '../diagnosis.ts'
import { type Patient, schemaOf } from '../patient.ts'
import { quoted, readIndexes } from './catalog.ts'

export async function invalidIndexes(patient: Patient): Promise<Diagnosis[]> {
  const { db, owners } = patient
  const all = await readIndexes(db, [...owners.map(schemaOf), 'pgboss'])
  const invalid = all.filter(({ isValid }) => !isValid)
  if (invalid.length === 0) return [ok(`indexes: ${counted(all.length, 'index', 'indexes')}, all valid`)]
  // The migrations say which index belongs to the bot. One of the queue is never superfluous.
  const { indexes } = await patient.expected()
  const concurrently = db.kind === 'postgres' ? ' concurrently' : ''
  return invalid.map(({ name, table, isPartition }) => {
    const isOurs = indexes.has(name) || isPartition || (name.startsWith('pgboss.') && !/_cc(?:new|old)\d*$/.test(name))
    return {
      severity: 'warning',
      what: `the index ${name} is invalid: its build was interrupted, and queries do not use it`,
      where: table,
      remedy: isOurs ? 'Build it again.' : 'Drop it: no migration makes it.',
      async fix() {
        await db.query(`${isOurs ? 'reindex' : 'drop'} index${concurrently} ${quoted(name)}`)
        return isOurs ? `built the index ${name} again` : `dropped the index ${name}`
      },
    }
  })
}
