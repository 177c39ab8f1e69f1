/**
 * A bot in a process that is killed: with rules, judge and quiet in their usual setup. Messages come through a pipe. Calls
 * of
 * the judge and posted messages are written to a journal that survives the process.
 */

import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import addressing from '@kikimimi/addressing'
import judgeLlm from '@kikimimi/judge-llm'
import judgeRules from '@kikimimi/judge-rules'
import { offline } from '@kikimimi/offline'
import quiet from '@kikimimi/quiet'
import { startBot, systemClock } from 'kikimimi'
import type { ChatModel } from 'kikimimi/model'
import { definePlatform, type Platform } from 'kikimimi/platform'
import { createLogger } from '../../core/base/log.ts'
import { type Command, type Line, linesOf, type Report, type Said } from './journal.ts'

const me = { id: 'bot', name: 'kiki' }
const [database = '', journal = ''] = process.argv.slice(2)

const write = (line: Line) => appendFileSync(journal, `${JSON.stringify(line)}\n`)
const report = (what: Report) => process.send?.(what)

const pipe = definePlatform({
  name: 'pipe',
  setup(ctx) {
    const seen = new Set(linesOf(journal).map(({ nonce }) => nonce))

    async function hear({ id, channel, text, mentions }: Said): Promise<void> {
      const conversation = { platform: 'pipe', workspace: '', channel, name: channel, visibility: 'public' as const }
      const at = new Date(ctx.clock.now())
      const author = { id: 'alice', name: 'alice' }
      await ctx.receive({ id, conversation, author, text, at, mentions: mentions ? [me] : [] })
      report({ recorded: id })
    }

    const platform: Platform = {
      name: 'pipe',
      me,
      limits: { textLength: 2_000 },
      idempotent: true,
      start() {
        process.on('message', (command: Command) => {
          if (command !== 'finish') void hear(command)
        })
      },
      async send({ channel }, { nonce }) {
        await pause(10)
        if (!seen.has(nonce)) write({ kind: 'posted', channel, nonce })
        seen.add(nonce)
        await pause(10)
        return { id: `post-${nonce}` }
      },
      async react({ channel }) {
        write({ kind: 'reacted', channel })
      },
    }
    return { platform, respond: () => ({ kind: 'text', text: 'An answer.' }) }
  },
})

const judge: ChatModel = {
  name: 'scripted',
  async generate({ messages }) {
    const [channel = ''] = /\b(?:asked|later|muted)-\d+/.exec(messages[0]?.text ?? '') ?? []
    write({ kind: 'judged', channel })
    const delaySeconds = channel.startsWith('later') ? 1 : null
    return { text: '', value: { respond: true, reason: 'somebody asks', confidence: 0.9, delaySeconds }, toolCalls: [] }
  },
}

// It ends with its parent.
process.on('disconnect', () => process.exit())
const bot = await startBot(
  {
    persona: { name: me.name },
    database,
    models: { chat: offline(), judge },
    pacing: { minWait: '500ms' },
    plugins: [quiet(), addressing(), judgeRules(), judgeLlm(), pipe()],
  },
  {
    env: {},
    log: createLogger({ level: 'warn', format: 'lines', write: line => process.stderr.write(line), clock: systemClock }),
  },
)
process.on('message', async (command: Command) => {
  if (command !== 'finish') return
  // Work of a dead process is resumed when no other process can be working on it.
  while ((await bot.turns.state()).next !== undefined) await pause(50)
  await bot.drained()
  await bot.stop()
  process.exit()
})
report('ready')
