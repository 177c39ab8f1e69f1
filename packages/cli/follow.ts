/** Follows the files of a bot: what is saved while it runs is taken over, or the log says what is wrong with it. */
import { type Bot, type Clock, type Logger, type Reloaded, sleep } from 'kikimimi'
import { loadConfig, type ProjectFiles, reason } from 'kikimimi/host'

export interface FollowOptions {
  readonly file: string
  readonly files: ProjectFiles
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
}

/** Looked at, and not told of by the system: it tells nothing of files that are mounted into a container. */
const LOOK_MS = 1_000

/** Resolves when the signal aborts and nothing is under way any more. */
export async function follow(bot: Pick<Bot, 'reload'>, { file, files, clock, log, signal }: FollowOptions): Promise<void> {
  while (await passes(clock, signal)) {
    if (!(await files.changed())) continue
    try {
      const { config, project } = await loadConfig(file)
      tell(file, await bot.reload(config, project), log)
    } catch (error) {
      if (signal.aborted) return
      log.error(`${file} is not taken, and the bot goes on as it was. Mend it and save it again: ${reason(error)}`)
    }
  }
}

function tell(file: string, { started, restarted, stopped, applied, later }: Reloaded, log: Logger): void {
  const happened = Object.entries({ restarted, started, stopped, applied })
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${list.format(names)} ${what}`)
  log.info(`${file}: ${happened.length > 0 ? `${happened.join(', ')}; all else goes on` : 'nothing has changed'}`)
  if (later.length > 0) log.warn(`${file}: ${list.format(later)} stays as it was until the bot is started again`)
}

const list = new Intl.ListFormat('en')

async function passes(clock: Clock, signal: AbortSignal): Promise<boolean> {
  await sleep(clock, LOOK_MS, signal).catch(() => {})
  return !signal.aborted
}
