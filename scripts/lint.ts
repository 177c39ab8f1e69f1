/**
 * `npm run lint`: Biome with the arguments given, such as `--write`, then the layers, public names, regular expressions, released files, the
 * limits of the kernel, and who reads the log of messages.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const checks = [
  [fileOf('../node_modules/@biomejs/biome/bin/biome'), 'check', ...process.argv.slice(2)],
  [fileOf('./layers.ts')],
  [fileOf('./public-names.ts')],
  [fileOf('./regexps.ts')],
  [fileOf('./release/frozen.ts')],
  [fileOf('./limits.ts')],
  [fileOf('./log-readers.ts')],
]
const codes = checks.map(args => spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1)
process.exitCode = Math.max(...codes)
