/** Commands beside a running bot whose data is a folder. The bot is a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { called, cli, type Ended } from '../testing/command.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

let home: string
beforeAll(async () => {
  // Inside the workspace, so that a config there finds the packages.
  await mkdir(join(root, '.cache'), { recursive: true })
  home = await mkdtemp(join(root, '.cache/beside-'))
})
afterAll(() => rm(home, { recursive: true }))

const running = new Set<ChildProcess>()
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  running.clear()
})

async function folderOf(name: string): Promise<string> {
  const folder = join(home, name)
  await mkdir(folder, { recursive: true })
  await writeFile(
    join(folder, 'bot.config.ts'),
    `import facts from '@kikimimi/facts'
     import remember from '@kikimimi/remember'
     import reply from '@kikimimi/reply'
     import terminal from '@kikimimi/terminal'
     import addressing from '@kikimimi/addressing'
     import judgeRules from '@kikimimi/judge-rules'
     import { defineBot } from 'kikimimi'
     export default defineBot({
       persona: { name: 'kiki' },
       database: './data',
       plugins: [terminal(), addressing(), judgeRules(), remember(), facts(), reply()],
     })`,
  )
  return folder
}

interface Running {
  readonly child: ChildProcess
  say(line: string): void
  /** Waits for a text on standard output or in the log. */
  until(text: string): Promise<void>
  stop(): Promise<number | null>
}

async function start(cwd: string): Promise<Running> {
  const child = spawn(process.execPath, [...cli, 'start'], {
    cwd,
    env: { ...process.env, LOG_LEVEL: 'info', LOG_FORMAT: 'json' },
  })
  running.add(child)
  let heard = ''
  const waiting = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', chunk => {
      heard += chunk
      for (const wake of waiting) wake()
    })
  }
  const until = async (text: string) => {
    while (!heard.includes(text)) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.add(resolve)
      await promise
    }
  }
  await until('"listening"')
  return {
    child,
    until,
    say: line => void child.stdin.write(`${line}\n`),
    async stop() {
      child.kill('SIGTERM')
      const [code] = await once(child, 'exit')
      running.delete(child)
      return code
    },
  }
}

const run = (cwd: string, ...args: string[]): Promise<Ended> => called(args, { cwd })

