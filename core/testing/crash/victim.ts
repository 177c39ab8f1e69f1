/**
 * A bot in its own process, to be killed. Messages come through a pipe from the parent and are acknowledged when they are
 * recorded. Posts of the bot go into the journal.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { definePlatform, type Platform, type Turn } from '../../api/index.ts'
import { systemClock } from '../../base/clock.ts'
import { createLogger } from '../../base/log.ts'
import { seededRandom } from '../../base/random.ts'
import { startBot } from '../../bot/bot.ts'
import type { JobState } from '../../storage/jobs/jobs.ts'
import { read, write } from './journal.ts'

export interface Orders {
  readonly database: string
  readonly journal: string
  readonly doubles: Doubles
  /** The number of earlier starts. */
  readonly start: number
  readonly seed: number
}

/** Whether the platform refuses a second message with one nonce, finds a message by its nonce, or can post it twice. */
export type Doubles = 'refused' | 'found' | 'possible'

export interface Heard {
  readonly id: string
  readonly channel: string
  /** `mention` mentions the bot, `ask` gets an answer, `later` gets one after a while, `chat` gets none. */
  readonly wants: 'mention' | 'ask' | 'later' | 'chat'
}

/** Messages from the parent. */
export type Command = { readonly hear: Heard } | 'settle' | 'finish'

/** Messages to the parent. */
export type Report = { readonly recorded: string } | 'ready' | 'settled'

const BOT = { id: 'bot', name: 'kiki' }

const { database, journal, doubles, start, seed }: Orders = JSON.parse(process.argv[2] ?? '')
const random = seededRandom(seed + start)
const report = (what: Report) => process.send?.(what)

/** A remote platform: a post becomes visible at some moment between the call and its end. */
const pipe = definePlatform({
  name: 'pipe',
  setup(ctx) {
    const seen = new Set(read(journal).flatMap(line => (line.kind === 'post' ? [line.nonce] : [])))

    async function hear({ id, channel, wants }: Heard): Promise<void> {
      const mentions = wants === 'mention' ? [BOT] : []
      const conversation = { platform: 'pipe', workspace: '', channel, name: channel, visibility: 'public' as const }
      const author = { id: 'alice', name: 'alice' }
      await ctx.receive({ id, conversation, author, text: `${wants} ${id}`, at: new Date(ctx.clock.now()), mentions })
      report({ recorded: id })
    }

    const platform: Platform = {
      name: 'pipe',
      me: BOT,
      // Long answers have several parts.
      limits: { textLength: 50 },
      idempotent: doubles === 'refused',
      start() {
        process.on('message', (command: Command) => {
          if (typeof command === 'object') void hear(command.hear)
        })
      },
      async send({ channel }, { text, nonce }) {
        await pause(20 * random())
        if (doubles === 'refused' && seen.has(nonce)) write(journal, { kind: 'double', nonce })
        else write(journal, { kind: 'post', nonce, channel, text })
        seen.add(nonce)
        await pause(20 * random())
        return { id: `post-${nonce}` }
      },
      ...(doubles === 'found' && {
        async find(_conversation, { nonce }) {
          await pause(20 * random())
          return seen.has(nonce) ? { id: `post-${nonce}` } : undefined
        },
      }),
    }
    return { platform }
  },
})

/** Answers name the messages that they answer. */
const rule = definePlatform({
  name: 'rule',
  setup: () => ({
    decide({ addressed, conversation: { channel }, messages }) {
      if (addressed) return undefined
      write(journal, { kind: 'judged', start, channel, messages: messages.map(({ id }) => id) })
      if (wanting(messages, 'later')) return { kind: 'full', why: 'asked for later', delayMs: 400 }
      if (wanting(messages, 'ask')) return { kind: 'full', why: 'asked' }
      return { kind: 'silent', why: 'only chat' }
    },
    async respond({ id, messages }) {
      const text = messages.flatMap(message => (message.text.startsWith('chat') ? [] : [message.id])).join(' ')
      write(journal, { kind: 'made', turn: id, text })
      await pause(30 * random())
      return { kind: 'text', text }
    },
  }),
})

function wanting(messages: Turn['messages'], wants: Heard['wants']): boolean {
  return messages.some(({ text }) => text.startsWith(wants))
}

// The process ends with its parent.
process.on('disconnect', () => process.exit())
const bot = await startBot(
  { persona: { name: BOT.name }, database, plugins: [pipe, rule], pacing: { minWait: '300ms', maxWait: '2s' } },
  {
    random,
    env: {},
    log: createLogger({ level: 'warn', format: 'lines', write: line => process.stderr.write(line), clock: systemClock }),
  },
)
process.on('message', async (command: Command) => {
  if (typeof command === 'object') return
  await bot.drained()
  // At the end also jobs that wait because another process could still run them. One that runs may schedule itself again.
  const isLeft = ({ due, active, next }: Omit<JobState, 'running'>) => due + active > 0 || next !== undefined
  if (command !== 'settle') while (isLeft(await bot.turns.state())) await pause(100)
  report('settled')
  if (command === 'settle') return
  await bot.stop()
  process.exit()
})
report('ready')
