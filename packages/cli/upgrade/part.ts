/**
 * The parts of an upgrade that a version does itself, as JSON on standard output. `kikimimi upgrade` of the installed version asks the
 * new one for them, so their form stays the same from release to release.
 */
import { decisionsOn, readRecorded, recordedLines } from '@kikimimi/replay/versions'
import { KikimimiError } from 'kikimimi'
import { planOf } from 'kikimimi/host'
import { backupOf } from '../data/read-backup.ts'
import { restoreInto } from '../data/restore-into.ts'
import { createLog } from '../log.ts'
import { createProgress } from '../progress.ts'
import { readBot } from '../read-bot.ts'
import type { Session } from '../session.ts'
import { factsOf } from './facts.ts'

const RECORDED_DAYS = 7

/**
 * @param part `facts`: see {@link factsOf}; `recorded`: what the bot heard lately; `decisions`: its decisions about a file with that;
 *   `rehearsal`: the rows of a backup that it restores and upgrades in memory
 */
export async function runPart(part: string, file: string | undefined, config: string, session: Session): Promise<void> {
  if (part === 'recorded') {
    await using opened = await session.open(config)
    for await (const line of recordedLines(opened.db, RECORDED_DAYS)) session.stdout.write(`${line}\n`)
    return
  }
  const { config: bot, project } = await readBot(config)
  if (part === 'rehearsal' && file !== undefined) {
    const { rows } = await restoreInto('memory', { bot, project, lines: (await backupOf(file, bot)).read() })
    session.stdout.write(`${JSON.stringify({ rows })}\n`)
    return
  }
  if (part === 'facts') {
    session.stdout.write(`${JSON.stringify(await factsOf(bot))}\n`)
    return
  }
  if (part !== 'decisions' || file === undefined)
    throw new KikimimiError('USAGE', `kikimimi has no part "${part}" of an upgrade.`)
  using progress = createProgress(session.stderr)
  const decided = await decisionsOn(await readRecorded(file), {
    plan: await planOf(bot, project),
    log: createLog('error'),
    progress: channel => progress.show(`decisions in ${channel}`),
  })
  session.stdout.write(`${JSON.stringify(decided)}\n`)
}
