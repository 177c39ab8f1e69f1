/** Helpers for tests of cards: a whole bot with facts, and a model that folds them as a script says. */
import facts, { type FactStore, Facts, type NewFact } from '@kikimimi/facts'
import reply from '@kikimimi/reply'
import { type CliOutput, definePlugin, Erasure } from 'kikimimi'
import { promptOf, type Said, type Script, scriptedModel, type TestBotOptions, testBot } from 'kikimimi/testing'
import type { Options } from '../options.ts'
import { borrowedProfiles, key, place } from '../test-people.ts'

/** A fact as the model gets it: its label, without the `f`, and its text. */
export interface Listed {
  readonly label: number
  readonly text: string
  readonly pinned: boolean
}

type Folder = (listed: readonly Listed[]) => Script

export function folded(lines: readonly { readonly text: string; readonly facts: readonly string[] }[]): Script {
  return { value: { lines } }
}

/** A good model: two facts in a line, in their own words, without the name. */
export function byTwos(listed: readonly Listed[]): Script {
  return folded(linesByTwos(listed))
}

export function linesByTwos(listed: readonly Listed[]) {
  const pairs = listed.flatMap((one, at) => (at % 2 === 0 ? [[one, ...listed.slice(at + 1, at + 2)]] : []))
  return pairs.map(pair => ({
    text: pair.map(({ text }) => text.replace(/^\w+ /, '')).join(' and '),
    facts: pair.map(({ label }) => `f${label}`),
  }))
}

export const THINGS = [
  ...['plum jam', 'green tea', 'night trains', 'old maps', 'jazz piano', 'wild roses', 'chess', 'rock climbing', 'pottery'],
  ...['black coffee', 'mountain huts', 'crosswords', 'film noir', 'sourdough', 'card magic', 'kayaks', 'folk songs'],
  ...['board games', 'bird watching', 'radio plays', 'stamps', 'origami', 'lemon cake', 'small dogs', 'rainy days', 'snow'],
  ...['violins', 'ferries', 'lighthouses', 'mushrooms'],
]

export async function withCards(
  folder: Folder = byTwos,
  { cards, ...more }: Partial<TestBotOptions> & { readonly cards?: Partial<Options['cards']> } = {},
) {
  // Counting messages every 15 minutes would be most of the work of a night.
  const borrowed = borrowedProfiles({ writeEvery: '1d', ...(cards && { cards }) })
  let lent: FactStore | undefined
  const borrower = definePlugin({
    name: 'fact-borrower',
    needs: [Facts],
    setup: ctx => {
      lent = ctx.use(Facts)
    },
  })
  const chat = scriptedModel('I see.')
  const state = { folder }
  const summary = scriptedModel(request => {
    const listed = [...promptOf(request).matchAll(/^- f(\d+)( \(pinned\))?: “(.*)”$/gm)]
    return state.folder(
      listed.map(([, label, pinned, text = '']) => ({ label: Number(label), text, pinned: pinned !== undefined })),
    )
  })
  const bot = await testBot({
    plugins: [facts({ tool: false }), ...borrowed.plugins, reply(), borrower],
    models: { chat, summary },
    ...more,
  })
  const store = () => {
    if (lent) return lent
    throw new Error('the bot has not started')
  }
  return {
    ...borrowed,
    bot,
    state,
    chat,
    summary,
    facts: store,
    /** Somebody says something that becomes a fact. Returns the ids of the fact and of the message. */
    async learn(author: string, content: string, said: Said = {}, more: Partial<NewFact> = {}) {
      const message = await bot.say(author, content, said)
      const conversation = place(said.channel, { visibility: said.visibility ?? 'public' })
      const sources = [{ message, author, quote: content }]
      const { id } = await store().add({ conversation, content, kind: 'durable', people: [author], sources, ...more })
      return { id, message }
    },
    /** Many facts of one message: `alice likes plum jam`. Returns their ids. */
    async learnMany(author: string, count: number, from = 0) {
      const said = THINGS.slice(from, from + count).map(thing => `${author} likes ${thing}`)
      const message = await bot.say(author, said.join('\n'))
      const ids: number[] = []
      for (const content of said) {
        const sources = [{ message, author, quote: content }]
        const fact = { conversation: place(), content, kind: 'durable', people: [author], sources } as const
        ids.push((await store().add(fact)).id)
      }
      return ids
    },
    /** The section with the cards, in the prompt of the answer to a question. */
    async ask(author: string, said: Said = {}, text = '@kiki what do you think of that?') {
      await bot.say(author, text, said)
      const prompt = promptOf(chat.asked.at(-1))
      return (
        /^### (?:What you know of the people here|ここにいる人について知っていること)\n+([\s\S]*?)(?=\n+(?:##|---))/m.exec(
          prompt,
        )?.[1] ?? ''
      )
    },
    /** The lines of all versions of all cards, as they are stored. */
    async stored() {
      const { rows } = await bot.db.query<{ text: string; version: number; facts: readonly number[] }>(
        'select text, version, facts from profiles.card_line order by version, line',
      )
      return rows
    },
    async forget(id: string) {
      await borrowed.ctx().use(Erasure, 'optional')?.forget(key(id))
      await bot.pass('10m')
    },
    async people(line: string, json = false) {
      const lines: string[] = []
      const out: CliOutput = { json, print: text => void lines.push(text) }
      await bot.bot.command('people', line.split(' '), out)
      return lines
    },
    [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
  }
}
