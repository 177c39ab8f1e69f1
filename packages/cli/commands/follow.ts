/** Watches the files of a running bot. A saved change is applied, or the log says what is wrong with it. */
import { type Bot, type Clock, type Logger, sleep } from 'kikimimi'
import type { Reloaded } from 'kikimimi/host'
import { type ProjectFiles, reason } from 'kikimimi/host'
import { withPlaces } from '../config-source/tell.ts'
import { type ReadBot, readBot } from '../read-bot.ts'

export interface FollowOptions {
  readonly file: string
  readonly files: ProjectFiles
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
  /** Receives the bot.config.ts that the bot runs with from now on. */
  applied?(read: ReadBot): void
}

/** The files are polled: the system sends no events for files that are mounted into a container. */
const POLL_MS = 1_000

/** Resolves when the signal aborts and no reload is in progress. */
export async function follow(
  bot: Pick<Bot, 'reload'>,
  { file, files, clock, log, signal, applied }: FollowOptions,
): Promise<void> {
  while (await passes(clock, signal)) {
    if (!(await files.changed())) continue
    try {
      const read = await readBot(file)
      tell(file, await bot.reload(read.config, read.project), log)
      applied?.(read)
    } catch (error) {
      if (signal.aborted) return
      const told = reason(await withPlaces(file, error))
      log.error(`${file} is not applied, and the bot runs on unchanged. Correct it and save it again: ${told}`)
    }
  }
}

function tell(file: string, { started, restarted, stopped, applied, later }: Reloaded, log: Logger): void {
  const happened = Object.entries({ restarted, started, stopped, applied })
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${list.format(names)} ${what}`)
  log.info(`${file}: ${happened.length > 0 ? `${happened.join(', ')}; the rest is unchanged` : 'no change'}`)
  if (later.length > 0) log.warn(`${file}: a change of ${list.format(later)} needs a restart of the bot`)
}

const list = new Intl.ListFormat('en')

async function passes(clock: Clock, signal: AbortSignal): Promise<boolean> {
  await sleep(clock, POLL_MS, signal).catch(() => {})
  return !signal.aborted
}
