/** Examines a bot, and repairs what is safe to repair. */
import { existsSync } from 'node:fs'
import { KikimimiError } from 'kikimimi'
import { conceal, type DatabaseDeps, type OpenDatabase, openDatabase, type Plan, planOf, reason, secretsOf } from 'kikimimi/host'
import { check } from '../check/check.ts'
import { readBot } from '../read-bot.ts'
import { filesWithData, permissions } from './database/permissions.ts'
import type { Check, Diagnosis } from './diagnosis.ts'
import { HEALTH } from './health.ts'
import { patientOf } from './patient.ts'
import { readSubject } from './security/subject.ts'
import { SECURITY } from './security/table.ts'

export interface DoctorDeps extends DatabaseDeps {
  readonly env: NodeJS.ProcessEnv
  /** Whether to repair. */
  readonly fix: boolean
}

/** A diagnosis with the name of its check, and the result of its repair. */
export interface Entry extends Omit<Diagnosis, 'fix'> {
  readonly check: string
  readonly fixable: boolean
  /** What the repair did. */
  readonly fixed?: string
  /** Why the repair failed. */
  readonly failed?: string
  /** True: this part could not be examined. */
  readonly unexamined?: boolean
}

/** The whole bot: what `kikimimi check` tests, then the files and the database. */
export async function* examine(file: string, deps: DoctorDeps): AsyncGenerator<Entry> {
  const { clock, log, env } = deps
  // One opening for the check and the patient: a data folder takes half a second each time.
  await using scope = new AsyncDisposableStack()
  let opening: Promise<OpenDatabase> | undefined
  const open = async (target: string) => {
    opening ??= openDatabase(target, deps).then(db => scope.adopt(db, opened => opened.close()))
    return opening
  }
  for await (const { what, problem } of check(file, { clock, log, env, lend: async (target, use) => use(await open(target)) }))
    yield problem === undefined
      ? entryOf('check', { severity: 'ok', what })
      : entryOf('check', { severity: 'error', what, remedy: problem })
  let target: string | false
  let plugins: Plan['order']
  try {
    const { config, project } = await readBot(file)
    const plan = await planOf(config, project)
    target = plan.settings.database
    plugins = plan.order
  } catch {
    // The check has said why.
    yield {
      ...entryOf('database', { severity: 'error', what: 'the database was not examined: the configuration is not valid' }),
      unexamined: true,
    }
    return
  }
  const isServer = target !== false && /^postgres(ql)?:/.test(target)
  const folder = target === false || target === 'memory' || isServer || !existsSync(target) ? undefined : target
  yield* examined([{ name: 'rights', run: permissions }], await filesWithData(file, folder), deps)
  if (target === false || (folder === undefined && !isServer)) return
  try {
    const patient = patientOf(await open(target), { target, plugins, deps })
    yield* examined(HEALTH, patient, deps)
  } catch (error) {
    const isInUse = error instanceof KikimimiError && error.code === 'DATABASE_LOCKED'
    const what = `the database was not examined: ${conceal(reason(error), secretsOf(env))}`
    const remedy = isInUse ? 'Stop the bot, and run this again.' : undefined
    yield { ...entryOf('database', { severity: 'error', what, ...(remedy && { remedy }) }), unexamined: true }
  }
}

/** The dangers of the configuration. @throws what `loadConfig` throws */
export async function* examineSecurity(file: string, deps: DoctorDeps): AsyncGenerator<Entry> {
  yield* examined(SECURITY, await readSubject(file, deps), deps)
}

async function* examined<S>(checks: readonly Check<S>[], subject: S, { env, fix }: DoctorDeps): AsyncGenerator<Entry> {
  const secrets = secretsOf(env)
  for (const { name, run } of checks) {
    let found: readonly Diagnosis[]
    try {
      found = await run(subject)
    } catch (error) {
      const what = `${name} not examined: ${conceal(reason(error), secrets)}`
      yield { ...entryOf(name, { severity: 'error', what }), unexamined: true }
      continue
    }
    for (const diagnosis of found) {
      const entry = entryOf(name, diagnosis)
      yield fix && diagnosis.fix ? { ...entry, ...(await repaired(diagnosis.fix, secrets)) } : entry
    }
  }
}

async function repaired(fix: () => Promise<string>, secrets: readonly string[]): Promise<Pick<Entry, 'fixed' | 'failed'>> {
  try {
    return { fixed: await fix() }
  } catch (error) {
    return { failed: conceal(reason(error), secrets) }
  }
}

function entryOf(check: string, { fix, ...diagnosis }: Diagnosis): Entry {
  return { check, ...diagnosis, fixable: fix !== undefined }
}
