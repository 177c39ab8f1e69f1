/** A world in which one person is active everywhere, under three names, and everybody mentions them. */

import addressing from '@kikimimi/addressing'
import eavesdrop from '@kikimimi/eavesdrop'
import facts, { type FactStore, Facts } from '@kikimimi/facts'
import judgeRules from '@kikimimi/judge-rules'
import memorySummary from '@kikimimi/memory-summary'
import proactive from '@kikimimi/proactive'
import profiles from '@kikimimi/profiles'
import quiet from '@kikimimi/quiet'
import reflection from '@kikimimi/reflection'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import { type Conversation, conversationId, definePlugin, type Person, type PluginContext } from 'kikimimi'
import { promptOf, scriptedModel, type TestBot, testBot } from 'kikimimi/testing'

/** The person to be erased. */
export const EVE = { platform: 'test', id: 'U0RESEDA' } as const
export const NAMES = ['Wisteria', 'Glycine', '藤野']

/** Words that other people use only to quote her. */
export const HER_WORDS = [
  'umbrella',
  'cellar',
  'kumquat',
  'marmalade',
  'quokka',
  'zeppelin',
  '地下室',
  '紫の傘',
  '薔薇園',
  'xylophone',
]

/** Words of other people, which must stay. */
export const OTHERS_WORDS = ['printer', 'soup', 'deploy', 'noted, and thanks', 'elevator', '会議室', 'trombone']

/** Words that she repeats, so that a summary contains them. */
const MARKS = new RegExp([...HER_WORDS, ...NAMES, ...OTHERS_WORDS].join('|'), 'g')

const BOB: Person = { id: 'U0BOB', name: 'bob' }
const ANN: Person = { id: 'U0ANN', name: 'ann' }
const eve = (name = 'Wisteria'): Person => ({ id: EVE.id, name })

const place = (channel: string, more: Partial<Conversation> = {}): Omit<Conversation, 'id'> => ({
  platform: 'test',
  workspace: 'team',
  channel,
  name: channel,
  visibility: 'public',
  ...more,
})
const GENERAL = place('general')
const THREAD = place('general', { thread: 't1' })
const TABLE = place('table')
const CLOSED = place('closed', { visibility: 'private' })
const DIRECT = place('D01', { visibility: 'direct', name: 'Wisteria' })

export interface Town extends AsyncDisposable {
  readonly bot: TestBot
  readonly ctx: PluginContext
  say(
    author: Person,
    where: Omit<Conversation, 'id'>,
    text: string,
    more?: { id?: string; replyTo?: string; mentions?: Person[] },
  ): Promise<string>
  /** All messages and actions, until all memories are made. */
  live(): Promise<void>
}

