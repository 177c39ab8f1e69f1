/** Tables, columns and indexes that the migrations have made and that are gone. */
import { type Diagnosis, ok } from '../diagnosis.ts'
import { type Patient, schemaOf } from '../patient.ts'
import { type Index, readCatalog } from './catalog.ts'

export async function missingParts(patient: Patient): Promise<Diagnosis[]> {
  const { db, owners } = patient
  const [expected, found] = [await patient.expected(), await readCatalog(db, owners.map(schemaOf))]
  const relations = [...expected.relations].filter(name => !found.relations.has(name))
  const columns = [...expected.columns].filter(name => {
    const relation = name.slice(0, name.lastIndexOf('.'))
    return !found.columns.has(name) && !relations.includes(relation)
  })
  const indexes = [...expected.indexes.values()].filter(
    ({ name, table }) => !found.indexes.has(name) && !relations.includes(table),
  )
  const missing: readonly Diagnosis[] = [
    ...relations.map(name => lost(`the table or view ${name} is missing`, name)),
    ...columns.map(name => lost(`the column ${name} is missing`, name.slice(0, name.lastIndexOf('.')))),
    ...indexes.map(index => withoutIndex(patient, index)),
  ]
  if (missing.length > 0) return [...missing]
  return [ok(`tables: ${expected.relations.size} tables and views and ${expected.indexes.size} indexes, none missing`)]
}

function lost(what: string, where: string): Diagnosis {
  return { severity: 'error', what, where, remedy: 'Restore a backup: a program other than the bot has changed the tables.' }
}

function withoutIndex({ db }: Patient, { name, table, definition, isPartitioned }: Index): Diagnosis {
  const isShared = db.kind === 'postgres' && !isPartitioned
  // Of a partitioned table, Postgres gives a definition for its empty parent alone: that index would be invalid.
  const whole = definition.replace(/^(create (?:unique )?index \S+ on) only /i, '$1 ')
  return {
    severity: 'warning',
    what: `the index ${name} is missing: its queries read whole tables`,
    where: table,
    remedy: 'Build it.',
    async fix() {
      await db.query(isShared ? whole.replace(/^create (?:unique )?index/i, '$& concurrently') : whole)
      return `built the index ${name}`
    },
  }
}
