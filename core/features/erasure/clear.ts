/**
 * Clears the kernel's own data of a person. Data that is found by the person's words is cleared first, and the person's
 * messages last: after an interruption, the remaining messages find the rest. It works page by page: a log of a million
 * messages needs little memory and no long transaction.
 */
import { setImmediate } from 'node:timers/promises'
import type { CapturedPrompt, MessagePart, Trace } from '../../api/index.ts'
import { type NameMatcher, nameMatcher, OMITTED } from '../../base/text/names.ts'
import type { Jobs } from '../../storage/jobs/jobs.ts'
import type { Forgetting, ForgettingStore, KeptMessage, KeptPrompts, KeptTrace, Near } from '../../storage/store/erasure-store.ts'
import type { TurnStore } from '../../storage/store/turn-store.ts'
import { pruneQueues } from './rewrite-jobs.ts'
import { createQuotes, hashOf, type Quotes, quotesOf, runsOf } from './words.ts'

/** The number of deleted and changed records. */
export interface Cleared {
  /** Messages of the person. */
  messages: number
  /** Messages of others that mentioned or quoted the person, or had a reaction of the person. */
  changed: number
  /** Messages of the bot that contained words or a name of the person, answered the person, or were made from such messages. */
  own: number
  traces: number
  /** Unsent deliveries. */
  deliveries: number
}

export interface ClearDeps {
  readonly store: ForgettingStore
  readonly jobs: Pick<Jobs, 'prune'>
  readonly turns: Pick<TurnStore, 'dropDelayed'>
  readonly now: () => Date
}

/** Limits of runs and letters in memory, about 50 MB. More text of the person needs another pass. */
const RUNS = 1_000_000
const LETTERS = 4_000_000

/** Messages of one query. */
const CHUNK = 1_000

/** Number of rows that takes tens of milliseconds. */
const MANY = 500

type Said = Pick<KeptMessage, 'seq' | 'text' | 'parts'>

interface Words {
  readonly runs: ReadonlySet<number>
  readonly quotes: Quotes
}

/**
 * @param near search only there. The words of the person are kept then, to search all the rest later. Default: everywhere
 */
export async function clearLog(deps: ClearDeps, forgetting: Forgetting, signal: AbortSignal, near?: Near): Promise<Cleared> {
  const cleared: Cleared = { messages: 0, changed: 0, own: 0, traces: 0, deliveries: 0 }
  const names = nameMatcher(forgetting.names)
  const step = createSteps(deps, forgetting, names, cleared, signal, near)
  await step.dropAnswers()
  for await (const words of wordsOf(deps.store, forgetting, signal)) {
    const suspects = await step.suspectsAmongOwn(words)
    await step.changeOthers(words, suspects)
    await step.dropOwn(suspects)
    await step.dropTracesAndDeliveries(words)
    await step.pruneJobs(words)
  }
  await step.unnameDirects()
  await deps.store.dropDetails(forgetting, near?.conversations)
  await step.dropMessages()
  return cleared
}

/**
 * Erases the bot's messages of turns that began before the end of the clearing: their sources are gone, so each is erased
 * as a whole.
 */
export async function clearMeanwhile(deps: ClearDeps, forgetting: Forgetting): Promise<void> {
  const { beganAt, clearedAt } = forgetting
  if (!beganAt || !clearedAt) return
  const said = await deps.store.saidSince(forgetting, beganAt)
  const seqs = said.filter(({ turn }) => turnBegan(turn) <= clearedAt.getTime()).map(({ seq }) => seq)
  await deps.store.erase(seqs, forgetting, deps.now())
}

/** The id of a turn begins with its time. */
function turnBegan(turn: string): number {
  return Number.parseInt(turn.replace(/^send-/, '').split('-')[0] ?? '', 36)
}

/**
 * The words of the person, in portions. Without words there is one empty portion, because the names must be searched too.
 */
async function* wordsOf(store: ForgettingStore, forgetting: Forgetting, signal: AbortSignal): AsyncGenerator<Words> {
  let runs = new Set<number>()
  let quotes = createQuotes()
  let [held, portions] = [0, 0]
  for await (const message of saidBy(store, forgetting, signal)) {
    const { seq } = message
    const text = textOf(message)
    for (const run of runsOf(text)) runs.add(hashOf(run))
    for (const quote of quotesOf(text)) quotes.add(quote, seq)
    held += text.length
    if (runs.size < RUNS && held < LETTERS) continue
    yield { runs, quotes }
    portions++
    ;[runs, quotes, held] = [new Set(), createQuotes(), 0]
  }
  if (held > 0 || portions === 0) yield { runs, quotes }
}

