/** A bot on two platforms, in a world whose people talk, change their minds and change who reads what. */

import addressing from '@kikimimi/addressing'
import dashboard from '@kikimimi/dashboard'
import digest from '@kikimimi/digest'
import facts from '@kikimimi/facts'
import judgeRules from '@kikimimi/judge-rules'
import memorySummary from '@kikimimi/memory-summary'
import proactive from '@kikimimi/proactive'
import profiles, { type ProfileStore, Profiles } from '@kikimimi/profiles'
import promises from '@kikimimi/promises'
import reflection from '@kikimimi/reflection'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import {
  type Attachment,
  definePlugin,
  type IncomingMessage,
  MessageLog,
  Operator,
  type PersonKey,
  type PluginContext,
  type PluginEntry,
} from 'kikimimi'
import type { ChatModel } from 'kikimimi/model'
import { ChatCommands } from 'kikimimi/platform'
import { type TestBot, type TestPlatform, testBot, testPlatform } from 'kikimimi/testing'
import { rate } from '../../plugins/dashboard/evaluation/ratings.ts'
import { gossips, type Manner } from './model.ts'
import { pagesOf } from './pages.ts'
import { type Account, conversationOf, PLATFORMS, type Place } from './world.ts'

/** A request to the chat model, and the conversation for which it was made. */
export interface Prompt {
  readonly text: string
  readonly conversation: string
  /** In milliseconds. */
  readonly at: number
}

export interface Post {
  readonly platform: string
  readonly channel: string
  readonly thread?: string
  readonly text: string
}

/** A message besides its text. */
export type Shown = Pick<IncomingMessage, 'attachments' | 'parts'> & { readonly replyTo?: string }

export interface Town extends AsyncDisposable {
  readonly bot: TestBot
  say(author: Account, place: Place, text: string, id: string, shown?: Shown): Promise<void>
  edit(place: Place, id: string, text: string): Promise<void>
  remove(place: Place, id: string): Promise<void>
  /** The platform announces who reads a place now. */
  describe(place: Place): Promise<void>
  command(author: Account, place: Place, text: string): Promise<string>
  people(): ProfileStore
  /** An admin rates one of the latest turns, in the words of its answer. `at`: from 0 to 1. */
  rate(at: number): Promise<void>
  /** What the dashboard shows an admin. */
  pages(): Promise<readonly string[]>
  /** The prompts and the posts since the last call. */
  take(): { readonly prompts: readonly Prompt[]; readonly posts: readonly Post[] }
  /** Runs if the chat model is asked during `work`, before it answers the first time. */
  meanwhile(run: () => Promise<void>, work: () => Promise<void>): Promise<void>
}

/** Stands before the id of the conversation in each prompt of a turn. */
const MARK = 'This turn is of '
const ME = { id: 'bot', name: 'kiki' }

export const plugins: readonly PluginEntry[] = [
  ...[addressing(), judgeRules(), facts(), memorySummary({ everyMessages: 1, workspaceEvery: 1, foldAfter: '20m' }), profiles()],
  ...[reflection({ lull: '1m', minMessages: 1 }), proactive(), remember(), reply()],
  ...[promises(), digest({ at: '0 */6 * * *' }), dashboard()],
]

export interface TownOptions {
  readonly seed: number
  readonly manner: Manner
  /** True: the model searches the memory before it answers this prompt. */
  searches(prompt: string): boolean
  /** Default: those of the random rounds. */
  readonly plugins?: readonly PluginEntry[]
  /** Besides these. */
  readonly more?: readonly PluginEntry[]
}

