/** One process of the bot: `kikimimi start --config bench/faults/processes/bot.config.ts`. Messages come through a pipe. */
import { setTimeout as pause } from 'node:timers/promises'
import addressing from '@kikimimi/addressing'
import judgeRules from '@kikimimi/judge-rules'
import { defineBot } from 'kikimimi'
import { definePlatform, type Platform } from 'kikimimi/platform'
import type { FromBot, Said, Settings, ToBot } from './messages.ts'

const { database, idempotent }: Settings = JSON.parse(process.env.BENCH_SETTINGS ?? '{}')

/** The time of a quick model. */
const THINKING_MS = 100
const me = { id: 'kiki', name: 'kiki' }

const tell = (message: FromBot) => void process.send?.(message, () => {})
// The measuring process is gone, so this one ends.
process.on('disconnect', () => process.exit())

const pipe = definePlatform({
  name: 'pipe',
  setup(ctx) {
    const sending = new Map<string, (posted: { id: string }) => void>()

    async function hear({ id, channel, text, asks }: Said): Promise<void> {
      const conversation = { platform: 'pipe', workspace: '', channel, name: channel, visibility: 'public' as const }
      const author = { id: `of ${channel}`, name: 'alice' }
      try {
        await ctx.receive({ id, conversation, author, text, at: new Date(ctx.clock.now()), mentions: asks ? [me] : [] })
        tell({ kind: 'taken', id })
      } catch {
        tell({ kind: 'refused', id })
      }
    }

    const platform: Platform = {
      name: 'pipe',
      me,
      limits: { textLength: 2_000 },
      idempotent,
      start() {
        process.on('message', (message: ToBot) => {
          if (message.kind === 'said') void hear(message)
          else sending.get(message.nonce)?.({ id: message.id })
        })
        tell({ kind: 'ready' })
      },
      async send(_conversation, { nonce, answers }) {
        const { promise, resolve } = Promise.withResolvers<{ id: string }>()
        sending.set(nonce, resolve)
        tell({ kind: 'post', nonce, ...(answers !== undefined && { answers }) })
        try {
          return await promise
        } finally {
          sending.delete(nonce)
        }
      },
    }
    return {
      platform,
      async respond({ addressed, message }) {
        if (!addressed) return { kind: 'silent', why: 'nobody asked' }
        tell({ kind: 'thinking', id: message.id })
        await pause(THINKING_MS)
        return { kind: 'text', text: `An answer to ${message.id}.` }
      },
    }
  },
})

export default defineBot({ persona: { name: me.name }, database, plugins: [addressing(), judgeRules(), pipe] })
