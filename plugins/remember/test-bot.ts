/** A whole bot with the plugin, for tests. */
import facts, { type Fact, type FactStore, Facts } from '@kikimimi/facts'
import profiles, { type ProfileStore, Profiles } from '@kikimimi/profiles'
import { type Conversation, conversationId, definePlugin, formatSections, type PluginContext, Tools } from 'kikimimi'
import { MissedMessages } from 'kikimimi/platform'
import { type TestBot, type TestBotOptions, testBot } from 'kikimimi/testing'
import remember from './index.ts'

export interface Remembering extends AsyncDisposable {
  readonly bot: TestBot
  store(): FactStore
  people(): ProfileStore
  /** Facts that the audience of a conversation may read, oldest first. */
  facts(where?: Conversation): Promise<Fact[]>
  /** Disconnects the platform. The returned function connects it again and runs catch-up. */
  trackPosition(): Promise<() => Promise<void>>
  /** The next answer waits for this promise in the context stage. */
  hold(until: Promise<unknown>): void
  /** Texts of the message log that people can find in the conversation. */
  logged(): Promise<string[]>
}

export async function remembering(options: Omit<TestBotOptions, 'plugins'> = {}): Promise<Remembering> {
  let lent: { readonly ctx: PluginContext; readonly store: FactStore; readonly people: ProfileStore } | undefined
  let held: Promise<unknown> | undefined
  const borrower = definePlugin({
    name: 'borrower',
    needs: [Facts, Profiles, Tools],
    setup: ctx => {
      lent = { ctx, store: ctx.use(Facts), people: ctx.use(Profiles) }
      return {
        // Addresses the bot by name, like judge-rules.
        address: ({ text }) => (/kiki|キキ/i.test(text) ? 'name' : undefined),
        async context() {
          const until = held
          held = undefined
          await until
        },
        // Answers with the memories in the prompt.
        respond: async (turn, _decision, { sections }) => {
          const text = `${formatSections(sections, ctx.bot.locale)}\n\n${turn.message.text}`
          const messages = [{ role: 'user', text }] as const
          const system = 'Answer with what you remember.'
          return { kind: 'text', text: await ctx.models.text('chat', { system, messages, tools: ctx.use(Tools).all, turn }) }
        },
      }
    },
  })
  const bot = await testBot({
    persona: { name: 'kiki', names: ['キキ'] },
    model: 'I see.',
    pacing: { minWait: '4s', jitter: 0 },
    ...options,
    plugins: [remember(), facts(), profiles(), borrower],
  })
  const borrowed = () => {
    if (lent) return lent
    throw new Error('the bot has not started')
  }
  return {
    bot,
    store: () => borrowed().store,
    people: () => borrowed().people,
    facts: async (where = place()) => [...(await borrowed().store.list({ conversation: where }))].reverse(),
    trackPosition: () =>
      borrowed().ctx.use(MissedMessages, 'optional')?.trackPosition(bot.platform) ?? Promise.resolve(async () => {}),
    hold: until => {
      held = until
    },
    async logged() {
      const { rows } = await bot.db.query<{ text: string }>(
        `select text from kikimimi_v1.message where deleted_at is null and text <> '' order by seq`,
      )
      return rows.map(({ text }) => text)
    },
    [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
  }
}

/** Stores a fact about alice and the one that replaces it. */
export async function replacing(m: Remembering): Promise<void> {
  const lesson = { conversation: place(), people: ['alice'], subject: 'yoga lesson', relation: 'date' } as const
  const first = await m.store().add({ ...lesson, content: 'my weekly yoga lesson is on Monday', value: 'Monday' })
  await m.bot.pass('1d')
  await m.store().supersede([first.id], { ...lesson, content: 'my weekly yoga lesson moved to Tuesday', value: 'Tuesday' })
}

export function place(channel = 'general', more: Partial<Conversation> = {}): Conversation {
  const where = { platform: 'test', workspace: 'team', channel, name: channel, visibility: 'public', ...more } as const
  return { ...where, id: conversationId(where) }
}