export async function town(): Promise<Town> {
  let ctx: PluginContext | undefined
  let memory: FactStore | undefined
  const lender = definePlugin({
    name: 'lender',
    needs: [Facts],
    setup: one => {
      ctx = one
      memory = one.use(Facts)
    },
  })
  const plugins = [
    quiet(),
    eavesdrop({ channels: ['table'], signs: false }),
    addressing(),
    judgeRules(),
    facts(),
    memorySummary({ everyMessages: 1, workspaceEvery: 1, foldAfter: '20m' }),
    profiles(),
    reflection(),
    proactive(),
    remember(),
    reply(),
  ]
  const marksIn = (text: string) => [...new Set(text.match(MARKS))].join(' ') || 'nothing'
  const summary = scriptedModel(request => {
    const told = marksIn(promptOf(request))
    return { value: { summary: told, mood: told, topics: told.split(' '), memory: told } }
  })
  const judge = scriptedModel(({ system }) => (/\bENDING\b/.test(system) ? 'MISUNDERSTANDING' : 'YES'))
  const capture = { channels: ['general', 'table', 'closed', 'D01'] }
  const bot = await testBot({ storage: 'pglite', plugins: [plugins, lender], models: { summary, judge }, capture })
  if (!ctx || !memory) throw new Error('the bot has not started')
  const [kernel, store] = [ctx, memory]

  let count = 0
  async function say(
    author: Person,
    where: Omit<Conversation, 'id'>,
    text: string,
    { id = `m${++count}`, replyTo, mentions = [] }: { id?: string; replyTo?: string; mentions?: Person[] } = {},
  ): Promise<string> {
    const kiki = /@kiki/.test(text) ? [bot.platform.me] : []
    const at = new Date(bot.clock.now())
    const said = { id, conversation: where, author, text, at, mentions: [...mentions, ...kiki] }
    await bot.bot.receive(bot.platform, { ...said, ...(replyTo !== undefined && { replyTo: { id: replyTo } }) })
    await bot.pass('1s')
    return id
  }

  async function live(): Promise<void> {
    const first = await say(eve(), GENERAL, 'the violet umbrella hangs behind the cellar door')
    await say(BOB, GENERAL, 'Wisteria wrote "the violet umbrella hangs behind the cellar door", noted, and thanks', {
      replyTo: first,
    })
    const soup = await say(ANN, GENERAL, 'there is soup on floor three, @Wisteria', { mentions: [eve()] })
    await bot.bot.reaction(GENERAL, soup, { emoji: '👍', by: EVE.id })
    await bot.bot.reaction(GENERAL, first, { emoji: '🎉', by: BOB.id })
    await say(eve('Glycine'), THREAD, 'the zeppelin is in the thread, with a kumquat')
    await say(BOB, THREAD, 'Glycine means the elevator')
    await say(eve('Glycine'), CLOSED, 'kumquat marmalade tastes of thunder and rain')
    await say(ANN, CLOSED, 'the trombone is mine')
    await say(eve(), DIRECT, '@kiki my locker has the quokka in it, do not tell')
    await say(eve('藤野'), GENERAL, '紫の傘は地下室の扉の裏にあると思います。')
    await say(ANN, GENERAL, '藤野さん、会議室で待っています')
    await say(eve('藤野'), GENERAL, 'my cat lives in the 薔薇園 and plays the xylophone all night', { id: 'cat' })

    await say(BOB, TABLE, 'the deploy hangs since noon')
    await say(eve('Glycine'), TABLE, 'no, the zeppelin hangs since noon')
    await say(BOB, TABLE, 'I am stuck, Glycine, any ideas?')
    await bot.pass('20s')

    await say(BOB, GENERAL, '@kiki what hangs behind the door?')
    await say(ANN, CLOSED, '@kiki what tastes of thunder?')
    await say(eve('藤野'), GENERAL, '@kiki what lives and plays all night?')

    await say(eve('Glycine'), GENERAL, '@kiki remember that the quokka likes kumquat for breakfast')
    await say(eve('Glycine'), CLOSED, '@kiki forget about the kumquat')
    await say(eve(), DIRECT, '@kiki what do you know about me?')

    const conversation: Conversation = { ...GENERAL, id: conversationId(GENERAL) }
    const source = (message: string, author: string) => [{ message, author }]
    await store.add({ conversation, content: 'the umbrella is violet', people: [], sources: source(first, EVE.id), pinned: true })
    await store.add({ conversation, content: 'keeps bees on the roof', people: [EVE.id], keywords: ['quokka'] })
    await store.add({
      conversation,
      content: 'dinner at the place of 藤野 is on Friday',
      sources: source(soup, ANN.id),
      shareable: true,
    })
    await store.add({ conversation, content: 'the printer is on floor three', sources: source(soup, ANN.id), pinned: true })
    // Until messages are summarised, processed, and history.
    await bot.pass('25m')
    await say(BOB, GENERAL, 'the printer is out of paper')
    await say(eve('Glycine'), GENERAL, 'the zeppelin lands at nine, next to the kumquat')
    await bot.pass('12m')
  }

  return { bot, ctx: kernel, say, live, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}
