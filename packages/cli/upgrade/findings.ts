/** What `kikimimi check` of the version in a folder finds. */
import type { Finding } from 'kikimimi'
import { kikimimiIn, refused } from './packages.ts'

/** @throws UPGRADE_REFUSED if the check itself fails */
export async function checked(folder: string, config: string): Promise<readonly Finding[]> {
  const { out, err } = await kikimimiIn(folder, ['check', '--json', '--config', config])
  const findings = out.split('\n').filter(line => line.startsWith('{"ok":'))
  if (findings.length === 0) throw refused(`kikimimi check failed:\n${err.trim()}`)
  return findings.map(line => JSON.parse(line))
}

export function lineOf({ what, problem, warning }: Finding): string {
  return problem === undefined ? `${warning ? ' !' : 'ok'} ${what}` : `!! ${what}: ${problem}`
}
