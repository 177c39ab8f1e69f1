/** The steps of the migrations: those to come, and those that this version does not know. */
import { migrate, pendingMigrations, reason } from 'kikimimi/host'
import { counted, type Diagnosis, ok } from '../diagnosis.ts'
import { type Owner, type Patient, ranOf } from '../patient.ts'

export async function unfinishedUpgrade(patient: Patient): Promise<Diagnosis[]> {
  const { db, owners } = patient
  if ((await ranOf(db, 'kikimimi')).size === 0) return [ok('upgrade: the next start makes the tables')]
  const found: Diagnosis[] = []
  for (const owner of owners) found.push(...(await stepsOf(patient, owner)))
  return found.length > 0 ? found : [ok(`upgrade: every step of ${counted(owners.length, 'owner')} of tables has run`)]
}

async function stepsOf({ db, clock }: Patient, { name, migrations }: Owner): Promise<Diagnosis[]> {
  const ran = await ranOf(db, name)
  try {
    const pending = await pendingMigrations(db, name, migrations)
    if (pending.length === 0) return []
    return [
      {
        severity: 'warning',
        what: `the upgrade of ${name} is not finished: ${ran.size} of ${ran.size + pending.length} steps have run, the next one is ${pending[0]}`,
        where: 'kikimimi.migration',
        remedy: 'Run the steps: the next start does it too.',
        async fix() {
          const done = await migrate(db, name, migrations, clock)
          return `ran ${counted(done.length, 'step')} of ${name}: ${done.join(', ')}`
        },
      },
    ]
  } catch (error) {
    return [
      {
        severity: 'error',
        what: reason(error),
        where: 'kikimimi.migration',
        remedy: 'Take the version that fits this database.',
      },
    ]
  }
}