async function* saidBy(store: ForgettingStore, forgetting: Forgetting, signal: AbortSignal): AsyncGenerator<Said> {
  yield* all(after => store.keptWords(forgetting, after), signal)
  yield* all<Said>(after => store.messages('person', forgetting, after), signal)
}

async function* all<T extends { readonly seq: number }>(
  page: (after: number) => Promise<readonly T[]>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  for await (const rows of pages(page, ({ seq }) => seq, 0, signal)) yield* rows
}

async function* pages<T, K>(
  page: (after: K) => Promise<readonly T[]>,
  keyOf: (row: T) => K,
  start: K,
  signal: AbortSignal,
): AsyncGenerator<readonly T[]> {
  for (let after = start; ; ) {
    signal.throwIfAborted()
    const rows = await page(after)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = keyOf(last)
    // PGlite answers within the tick: without a break a long log would block other work for seconds.
    if (rows.length >= MANY) await setImmediate()
  }
}

function createSteps(
  { store, jobs, turns, now }: ClearDeps,
  forgetting: Forgetting,
  names: NameMatcher,
  cleared: Cleared,
  signal: AbortSignal,
  near?: Near,
) {
  /** Undefined: all messages. */
  const places = near ? chunks(near.messages) : [undefined]

  async function* messages(whose: 'bot' | 'others'): AsyncGenerator<readonly KeptMessage[]> {
    for (const place of places)
      yield* pages(
        after => store.messages(whose, forgetting, after, place),
        ({ seq }: KeptMessage) => seq,
        0,
        signal,
      )
  }

  async function* traces(): AsyncGenerator<readonly KeptTrace[]> {
    if (near) return
    yield* pages(
      after => store.traces(forgetting, after),
      ({ turn }: KeptTrace) => turn,
      '',
      signal,
    )
  }

  async function* prompts(): AsyncGenerator<readonly KeptPrompts[]> {
    if (near) return
    yield* pages(
      after => store.prompts(forgetting, after),
      ({ turn }: KeptPrompts) => turn,
      '',
      signal,
    )
  }

  const holds = (text: string, { runs }: Words) => names.test(text) || runsOf(text).some(run => runs.has(hashOf(run)))

  async function dropFrom(seqs: readonly number[]): Promise<void> {
    if (seqs.length > 0) await store.erase(seqs, forgetting, now())
    cleared.own += seqs.length
  }

  /**
   * The message of another person without words of the erased person. A text that others wrote first is no quotation. A name stays: it
   * is a word of its author, and anybody can choose any name.
   */
  function changed(message: KeptMessage, quotes: Quotes): KeptMessage {
    const without = (text: string) => {
      let left = text
      for (const { quote, seq } of quotes.in(text)) if (message.seq > seq) left = left.replaceAll(quote, OMITTED)
      return left
    }
    return {
      ...message,
      text: without(message.text),
      parts: message.parts.map(part => ({ ...part, ...mapValues(wordsIn(part), without) })),
      mentions: message.mentions.filter(({ id }) => id !== forgetting.id),
      reactions: message.reactions
        .map(({ emoji, by }) => ({ emoji, by: by.filter(one => one !== forgetting.id) }))
        .filter(({ by }) => by.length > 0),
    }
  }

  return {
    async dropAnswers(): Promise<void> {
      await dropFrom(await store.answers(forgetting))
    },

    /** The runs in the bot's messages that are probably the person's words. */
    async suspectsAmongOwn({ runs }: Words): Promise<Set<string>> {
      const suspects = new Set<string>()
      for await (const rows of messages('bot'))
        for (const { text } of rows) for (const run of runsOf(text)) if (runs.has(hashOf(run))) suspects.add(run)
      return suspects
    },

    /** Removes the person's words from messages of others. Runs that others wrote too are removed from the suspects. */
    async changeOthers({ quotes }: Words, suspects: Set<string>): Promise<void> {
      for await (const rows of messages('others')) {
        for (const row of rows) for (const one of quotes.in(textOf(row))) if (row.seq < one.seq) quotes.drop(one.quote)
        const news = rows.map(row => changed(row, quotes))
        const touched = news.filter((one, at) => differs(one, rows[at])).map(({ seq }) => seq)
        if (touched.length > 0) cleared.changed += await store.rewrite(touched, row => changed(row, quotes))
        if (suspects.size > 0) for (const one of news) for (const run of runsOf(textOf(one))) suspects.delete(run)
      }
    },

    async dropOwn(suspects: ReadonlySet<string>): Promise<void> {
      for await (const rows of messages('bot')) {
        const theirs = rows.filter(({ text }) => names.test(text) || runsOf(text).some(run => suspects.has(run)))
        await dropFrom(theirs.map(({ seq }) => seq))
      }
    },

    async dropTracesAndDeliveries(words: Words): Promise<void> {
      const dropTurns = async (turns: readonly string[]) => {
        if (turns.length > 0) await store.dropTraces(turns)
        cleared.traces += turns.length
      }
      await dropTurns(await store.turns(forgetting))
      for await (const rows of traces()) {
        const found = rows.filter(({ trace }) => saidIn(trace).some(text => holds(text, words)))
        await dropTurns(found.map(({ turn }) => turn))
      }
      for await (const rows of prompts()) {
        const found = rows.filter(({ prompts }) => prompts.some(prompt => askedIn(prompt).some(text => holds(text, words))))
        if (found.length > 0) await store.dropPrompts(found.map(({ turn }) => turn))
      }
      for await (const rows of pages(
        after => store.deliveries(forgetting, after),
        ({ nonce }) => nonce,
        '',
        signal,
      )) {
        const found = rows.filter(({ theirs, body }) => theirs || (body !== null && holds(body, words)))
        if (found.length > 0) await store.dropDeliveries(found.map(({ nonce }) => nonce))
        cleared.deliveries += found.length
      }
    },

    pruneJobs: (words: Words) => pruneQueues({ jobs, turns }, forgetting, names, text => holds(text, words)),

    async unnameDirects(): Promise<void> {
      const named = (await store.directs(forgetting, near?.conversations)).filter(({ name }) => names.test(name))
      if (named.length > 0) await store.unname(named.map(({ id }) => id))
    },

    async dropMessages(): Promise<void> {
      for await (const rows of pages(
        after => store.messages('person', forgetting, after),
        ({ seq }) => seq,
        0,
        signal,
      )) {
        const seqs = rows.map(({ seq }) => seq)
        if (near) await store.keepWords(seqs, forgetting)
        await store.erase(seqs, forgetting, now())
        cleared.messages += rows.length
      }
    },
  }
}

