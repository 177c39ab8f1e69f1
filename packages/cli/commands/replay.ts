/** `kikimimi replay`. */
import { type ReplayValues, runReplay } from '@kikimimi/replay'
import { createLog } from '../log.ts'
import type { CommonOptions } from '../program.ts'
import { createProgress } from '../progress.ts'
import { readBot } from '../read-bot.ts'

/** @throws USAGE for an invalid option, LOG_FILE_INVALID for a file that is no chat log and no export */
export async function replayFiles(files: readonly string[], options: CommonOptions & ReplayValues): Promise<void> {
  const started = performance.now()
  const report: string[] = []
  {
    using progress = createProgress()
    await runReplay(files, await readBot(options.config), options, {
      log: createLog('error'),
      print: text => void report.push(text),
      tell: text => void process.stderr.write(`${text}\n`),
      progress: progress.show,
    })
  }
  process.stdout.write(report.join(''))
  // On standard error: the counts on standard output are the same every time.
  process.stderr.write(`replayed in ${((performance.now() - started) / 1_000).toFixed(1)} s\n`)
}
