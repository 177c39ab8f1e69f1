import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let root: string

/** A repository with one dependency, and an npm that records its calls instead of using a registry. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kikimimi-run-'))
  for (const folder of ['scripts', 'packages/cli', 'bin', 'elsewhere']) mkdirSync(join(root, folder), { recursive: true })
  cpSync(fileURLToPath(new URL('run.mjs', import.meta.url)), join(root, 'scripts/run.mjs'))
  write('package.json', JSON.stringify({ kikimimi: { node: '24.0.0' } }))
  lock('1.0.0')
  write('bin/npm', '#!/bin/sh\necho "$@" >> npm-calls\ncat > npm-input\n. ./npm-does\n')
  chmodSync(join(root, 'bin/npm'), 0o755)
  write('npm-does', 'mkdir -p node_modules; cp package-lock.json node_modules/.package-lock.json')
  write('echo.mjs', 'process.stdin.pipe(process.stdout); console.log(JSON.stringify(process.argv.slice(2)))')
  write('packages/cli/cli.ts', "console.log(process.env.FROM_FILE ?? 'not loaded')")
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

test('the container starts the bot with the flags of package.json', () => {
  const { kikimimi } = JSON.parse(read('package.json'))
  expect(read('Dockerfile')).toMatch(
    /ln -s \/app\/packages\/cli\/bin\.ts \/usr\/local\/bin\/kikimimi .*^CMD \["kikimimi", "start"\]$/ms,
  )
  const [, flags = ''] = /^const FLAGS = \[(.*?)\]$/ms.exec(read('packages/cli/bin.ts')) ?? []
  expect(Array.from(flags.matchAll(/'(.*?)'/g), ([, flag]) => flag)).toEqual(kikimimi.flags)
})

describe('with everything installed', () => {
  beforeEach(() => {
    mkdirSync(join(root, 'node_modules'))
    cpSync(join(root, 'package-lock.json'), join(root, 'node_modules/.package-lock.json'))
  })

  test('the script gets its arguments and its input, and npm does not run', async () => {
    expect(await start(['echo.mjs', 'a', 'b c', '--d'], { input: 'hello' })).toMatchObject({
      code: 0,
      out: '["a","b c","--d"]\nhello',
      err: '',
    })
    expect(npmCalls()).toEqual([])
  })

  test.each([
    ['process.exit(3)', 3],
    ["process.kill(process.pid, 'SIGKILL')", 137],
    ["process.kill(process.pid, 'SIGTERM')", 143],
  ])('%s ends it with %i', async (code, expected) => {
    write('end.mjs', `setInterval(() => {}, 1_000)\n${code}`)
    expect(await start(['end.mjs'])).toMatchObject({ code: expected })
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s is passed on once, and the script ends in its own time',
    async signal => {
      write(
        'slow.mjs',
        `process.on('${signal}', () => { console.log('asked'); setTimeout(() => process.exit(7), 100) })
      setInterval(() => {}, 1_000)
      console.log('ready')`,
      )
      const running = launch(['slow.mjs'])
      running.stdout.once('data', () => running.kill(signal))
      expect(await end(running)).toMatchObject({ code: 7, out: 'ready\nasked\n' })
    },
  )

  test('the command line reads the .env of the current folder', async () => {
    expect(await start(['packages/cli/cli.ts'])).toMatchObject({ out: 'not loaded\n', err: '' })
    write('.env', 'FROM_FILE=loaded')
    expect(await start(['packages/cli/cli.ts'])).toMatchObject({ out: 'loaded\n' })
    expect(await start(['packages/cli/cli.ts'], { cwd: 'elsewhere' })).toMatchObject({ out: 'not loaded\n' })
  })

  test('a new lock file is installed', async () => {
    lock('1.0.1')
    await start(['echo.mjs'])
    await start(['echo.mjs'])
    expect(npmCalls()).toHaveLength(1)
  })
})

describe('on a machine without packages', () => {
  test('npm installs first, without using standard input and output', async () => {
    write('npm-does', 'echo noise; mkdir -p node_modules; cp package-lock.json node_modules/.package-lock.json')
    const { code, out, err } = await start(['echo.mjs'], { input: 'hello', cwd: 'elsewhere' })
    expect({ code, out }).toEqual({ code: 0, out: '[]\nhello' })
    expect(err).toBe('kikimimi: installing the packages of package-lock.json; the first time this takes about a minute\n')
    expect(readFileSync(join(root, 'npm-input'), 'utf8')).toBe('')
  })

  test('parallel starts install once', async () => {
    write('npm-does', 'sleep 0.5; mkdir -p node_modules; cp package-lock.json node_modules/.package-lock.json')
    const starts = await Promise.all(['1', '2', '3'].map(name => start(['echo.mjs', name])))
    expect(starts.map(({ out }) => out)).toEqual(['["1"]\n', '["2"]\n', '["3"]\n'])
    expect(npmCalls()).toHaveLength(1)
    expect(readdirSync(join(root, '.cache'))).toEqual([])
  })

  test('a failed install prints the error of npm, and the next start repairs it', async () => {
    const works = readFileSync(join(root, 'npm-does'), 'utf8')
    write('npm-does', 'mkdir -p node_modules/half; echo "no route to the registry" >&2; exit 1')
    const { code, out, err } = await start(['echo.mjs'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/no route to the registry\nkikimimi: npm ci failed \(1\)\. Fix the npm error above and start again\.\n$/)
    write('npm-does', works)
    expect(await start(['echo.mjs'])).toMatchObject({ code: 0, out: '[]\n' })
  })

  test('a stop during the install ends it, and nothing is started', async () => {
    write('npm-does', 'touch installing; exec sleep 60')
    const running = launch(['echo.mjs'])
    await expect.poll(() => existsSync(join(root, 'installing'))).toBe(true)
    running.kill('SIGTERM')
    expect(await end(running)).toMatchObject({ code: 143, out: '' })
    expect(readdirSync(join(root, '.cache'))).toEqual([])
  })

  test('the lock of a dead start is taken over, once', async () => {
    const old = join(root, '.cache/setup.lock/AbCdEf')
    mkdirSync(join(old, '..'), { recursive: true })
    writeFileSync(old, '')
    utimesSync(old, 0, 0)
    await Promise.all([start(['echo.mjs']), start(['echo.mjs']), start(['echo.mjs'])])
    expect(npmCalls()).toHaveLength(1)
  })
})

function lock(version: string): void {
  write(
    'package-lock.json',
    JSON.stringify({ packages: { '': {}, 'node_modules/one': { version, integrity: `sha512-${version}` } } }),
  )
}

function write(path: string, content: string): void {
  writeFileSync(join(root, path), content)
}

function npmCalls(): string[] {
  const calls = join(root, 'npm-calls')
  return existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []
}

function launch(args: string[], cwd = '.'): ChildProcessWithoutNullStreams {
  const env = { ...process.env, PATH: join(root, 'bin') + delimiter + process.env.PATH }
  return spawn(process.execPath, [join(root, 'scripts/run.mjs'), ...args], { cwd: join(root, cwd), env })
}

async function end(running: ChildProcessWithoutNullStreams): Promise<{ code: number | null; out: string; err: string }> {
  const closed = new Promise<number | null>(resolve => running.once('close', resolve))
  const [code, out, err] = await Promise.all([closed, text(running.stdout), text(running.stderr)])
  return { code, out, err }
}

function start(args: string[], { input = '', cwd = '.' } = {}): ReturnType<typeof end> {
  const running = launch(args, cwd)
  running.stdin.end(input)
  return end(running)
}

/** A file of this repository. */
function read(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8')
}
