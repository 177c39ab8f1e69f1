/** `kikimimi check`. */
import { systemClock } from 'kikimimi'
import { check } from '../check/check.ts'
import { createLog } from '../log.ts'
import { outputOf } from '../output.ts'
import type { CommonOptions } from '../program.ts'

/** Prints one line for each finding. The exit code is 1 if there is a problem; a warning is none. */
export async function runCheck({ config, json }: CommonOptions): Promise<void> {
  const { print } = outputOf(json)
  for await (const { what, problem, warning = false } of check(config, {
    clock: systemClock,
    log: createLog('error'),
    env: process.env,
  })) {
    const isOk = problem === undefined
    if (json) print(JSON.stringify({ ok: isOk, what, ...(warning && { warning }), ...(!isOk && { problem }) }))
    else print(isOk ? `${warning ? ' !' : 'ok'} ${what}` : `!! ${what}: ${problem}`)
    if (problem !== undefined) process.exitCode = 1
  }
}
