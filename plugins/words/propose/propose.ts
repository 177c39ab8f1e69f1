/** Once a day, a model finds what people said about words that the rules do not recognise. It can only quote. */
import { createHash } from 'node:crypto'
import {
  type Conversation,
  type Database,
  type LoggedMessage,
  languageOf,
  MessageLog,
  modelFailure,
  type PluginContext,
  safeLine,
  safeName,
} from 'kikimimi'
import { z } from 'zod'
import { type Definition, hasWord, isAllowed, keyOf } from '../definitions.ts'
import type { Options } from '../index.ts'
import type { Words } from '../store.ts'
import { type Candidate, candidatesIn } from './candidates.ts'

const DAY = 24 * 60 * 60_000

/** How far a run reads back, in milliseconds and messages. */
const BACK = 7 * DAY
const READ = 600
/** Channels of a run. */
const CHANNELS = 200
/** Messages of one word, and characters of a message, that a model reads. */
const OF_WORD = 6
const EXCERPT = 300
/** After this time a model is asked for a word again. */
const AGAIN = 90 * DAY

const found = z.object({
  words: z.array(
    z.object({
      word: z.string().describe('The word, as the list has it.'),
      message: z.string().describe('The number of the message that explains it.'),
      quote: z.string().describe('The words of that message that say what it means, copied exactly.'),
    }),
  ),
})

type Found = z.output<typeof found>['words'][number]

export function createProposing(ctx: PluginContext<Options>, words: Words) {
  const { db, clock } = ctx
  const log = ctx.use(MessageLog)

  return async (signal: AbortSignal): Promise<void> => {
    const now = clock.now()
    await db.query('delete from words.asked where at < $1', [new Date(now - AGAIN)])
    for (const channel of await activeChannels(db, new Date(now - DAY))) {
      const { learn, propose } = ctx.optionsFor(channel)
      if (learn && propose) await proposeIn(channel, signal)
    }
  }

  async function proposeIn(channel: Conversation, signal: AbortSignal): Promise<void> {
    const since = new Date(clock.now() - BACK)
    const read = await log.read({ readers: channel, channel: channel.id, people: true, since, limit: READ })
    const messages = read.filter(({ text }) => text !== '')
    const explained = new Set((await words.find(channel, channel.id)).map(({ word }) => keyOf(word)))
    const { rows: asked } = await db.query<{ hash: string }>('select hash from words.asked where channel = $1', [channel.id])
    const hashes = new Set(asked.map(({ hash }) => hash))
    const candidates = candidatesIn(messages, word => explained.has(keyOf(word)) || hashes.has(hashOf(word)))
    if (candidates.length === 0) return
    const excerpts = excerptsOf(candidates, messages)
    const { names } = ctx.bot.personaIn(channel)
    try {
      for (const one of await ask(channel, candidates, excerpts, signal)) {
        const definition = checked(one, { candidates, excerpts, names })
        if (definition) await words.learn(definition.said.conversation.id, channel.id, [definition])
      }
    } catch (error) {
      signal.throwIfAborted()
      ctx.log.debug('no model looked for explanations of words', { code: modelFailure(error), conversation: channel.id })
      return
    }
    await db.query('insert into words.asked (channel, hash, at) select $1, unnest($2::text[]), $3 on conflict do nothing', [
      ...[channel.id, candidates.map(({ word }) => hashOf(word)), new Date(clock.now())],
    ])
  }

  async function ask(
    conversation: Conversation,
    candidates: readonly Candidate[],
    excerpts: readonly LoggedMessage[],
    signal: AbortSignal,
  ): Promise<readonly Found[]> {
    const locale = languageOf(excerpts, ctx.bot.locale)
    const values = {
      words: candidates.map(({ word }) => `- ${word}`).join('\n'),
      messages: excerpts
        .map(({ author, text }, at) => `[${at + 1}] ${safeName(author.name)}: ${safeLine(text.slice(0, EXCERPT))}`)
        .join('\n'),
    }
    const { words } = await ctx.models.object('summary', found, {
      system: ctx.prompt('propose.system', { name: ctx.bot.personaIn(conversation).name }, locale),
      messages: [{ role: 'user', text: ctx.prompt('propose.user', values, locale) }],
      conversation,
      signal,
    })
    return words.slice(0, candidates.length)
  }

  /** What a model has found, if the message has the word and the quotation. */
  function checked(
    { word, message, quote }: Found,
    {
      candidates,
      excerpts,
      names,
    }: {
      readonly candidates: readonly Candidate[]
      readonly excerpts: readonly LoggedMessage[]
      readonly names: readonly string[]
    },
  ) {
    const candidate = candidates.find(one => keyOf(one.word) === keyOf(word))
    const said = excerpts[Number(message) - 1]
    const meaning = quote.replace(/\s+/g, ' ').trim()
    if (!candidate || !said || !hasWord(said.text, candidate.word) || meaning.length > EXCERPT) return undefined
    if (!keyOf(said.text).includes(keyOf(meaning)) || !isAllowed(candidate.word, meaning, names)) return undefined
    return { word: candidate.word, meaning, said } satisfies Definition
  }
}

/** The messages that a model reads, oldest first. */
function excerptsOf(candidates: readonly Candidate[], messages: readonly LoggedMessage[]): readonly LoggedMessage[] {
  const wanted = new Set(candidates.flatMap(one => one.said.slice(-OF_WORD)))
  return messages.filter(message => wanted.has(message))
}

/** Instead of the word, which can be one of a person who is forgotten. */
function hashOf(word: string): string {
  return createHash('sha256').update(keyOf(word)).digest('base64url').slice(0, 22)
}

/** Channels in which somebody has written since a time, themselves or in their threads. */
async function activeChannels(db: Database, since: Date): Promise<readonly Conversation[]> {
  const { rows } = await db.query<Conversation>(
    `select c.id, c.platform, c.workspace, c.channel, c.name, c.visibility from kikimimi_v1.conversation c
     where c.thread is null and c.id in (
       select array_to_string((string_to_array(l.conversation, '/'))[1:3], '/') from kikimimi_v1.latest l where l.received_at > $1
     ) order by c.id limit $2`,
    [since, CHANNELS],
  )
  return rows
}
