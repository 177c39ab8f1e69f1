// postgres: processes are killed
/** A bot that is killed at any moment while it works. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openTestDatabase, testRounds, testServer } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { type Command, type Line, linesOf, type Report, type Said } from './killed/journal.ts'

const { rounds } = testRounds({ few: 1, all: 30 })

/** Time for all effects of a message: 0.5 s of debounce, a judge, a second of delay, an answer. */
const LIFE = 2_500

function start(database: string, journal: string) {
  const child = fork(new URL('./killed/bot.ts', import.meta.url), [database, journal], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const reported = (is: (report: Report) => boolean) =>
    new Promise<void>((resolve, reject) => {
      child.on('message', (report: Report) => is(report) && resolve())
      child.on('exit', () => reject(new Error('The bot is gone.')))
    })
  const tell = (command: Command) => void child.send(command, () => {})
  const ready = reported(report => report === 'ready')
  ready.catch(() => {})
  return {
    ready,
    /** Resolves when all are recorded: the platform has its acknowledgement and will not deliver them again. */
    async say(...said: readonly Said[]): Promise<void> {
      const open = new Set(said.map(({ id }) => id))
      const recorded = reported(report => typeof report === 'object' && open.delete(report.recorded) && open.size === 0)
      for (const one of said) tell(one)
      await recorded
    },
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      await exited
    },
    async finish(): Promise<number | null> {
      tell('finish')
      const [code] = await exited
      return code
    },
  }
}

const question = (channel: string, id = channel): Said => ({ id, channel, text: `does anyone know about ${channel}?` })

describe.each([
  { database: 'a folder', there: true },
  { database: 'a Postgres server', there: testServer() !== undefined },
])('killed at random moments, with its data in $database,', ({ database, there }) => {
  test.runIf(there)(
    'it judges what nobody addressed to it, keeps what it put off, and stays as quiet as it was told',
    async () => {
      await using scratch = await mkdtempDisposable(join(tmpdir(), 'kikimimi-killed-'))
      await using opened = new AsyncDisposableStack()
      const journal = join(scratch.path, 'journal')
      const server = database === 'a folder' ? undefined : opened.adopt(await openTestDatabase(), db => db.close())
      const home = server && 'url' in server ? server.url : join(scratch.path, 'data')

      for (let round = 1; round <= rounds; round++) {
        const bot = start(home, journal)
        await bot.ready
        // The request first, so that the bot knows it at the next message.
        await bot.say({ id: `hush-${round}`, channel: `muted-${round}`, text: 'be quiet', mentions: true })
        await bot.say(question(`asked-${round}`), question(`later-${round}`), question(`muted-${round}`))
        await pause(LIFE * Math.random())
        await bot.kill()
        // During the work on it.
        const next = start(home, journal)
        await Promise.race([next.ready, pause(2_000 * Math.random())])
        await next.kill()
      }
      const all = Array.from({ length: rounds }, (_, index) => index + 1)
      const last = start(home, journal)
      await last.ready
      await last.say(...all.map(round => question(`muted-${round}`, `still-${round}`)))
      expect(await last.finish()).toBe(0)

      const lines = linesOf(journal)
      const count = (kind: Line['kind'], channel: string) =>
        lines.filter(line => line.kind === kind && line.channel === channel).length
      const seen = all.map(round => ({
        asked: { judged: count('judged', `asked-${round}`) > 0, posted: count('posted', `asked-${round}`) },
        later: { judged: count('judged', `later-${round}`) > 0, posted: count('posted', `later-${round}`) },
        muted: { judged: count('judged', `muted-${round}`) > 0, posted: count('posted', `muted-${round}`) },
        understood: count('reacted', `muted-${round}`) > 0,
      }))
      expect(seen).toEqual(
        all.map(() => ({
          asked: { judged: true, posted: 1 },
          later: { judged: true, posted: 1 },
          muted: { judged: false, posted: 0 },
          understood: true,
        })),
      )
    },
  )
})
