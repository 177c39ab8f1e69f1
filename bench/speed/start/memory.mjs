// Imported by a bot that is measured: on SIGUSR2 it writes what memory the process takes to MEMORY_FILE.
import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

process.on('SIGUSR2', () => {
  const { rss } = process.memoryUsage()
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed } = process.memoryUsage()
  writeFileSync(process.env.MEMORY_FILE ?? '', `${JSON.stringify({ rss, heapUsed })}\n`)
})
