/** `kikimimi check`. */
import { systemClock } from 'kikimimi'
import { check } from '../check/check.ts'
import { createLog } from '../log.ts'
import { outputOf } from '../output.ts'
import type { CommonOptions } from '../program.ts'

/** Prints one line for each finding. The exit code is 1 if there is a problem. */
export async function runCheck({ config, json }: CommonOptions): Promise<void> {
  const { print } = outputOf(json)
  for await (const { what, problem } of check(config, { clock: systemClock, log: createLog('error'), env: process.env })) {
    if (json) print(JSON.stringify({ ok: problem === undefined, what, ...(problem !== undefined && { problem }) }))
    else print(problem === undefined ? `ok ${what}` : `!! ${what}: ${problem}`)
    if (problem !== undefined) process.exitCode = 1
  }
}