function chunks(seqs: readonly number[]): (readonly number[])[] {
  return Array.from({ length: Math.ceil(seqs.length / CHUNK) }, (_, at) => seqs.slice(at * CHUNK, (at + 1) * CHUNK))
}

/** The words of a message: its text, and those of its cards and polls. */
function textOf({ text, parts }: Said): string {
  return [text, ...parts.flatMap(part => Object.values(wordsIn(part)))].join('\n')
}

/** All of a card that people read. */
function wordsIn({ kind: _, url, ...words }: MessagePart): Readonly<Record<string, string>> {
  return { ...words, ...(url !== undefined && { url }) }
}

function mapValues(given: Readonly<Record<string, string>>, change: (value: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, change(value)]))
}

function differs(one: KeptMessage, other: KeptMessage | undefined): boolean {
  const { text, mentions, reactions, parts } = one
  return (
    text !== other?.text ||
    mentions.length !== other.mentions.length ||
    JSON.stringify(reactions) !== JSON.stringify(other.reactions) ||
    JSON.stringify(parts) !== JSON.stringify(other.parts)
  )
}

function askedIn({ system, messages, output = '' }: CapturedPrompt): string[] {
  return [system, ...messages.map(({ text }) => text), output]
}

/** The texts of a trace that a model or a plugin wrote. */
function saidIn({ decision, score, why, problems, sections, models }: Trace): string[] {
  return [
    decision?.why,
    why,
    ...(score?.parts.map(part => part.why) ?? []),
    ...problems.map(({ message }) => message),
    ...sections.map(({ title }) => title),
    ...models.map(({ error }) => error),
  ].filter(text => text !== undefined)
}
