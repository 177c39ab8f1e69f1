/** What plugins find in their own tables. */
import { probe } from '../../check/probe.ts'
import type { Diagnosis } from '../diagnosis.ts'
import { type Patient, ranOf } from '../patient.ts'

export async function byPlugins({ db, plugins }: Patient): Promise<Diagnosis[]> {
  const found: Diagnosis[] = []
  for (const { name, definition } of plugins) {
    if (!definition.examine || (await ranOf(db, name)).size === 0) continue
    const { value, finding } = await probe(name, async () => (await definition.examine?.(db)) ?? [])
    const findings = value?.map(one => ({ ...one, what: `${name}: ${one.what}` })) ?? [finding]
    for (const { what, problem } of findings)
      found.push(problem === undefined ? { severity: 'ok', what } : { severity: 'warning', what, remedy: problem })
  }
  return found
}