export async function openTown({ seed, manner, searches, plugins: own = plugins, more = [] }: TownOptions): Promise<Town> {
  let prompts: Prompt[] = []
  const read = new Map<string, number>()
  let ctx: PluginContext | undefined
  let waiting: (() => Promise<void>) | undefined
  /** What the platforms themselves show to those who read there: the bot can read it again. */
  const past = new Map<string, IncomingMessage[]>(PLATFORMS.map(name => [name, []]))
  const on = (platform: string) => past.get(platform) ?? []
  const other = testPlatform({ me: ME, name: 'other', past: on('other') })
  const marks = definePlugin({
    name: 'marks',
    needs: [Profiles, ChatCommands, MessageLog, Operator],
    setup: own => {
      ctx = own
      return { context: ({ conversation }) => ({ place: 'other', title: 'Turn', text: `${MARK}${conversation.id}.` }) }
    },
  })
  const { chat }: { readonly chat: ChatModel } = gossips({
    manner,
    searches,
    async heard({ role }, text) {
      const [, conversation = ''] = /This turn is of ([^\s]+)\./.exec(text) ?? []
      if (role !== 'chat') return
      prompts.push({ text, conversation, at: bot.clock.now() })
      const run = waiting
      waiting = undefined
      await run?.()
    },
  })
  const bot = await testBot({
    ...{ storage: 'pglite', timeZone: 'UTC', plugins: [own, marks, more], models: { chat }, seed },
    ...{ platform: { past: on('test') }, morePlatforms: [other] },
  })

  for (const platform of [bot.platform, other]) Object.assign(platform, { fetchAttachment: contentOf })

  const platformOf = (name: string): TestPlatform => (name === 'other' ? other : bot.platform)
  const person = (account: Account): PersonKey => {
    const [platform = '', id = ''] = account.split(':')
    return { platform, id }
  }
  const running = () => {
    if (ctx) return ctx
    throw new Error('the bot has not started')
  }
  const indexOf = ({ platform, channel }: Place, id: string) =>
    on(platform).findIndex(one => one.id === id && one.conversation.channel === channel)

  return {
    bot,
    async say(author, place, text, id, { replyTo, ...shown } = {}) {
      const { id: name } = person(author)
      const platform = platformOf(place.platform)
      const message: IncomingMessage = {
        ...{ id, conversation: conversationOf(place), author: { id: name, name }, text, ...shown },
        ...{ at: new Date(bot.clock.now()), mentions: /@kiki/.test(text) ? [platform.me] : [] },
        ...(replyTo !== undefined && { replyTo: { id: replyTo } }),
      }
      on(place.platform).push(message)
      await bot.bot.receive(platform, message)
      await bot.pass('1s')
    },
    async edit(place, id, text) {
      const list = on(place.platform)
      const at = indexOf(place, id)
      const { parts: _, attachments: __, ...old } = list[at] ?? {}
      if (at >= 0) list[at] = { ...(old as IncomingMessage), text, mentions: [] }
      await bot.bot.edit(conversationOf(place), id, { text, mentions: [], attachments: [], parts: [] })
    },
    async remove(place, id) {
      const at = indexOf(place, id)
      if (at >= 0) on(place.platform).splice(at, 1)
      await bot.bot.remove(conversationOf(place), id)
    },
    describe: place => bot.bot.describe(conversationOf(place)),
    async command(author, place, text) {
      const { id } = person(author)
      const given = {
        conversation: conversationOf(place),
        person: { id, name: id },
        text,
        moderator: () => false,
        admin: () => false,
      }
      return (await bot.bot.chatCommand(given)) ?? ''
    },
    people: () => running().use(Profiles),
    async rate(at) {
      const { rows } = await bot.db.query<{ turn: string; text: string }>(
        `select turn, text from kikimimi_v1.trace t join kikimimi_v1.message m on m.own and t.data->'sent' ? m.id
         where m.text <> '' order by t.at desc limit 20`,
      )
      const { turn, text } = rows[Math.floor(at * rows.length)] ?? {}
      if (turn === undefined || text === undefined) return
      const words = { contains: [text.slice(0, 200)], forbids: [], comment: text, by: 'mod' }
      await rate(bot.db, { turn, good: true, speaks: true, ...words, at: new Date(bot.clock.now()) })
    },
    pages: () => pagesOf(running()),
    take() {
      const posts = PLATFORMS.flatMap(name => {
        const { posted } = platformOf(name)
        const fresh = posted.slice(read.get(name) ?? 0)
        read.set(name, posted.length)
        return fresh.flatMap(({ channel, thread, ...post }) =>
          post.kind === 'text' ? { platform: name, channel, text: post.text, ...(thread !== undefined && { thread }) } : [],
        )
      })
      const taken = prompts
      prompts = []
      return { prompts: taken, posts }
    },
    async meanwhile(run, work) {
      waiting = run
      await work()
      waiting = undefined
    },
    [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
  }
}

/** The text of a file tells the secret that its address ends with. */
async function contentOf({ url }: Attachment): Promise<Response> {
  const [, word = ''] = /(\w+)\.txt$/.exec(url) ?? []
  return new Response(`the code is ${word}`, { headers: { 'content-type': 'text/plain' } })
}
