/**
 * The packages from a registry on this machine, as a user gets them: a new bot, three plugins added and removed, a newer kernel, and a kernel that
 * the plugins do not accept. Each step with its time, the size of the bot's packages and its kernels.
 *
 *   npm run bench:registry
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../scripts/command.ts'
import { pack } from '../../scripts/pack.ts'
import { startRegistry } from '../../scripts/release/registry.ts'
import { repacked } from '../../scripts/release/repack.ts'
import { addThree, createBot, meets } from '../../scripts/release/trial.ts'
import { bumped } from '../../scripts/release/versions.ts'
import { machine, progress } from '../base/measure.ts'

await using scope = new AsyncDisposableStack()
const folder = scope.adopt(await mkdtemp(join(tmpdir(), 'kikimimi-registry-bench-')), path =>
  rm(path, { recursive: true, maxRetries: 3 }),
)
progress('pack')
const begun = performance.now()
const packages = await pack(join(folder, 'packages'))
const seconds = Math.round((performance.now() - begun) / 1_000)
const registry = scope.use(await startRegistry())
progress('publish')
for (const { file } of packages) await registry.publish(file)

progress('a new bot')
const bot = await createBot(folder, registry)
await meets(bot, 'new bot')
const config = () => readFile(join(bot.folder, 'bot.config.ts'), 'utf8')
const before = await config()
await addThree(bot)
await meets(bot, 'with them')

progress('a plugin is found and removed')
const found = await bot.kikimimi('search', 'telegram')
if (!found.includes(`@kikimimi/telegram`) || !found.includes('  fits'))
  throw new Error(`The search does not find telegram:\n${found}`)
for (const name of ['backup', 'promises', 'digest']) await bot.remove(name)
if ((await config()) !== before) throw new Error(`bot.config.ts is another one afterwards:\n${await config()}`)

progress('newer kernels')
await addThree(bot)
const { version } = JSON.parse(await readFile(join(bot.folder, 'node_modules/kikimimi/package.json'), 'utf8'))
const [patch, breaking] = [bumped(version, 'patch'), bumped(version, version.startsWith('0.') ? 'minor' : 'major')]
const tarballs = packages.map(({ file }) => file)
// A release has all packages: the kernel depends on exactly its own of some of them.
const withVersion = (other: string) => repacked(tarballs, join(folder, other), other, { asks: version })
for (const file of await withVersion(patch)) await registry.publish(file)
await bot.install(`kernel ${patch}`, `kikimimi@${patch}`)
await meets(bot, `plugins of ${version} on kernel ${patch}`)
for (const file of await withVersion(breaking)) await registry.publish(file, 'next')
const { code, err } = await run(bot.folder, 'npm', ['install', `kikimimi@${breaking}`, '--loglevel=error'], registry)
if (code === 0) throw new Error(`npm accepts kernel ${breaking} beside plugins of ${version}.`)

const wrong = bot.steps.filter(({ kernels }) => kernels !== 1)
if (wrong.length > 0) process.exitCode = 1
const refused = err.match(/peer kikimimi@.*/)?.[0] ?? err
process.stdout.write(`${JSON.stringify({ machine: machine(), pack: seconds, steps: bot.steps, refused, wrong }, null, 2)}\n`)
