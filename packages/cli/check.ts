/** `kikimimi check`. */

import { systemClock } from 'kikimimi'
import type { Values } from './args.ts'
import { check } from './check/check.ts'
import { createLog } from './log.ts'
import { outputOf } from './plugin-command.ts'

export async function runCheck({ config, json }: Values): Promise<void> {
  const { print } = outputOf(json)
  for await (const { what, problem } of check(config, { clock: systemClock, log: createLog('error'), env: process.env })) {
    if (json) print(JSON.stringify({ ok: problem === undefined, what, ...(problem !== undefined && { problem }) }))
    else print(problem === undefined ? `ok ${what}` : `!! ${what}: ${problem}`)
    if (problem !== undefined) process.exitCode = 1
  }
}
