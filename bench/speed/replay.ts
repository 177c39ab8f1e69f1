/**
 * The speed of a replay of chat logs, the growth of its memory, and whether the same logs give the same counts:
 * `npm run bench:replay -- FILE…`. The bot is that of bot.config.ts, without its models.
 */
import { definePlugin } from 'kikimimi'
import { loadConfig } from '../../core/bot/load-config.ts'
import { fileLog } from '../../packages/replay/logs/chat-log.ts'
import { replay } from '../../packages/replay/replay.ts'
import { type HeapStep, heapStep, machine, progress, round, slope, spread } from '../base/measure.ts'
import { benchLog } from '../base/talk.ts'

const ROUNDS = 3
const STEP = 5_000

const files = process.argv.slice(2).map(fileLog)
if (files.length === 0) {
  progress('Which chat logs? npm run bench:replay -- FILE…')
  process.exit(2)
}

const { config, project } = await loadConfig('bot.config.ts')
const options = { project, seed: 1, log: benchLog }
const speeds: number[] = []
const seen = new Set<string>()
let lines = 0
for (let number = 1; number <= ROUNDS; number++) {
  progress(`replay ${number} of ${ROUNDS}`)
  const start = performance.now()
  const { counts } = await replay(files, { ...options, config })
  lines = counts.messages + counts.context
  speeds.push(Math.round((lines * 1_000) / (performance.now() - start)))
  seen.add(JSON.stringify(counts))
}

progress(`replay with the heap measured every ${STEP} lines`)
const steps: HeapStep[] = []
let heard = 0
const watch = definePlugin({
  name: 'watch-heap',
  setup: () => ({
    filter: () => {
      if (heard++ % STEP === 0) steps.push(heapStep(heard - 1))
    },
  }),
})
await replay(files, { ...options, config: { ...config, plugins: [config.plugins, watch] } })

const results = {
  machine: machine(),
  files: files.length,
  lines,
  linesPerSecond: spread(speeds),
  secondsFor100000: round(100_000 / spread(speeds).median, 1),
  sameCounts: seen.size === 1,
  // The caches fill in the first steps.
  heap: { bytesPerLine: slope(steps.slice(1)), steps },
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