describe('beside a running bot with a data folder', () => {
  it('every command reads and changes the data, and the bot runs on', async () => {
    const folder = await folderOf('every')
    const bot = await start(folder)
    bot.say('alice: my cat is called Tama')
    bot.say('alice: @kiki remember that the spare key is under the blue pot')
    await bot.until('remember that.')

    const socket = await stat(join(folder, 'data.sock'))
    expect(socket.isSocket()).toBe(true)
    expect(socket.mode & 0o777).toBe(0o600)

    expect(await run(folder, 'why')).toMatchObject({ code: 0, err: '', out: expect.stringContaining('mentions the bot') })
    expect(await run(folder, 'why', 'no-such')).toMatchObject({ code: 2, err: expect.stringContaining('No turn has processed') })
    expect((await run(folder, 'facts', 'list')).out).toContain('under the blue pot')
    expect(await run(folder, 'facts', 'dance')).toMatchObject({ code: 2, err: expect.stringContaining('kikimimi facts list') })
    expect((await run(folder, 'explain', '--channel', 'terminal', '--json')).out).toContain('"plugin":"judge-rules"')
    expect((await run(folder, 'export')).out).toContain('my cat is called Tama')
    expect((await run(folder, 'export', 'kept')).out).toContain('Exported')
    expect(existsSync(join(folder, 'kept/README.md'))).toBe(true)
    expect((await run(folder, 'backup', 'now.backup')).out).toContain('Backed up')
    expect((await stat(join(folder, 'now.backup'))).mode & 0o777).toBe(0o600)
    expect(await run(folder, 'backup', 'now.backup')).toMatchObject({ code: 1, err: expect.stringContaining('exists already') })
    expect(await run(folder, 'drill', 'now.backup')).toMatchObject({
      code: 0,
      out: expect.stringContaining('checksums of all tables agree'),
    })
    expect((await run(folder, 'forget', 'alice')).out).toContain('Deleted the data of terminal:alice')
    expect((await run(folder, 'facts', 'list')).out).not.toContain('blue pot')

    bot.say('bob: @kiki hello')
    await bot.until('kiki: ')
    expect(await bot.stop()).toBe(0)
    expect(existsSync(join(folder, 'data.sock'))).toBe(false)
    // Without a bot the same command opens the data itself.
    expect((await run(folder, 'export')).out).toContain('@kiki hello')
  })

  it('a backup to standard output is complete although messages arrive, and its slow reader does not hold up the bot', async () => {
    const folder = await folderOf('stream')
    const bot = await start(folder)
    let sent = 0
    const timer = setInterval(() => bot.say(`alice: message number ${++sent} about trains, tea and the weather of the day`), 50)
    try {
      let heard = ''
      while (!heard.includes('message number 60 ')) heard = (await run(folder, 'export')).out
      const child = spawn(process.execPath, [...cli, 'backup', '--stdout'], { cwd: folder })
      child.stdout.pause()
      // Nothing is read, and the bot answers.
      bot.say('bob: @kiki remember that the reader is slow')
      await bot.until('remember that.')
      const [bytes, code] = await Promise.all([buffer(child.stdout), once(child, 'exit')])
      expect(code[0]).toBe(0)
      await writeFile(join(folder, 'live.backup'), bytes)
    } finally {
      clearInterval(timer)
    }
    expect(await bot.stop()).toBe(0)
    const { code, out } = await run(folder, 'drill', 'live.backup', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out).rows).toBeGreaterThan(60)
    const other = await folderOf('stream-restored')
    expect(await run(other, 'restore', join(folder, 'live.backup'))).toMatchObject({ code: 0, err: '' })
    const numbers = [...(await run(other, 'export')).out.matchAll(/message number (\d+)/g)].map(([, number]) => Number(number))
    // One moment: all messages up to a number, and none after it.
    expect(numbers).toEqual(numbers.map((_, at) => at + 1))
    expect(numbers.length).toBeGreaterThanOrEqual(60)
  })

  it('finds the right bot of two, and the socket of a folder with a long path', async () => {
    const deep = await folderOf(`long-${'path-'.repeat(30)}`)
    const other = await folderOf('other')
    const [one, two] = [await start(deep), await start(other)]
    expect(Buffer.byteLength(join(deep, 'data.sock'))).toBeGreaterThan(107)
    for (const [bot, who] of [
      [one, 'deborah'],
      [two, 'oscar'],
    ] as const) {
      bot.say(`${who}: @kiki hello`)
      await bot.until('kiki: ')
    }
    expect((await run(deep, 'export')).out).toContain('deborah')
    expect((await run(other, 'export')).out).toContain('oscar')
    // The same folder by another path.
    await symlink(deep, join(home, 'link'))
    expect((await run(join(home, 'link'), 'export')).out).toContain('deborah')
    await Promise.all([one.stop(), two.stop()])
    expect(existsSync(join(deep, 'data.sock'))).toBe(false)
  })

  it('the socket that a killed bot left behind stands in no one’s way', async () => {
    const folder = await folderOf('killed')
    const bot = await start(folder)
    bot.say('alice: @kiki hello')
    await bot.until('kiki: ')
    bot.child.kill('SIGKILL')
    await once(bot.child, 'exit')
    expect(existsSync(join(folder, 'data.sock'))).toBe(true)
    expect((await run(folder, 'export')).out).toContain('@kiki hello')
    const again = await start(folder)
    expect((await run(folder, 'export')).out).toContain('@kiki hello')
    expect(await again.stop()).toBe(0)
  })

  it('dead letters are listed and replayed, and the running bot takes them', async () => {
    const folder = await folderOf('dead-letters')
    await writeFile(
      join(folder, 'bot.config.ts'),
      `import { existsSync } from 'node:fs'
       import reply from '@kikimimi/reply'
       import terminal from '@kikimimi/terminal'
       import addressing from '@kikimimi/addressing'
       import judgeRules from '@kikimimi/judge-rules'
       import { defineBot, definePlugin } from 'kikimimi'
       const printer = definePlugin({
         name: 'printer',
         setup(ctx) {
           const job = ctx.job('report', async () => {
             if (!existsSync('paper')) throw new Error('the printer is out of paper')
             ctx.log.info('printed the report')
           }, { retries: 0 })
           return { after: ({ addressed }) => addressed && job.schedule({}, { key: 'daily' }) }
         },
       })
       export default defineBot({
         persona: { name: 'kiki' },
         database: './data',
         plugins: [terminal(), addressing(), judgeRules(), reply(), printer()],
       })`,
    )
    const bot = await start(folder)
    expect(await run(folder, 'doctor', 'dead-letters')).toMatchObject({ code: 0, out: 'There is no dead letter.\n' })
    bot.say('alice: @kiki hello')
    await bot.until('the printer is out of paper')
    const listed = await run(folder, 'doctor', 'dead-letters')
    expect(listed).toMatchObject({
      code: 1,
      err: '',
      out: expect.stringMatching(/^[\da-f-]{36} {2}20.* UTC {2}\S*report daily: Error/),
    })
    expect(await run(folder, 'doctor', 'dead-letters', '--replay', 'ffff-none')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^No dead letter has the id ffff-none/),
    })
    await writeFile(join(folder, 'paper'), '')
    expect(await run(folder, 'doctor', 'dead-letters', '--replay', listed.out.slice(0, 36))).toMatchObject({
      code: 0,
      out: expect.stringMatching(/report daily {2}is in the queue again/),
    })
    await bot.until('printed the report')
    expect(await run(folder, 'doctor', 'dead-letters')).toMatchObject({ code: 0, out: 'There is no dead letter.\n' })
    expect(await bot.stop()).toBe(0)
  })

  it('what is no command is refused, and a command that is given up is cancelled', async () => {
    const folder = await folderOf('refused')
    const bot = await start(folder)
    const path = join(folder, 'data.sock')
    for (const said of ['hello\n', `${JSON.stringify({ version: 99, args: ['why'] })}\n`]) {
      const socket = createConnection(path)
      socket.end(said)
      expect(await text(socket)).toContain('another version of kikimimi')
    }
    const gone = createConnection(path)
    gone.write(`${JSON.stringify({ version: 1, args: ['backup', 'given-up.backup'], cwd: folder, terminal: false })}\n`, () =>
      gone.destroy(),
    )
    bot.say('alice: @kiki hello')
    await bot.until('kiki: ')
    expect((await run(folder, 'why')).code).toBe(0)
    expect(await bot.stop()).toBe(0)
    expect(await readFile(join(folder, 'given-up.backup.part')).catch(() => 'none')).toBe('none')
  })
})
