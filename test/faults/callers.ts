/** Faults of the platform, and of other calls in a turn. */
import { definePlugin, type PluginContext, type PluginHooks, Tools } from 'kikimimi'
import type { ChatModel } from 'kikimimi/model'
import { MissedMessages } from 'kikimimi/platform'
import { scriptedModel, type TestBot } from 'kikimimi/testing'
import { nonsense } from './nonsense.ts'
import { type Act, FAULTS, newTexts, row, type Spot } from './spot.ts'
import type { Table } from './table.ts'

const plug = (name: string, parts: PluginHooks) => definePlugin({ name, setup: () => parts })
const answer = plug('answer', { respond: () => ({ kind: 'text', text: 'An answer.' }) })
const nod = plug('nod', { respond: () => ({ kind: 'reaction', emoji: '👍' }) })

/** The normal behaviour of the platform. */
const AS_ALWAYS = Symbol('as always')

type Method = 'send' | 'react' | 'typing'

/** Replaces a method by code of the test. */
function inPlaceOf(method: Method): (bot: TestBot, act: Act) => void {
  return ({ platform }, act) => {
    const always: unknown = platform[method]
    Object.assign(platform, {
      async [method](...args: unknown[]) {
        const returned: unknown = await act()
        const signal = args.at(-1)
        if (signal instanceof AbortSignal) signal.throwIfAborted()
        return returned === AS_ALWAYS && typeof always === 'function' ? always.apply(platform, args) : returned
      },
    })
  }
}

const reactions = ({ platform }: TestBot) => platform.posted.splice(0).length
const lent: PluginContext[] = []
/** The answer to the last command. */
const told: (string | undefined)[] = []

/** The model calls a tool before it answers. */
function looks(): ChatModel {
  return scriptedModel(({ messages }) => {
    const last = messages.at(-1)
    if (last?.role !== 'tool') return { toolCalls: [{ id: '1', name: 'look', args: {} }] }
    return last.failed ? 'I cannot look.' : 'I have looked.'
  })
}

const spots: readonly Spot[] = [
  {
    where: 'platform.send',
    time: '30s',
    plugins: () => [answer],
    arrange: inPlaceOf('send'),
    well: AS_ALWAYS,
    nonsense: [...nonsense(), undefined, null, { id: 42 }, { id: '' }, { id: 'x', thread: 42 }],
    see: async bot => ({ texts: newTexts(bot), outcome: (await bot.trace()).outcome }),
    seen: { well: { texts: ['An answer.'], outcome: 'replied' }, broken: { texts: [], outcome: 'failed' } },
    told: /could not send: ./,
    comes: {
      throws: 'the answer is lost, and not sent again',
      hangs: 'aborted after 30 s',
      'returns nonsense': 'counts as not sent, and is not sent again',
      'is slow': 'the answer comes late',
    },
  },
  {
    where: 'platform.react',
    time: '30s',
    plugins: () => [nod],
    arrange: inPlaceOf('react'),
    well: AS_ALWAYS,
    see: async bot => ({ reactions: reactions(bot), outcome: (await bot.trace()).outcome }),
    seen: { well: { reactions: 1, outcome: 'replied' }, broken: { reactions: 0, outcome: 'failed' } },
    told: /could not send: ./,
    comes: { throws: 'no reaction', hangs: 'aborted after 30 s', 'is slow': 'the reaction comes late' },
  },
  {
    where: 'platform.typing',
    time: '30s',
    plugins: () => [answer],
    arrange: inPlaceOf('typing'),
    well: AS_ALWAYS,
    nonsense: [...nonsense(), Promise.reject.bind(Promise)],
    see: async bot => newTexts(bot),
    seen: { well: ['An answer.'], broken: ['An answer.'] },
    told: 'nowhere',
    comes: {
      throws: 'the answer comes without it',
      hangs: 'the answer is not delayed',
      'returns nonsense': 'the answer comes without it',
      'is slow': 'the answer is not delayed',
    },
  },
  {
    where: 'platform.history, after a lost connection',
    time: '120s',
    waits: true,
    plugins: () => [answer, definePlugin({ name: 'lends', setup: ctx => void lent.splice(0, 1, ctx) })],
    bot: { platform: { past: [] } },
    arrange({ platform, clock }, act) {
      let count = 0
      const conversation = { platform: 'test', workspace: 'team', channel: 'general', name: 'general', visibility: 'public' }
      Object.assign(platform, {
        async history() {
          const returned: unknown = await act()
          const author = { id: 'alice', name: 'alice' }
          const id = `missed-${++count}`
          const missed = { id, conversation, author, text: '@kiki', at: new Date(clock.now()), mentions: [platform.me] }
          return returned === AS_ALWAYS ? [missed] : returned
        },
      })
    },
    well: AS_ALWAYS,
    nonsense: nonsense(),
    async scene(bot) {
      await bot.say('alice', 'good morning')
      const readOn = await lent[0]?.use(MissedMessages, 'optional')?.trackPosition(bot.platform)
      await readOn?.()
    },
    takes: '1s',
    see: async bot => newTexts(bot),
    seen: { well: ['An answer.'], broken: [] },
    told: /could not read missed messages: ./,
    comes: {
      throws: 'logged, and read again after 5, 30 and 120 s',
      hangs: 'the same, after 120 s',
      'returns nonsense': 'the same',
      'is slow': 'mentions are answered late',
    },
  },
  {
    where: 'a tool',
    time: '30s',
    plugins: act => [
      definePlugin({
        name: 'bad',
        needs: [Tools],
        setup: ({ models, use }) => ({
          tools: [{ name: 'look', description: 'Looks.', schema: {}, invoke: async () => act() }],
          async respond({ message, signal }) {
            const messages = [{ role: 'user', text: message.text }] as const
            return { kind: 'text', text: await models.text('chat', { system: 'Look.', messages, tools: use(Tools).all, signal }) }
          },
        }),
      }),
    ],
    bot: { models: { chat: looks() } },
    well: 'a cat',
    see: async bot => newTexts(bot),
    seen: { well: ['I have looked.'], broken: ['I cannot look.'] },
    told: /tool failed tool="look"/,
    comes: {
      throws: 'the model gets the error, and answers without the tool',
      hangs: 'the same, after 30 s',
      'is slow': 'the answer waits for it',
    },
  },
  {
    where: 'a command in the chat',
    time: '20s',
    waits: true,
    plugins: act => [
      plug('bad', {
        commands: [{ name: 'look', does: { en: 'looks', ja: '見る' }, permission: 'everyone', run: async () => act() }],
      }),
    ],
    well: 'A cat.',
    nonsense: [...nonsense(), undefined, null],
    scene: async bot => void told.splice(0, 1, await bot.command('alice', 'look')),
    see: async () => told[0]?.split(',')[0],
    seen: { well: 'A cat.', broken: 'Sorry' },
    told: /\[bad\] the command "look" failed: ./,
    comes: {
      throws: 'its author gets a sentence that it failed',
      hangs: 'the same, after 20 s',
      'returns nonsense': 'the same',
      'is slow': 'the answer comes late',
    },
  },
]

export const callers: Table = {
  heading: 'A platform, a tool, a command',
  of: 'call',
  columns: FAULTS,
  rows: spots.map(row),
}
