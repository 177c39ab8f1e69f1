import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bot, startBot } from '../bot.ts'
import { systemClock } from '../clock.ts'
import { createLogger } from '../log.ts'
import type { ChatModel } from '../models/chat-model.ts'
import { definePlugin, type Plugin, type Reply, type Turn } from '../plugin.ts'
import { scriptedModel } from './scripted-model.ts'

/** A platform plugin connected to something that plays the people on the other side. */
export interface PlatformHarness {
  readonly plugin: Plugin
  /** Somebody says something over there. `mention` calls the bot the way the platform does it. */
  say(author: string, text: string, how?: { readonly mention?: boolean; readonly id?: string }): Promise<void>
  /** The texts of the bot that people see over there, oldest first, as they see them. */
  seen(): readonly string[]
  /** The bot's reactions that people see. */
  reactions(): readonly string[]
  /** Whether people see the bot typing; absent where they cannot. */
  typing?(): boolean
  /** Whether the platform delivers an event with the same id again. */
  readonly redelivers: boolean
  close(): Promise<void>
}

/**
 * What every platform keeps to, shown with a whole bot.
 *
 * @param open makes a fresh harness; the bot's name is `kiki`.
 */
export function platformContract(name: string, open: () => Promise<PlatformHarness>): void {
  describe(`the platform ${name}`, () => {
    let harness: PlatformHarness
    let bot: Bot
    let turns: Turn[]
    let answer: (turn: Turn) => Reply | undefined | Promise<Reply | undefined>
    const model: ChatModel = scriptedModel('unused')

    beforeEach(async () => {
      turns = []
      answer = () => ({ kind: 'text', text: 'hello back' })
      harness = await open()
      const responder = definePlugin({
        name: 'contract',
        setup: () => ({
          async respond(turn) {
            turns.push(turn)
            return answer(turn)
          },
        }),
      })
      bot = await startBot(
        { persona: { name: 'kiki' }, models: { chat: model }, database: false, plugins: [harness.plugin, responder] },
        { log: createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock }), env: {} },
      )
    })
    afterEach(async () => {
      await bot.stop()
      await harness.close()
    })

    it('hears who said what where, and answers a mention', async () => {
      await harness.say('alice', 'good morning', { mention: true })
      await until(() => harness.seen().length > 0)
      expect(harness.seen()).toEqual(['hello back'])
      expect(turns[0]?.addressed).toBe('mention')
      expect(turns[0]?.message.text).toContain('good morning')
      expect(turns[0]?.message.author.name).toBe('alice')
      expect(turns[0]?.message.own).toBe(false)
    })

    it('records what does not address it, in order', async () => {
      await harness.say('alice', 'one')
      await harness.say('bob', 'two')
      await harness.say('alice', 'three', { mention: true })
      await until(() => turns.length > 0)
      expect(turns[0]?.history.map(({ author, text }) => [author.name, text.replace(/^@\S+ /, '')])).toEqual([
        ['alice', 'one'],
        ['bob', 'two'],
        ['alice', 'three'],
      ])
    })

    it('splits what is too long, and loses nothing', async () => {
      const words = Array.from({ length: 3_000 }, (_, index) => `word${index}`).join(' ')
      answer = () => ({ kind: 'text', text: words })
      await harness.say('alice', 'tell me all', { mention: true })
      await until(() => harness.seen().join(' ').includes('word2999'))
      expect(
        harness
          .seen()
          .join(' ')
          .match(/word\d+/g),
      ).toEqual(words.split(' '))
    })

    it('reacts', async () => {
      answer = turn => ({ kind: 'reaction', emoji: '👍', to: turn.message.id })
      await harness.say('alice', 'we did it', { mention: true })
      await until(() => harness.reactions().length > 0)
      expect(harness.reactions()).toEqual(['👍'])
    })

    it('shows that it is typing while it thinks, and stops when it has answered', async ctx => {
      const { typing } = harness
      if (!typing) return ctx.skip('nobody sees typing here')
      const thinking = Promise.withResolvers<Reply>()
      answer = () => thinking.promise
      await harness.say('alice', 'think hard', { mention: true })
      await until(() => typing())
      thinking.resolve({ kind: 'text', text: 'done' })
      await until(() => !typing())
      expect(harness.seen()).toEqual(['done'])
    })

    it('stops typing when it fails to answer', async ctx => {
      const { typing } = harness
      if (!typing) return ctx.skip('nobody sees typing here')
      const thinking = Promise.withResolvers<Reply>()
      answer = () => thinking.promise
      await harness.say('alice', 'think hard', { mention: true })
      await until(() => typing())
      thinking.reject(new Error('nothing comes to mind'))
      await until(() => !typing())
    })

    it('answers an event that is delivered twice once', async ctx => {
      if (!harness.redelivers) return ctx.skip('nothing is delivered twice here')
      await harness.say('alice', 'hello', { mention: true, id: 'same' })
      await harness.say('alice', 'hello', { mention: true, id: 'same' })
      await harness.say('alice', 'and now', { mention: true })
      await until(() => turns.some(turn => turn.messages.some(({ text }) => text.includes('and now'))))
      await bot.drained()
      expect(turns.flatMap(turn => turn.messages.map(({ text }) => text)).filter(text => text.includes('hello'))).toHaveLength(1)
    })

    it('does not answer itself', async () => {
      await harness.say('alice', 'hello', { mention: true })
      await until(() => harness.seen().length > 0)
      await bot.drained()
      expect(harness.seen()).toHaveLength(1)
    })
  })
}

/** Waits until it holds; the test's own time limit ends a wait for nothing. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 5))
}
