/** `kikimimi doctor`, `kikimimi doctor security`, `kikimimi doctor dead-letters`. */
import { systemClock } from 'kikimimi'
import { deadLettersIn, replayDeadLetters as replayIn } from 'kikimimi/host'
import { toldTime } from '../doctor/database/late.ts'
import { counted } from '../doctor/diagnosis.ts'
import { type Entry, examine, examineSecurity } from '../doctor/doctor.ts'
import { createLog } from '../log.ts'
import { outputOf } from '../output.ts'
import type { CommonOptions } from '../program.ts'
import type { Session } from '../session.ts'

interface DoctorOptions extends CommonOptions {
  readonly fix?: boolean
  readonly replay?: string
}

/** @throws what the configuration throws */
export async function runDoctor(subject: string | undefined, options: DoctorOptions, session: Session): Promise<void> {
  if (subject === 'dead-letters')
    return options.replay === undefined ? listDeadLetters(options, session) : replayDeadLetters(options, session)
  const deps = { clock: systemClock, log: createLog('error'), env: process.env, fix: options.fix ?? false }
  await show(subject === 'security' ? examineSecurity(options.config, deps) : examine(options.config, deps), options)
}

const MARKS = { ok: 'ok', warning: ' !', error: '!!' } as const

/** Exit code: 0 nothing is wrong, or all is repaired; 1 something is wrong; 2 something could not be examined. */
async function show(entries: AsyncIterable<Entry>, { json, fix }: DoctorOptions): Promise<void> {
  const { print } = outputOf(json)
  const wrong: Entry[] = []
  for await (const entry of entries) {
    if (entry.severity !== 'ok') wrong.push(entry)
    if (json) print(JSON.stringify(entry))
    else for (const line of linesOf(entry, fix)) print(line)
  }
  const left = wrong.filter(({ fixed }) => fixed === undefined)
  process.exitCode = left.some(({ unexamined }) => unexamined) ? 2 : left.length > 0 ? 1 : 0
  if (!json) print(`\n${summaryOf(wrong, left, fix)}`)
}

function linesOf({ severity, what, where, remedy, fixable, fixed, failed }: Entry, fix = false): readonly string[] {
  const place = where === undefined ? '' : ` (${where})`
  const canFix = fixable && !fix ? ' `--fix` does it.' : ''
  return [
    `${MARKS[severity]} ${what}${place}`,
    ...(fixed === undefined && remedy !== undefined ? [`   ${remedy}${canFix}`] : []),
    ...(fixed === undefined ? [] : [`   Repaired: ${fixed}.`]),
    ...(failed === undefined ? [] : [`   Not repaired: ${failed}`]),
  ]
}

function summaryOf(wrong: readonly Entry[], left: readonly Entry[], fix = false): string {
  if (wrong.length === 0) return 'Nothing is wrong.'
  const errors = left.filter(({ severity }) => severity === 'error').length
  const parts = [errors > 0 && counted(errors, 'error'), left.length > errors && counted(left.length - errors, 'warning')]
  const rest = left.length === 0 ? 'Nothing else is wrong.' : `${parts.filter(Boolean).join(' and ')}${fix ? ' left' : ''}.`
  const fixable = left.filter(({ fixable }) => fixable).length
  if (fix) return `${counted(wrong.length - left.length, 'repair')}. ${rest}`
  const which = left.length === 1 ? 'it' : fixable === left.length ? 'all' : `${fixable} of them`
  return fixable === 0 ? rest : `${rest} \`--fix\` repairs ${which}.`
}

async function listDeadLetters({ config, json }: DoctorOptions, session: Session): Promise<void> {
  const { print } = outputOf(json, session.stdout)
  await using opened = await session.open(config)
  const letters = await deadLettersIn(opened.db)
  if (letters.length === 0 && !json) print('There is no dead letter.')
  for (const { id, kind, key, failedAt, why } of letters) {
    if (json) print(JSON.stringify({ id, kind, key, failedAt, why }))
    else print(`${id}  ${toldTime(failedAt)}  ${kind}${key && ` ${key}`}: ${why}`)
  }
  if (letters.length > 0) session.end(1)
  if (letters.length > 0 && !json)
    print('\nRemove the cause, then run: kikimimi doctor dead-letters --replay ID, or --replay all')
}

async function replayDeadLetters({ config, json, replay: which = '' }: DoctorOptions, session: Session): Promise<void> {
  const { print } = outputOf(json, session.stdout)
  await using opened = await session.open(config)
  const replayed = await replayIn(opened.db, which)
  for (const { id, kind, key, isBack } of replayed) {
    const what = isBack ? 'is in the queue again' : 'stays a dead letter: a newer job of its key waits already'
    print(json ? JSON.stringify({ id, kind, key, replayed: isBack }) : `${id}  ${kind}${key && ` ${key}`}  ${what}`)
  }
  if (!json)
    print(
      replayed.length === 0
        ? 'There is no dead letter.'
        : '\nA running bot takes them within seconds, another one when it starts.',
    )
}
