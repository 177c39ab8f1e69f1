/** `kikimimi knowledge`: for the operator of the bot. It searches every source, also those of a small audience. */
import type { Embedder } from '@kikimimi/facts/embedder'
import { type CliCommand, type CliOutput, type Database, KikimimiError, type PluginContext } from 'kikimimi'
import { placeOf } from './answer/section.ts'
import { embedPassages } from './index/embed.ts'
import { dropSources, syncSource } from './index/sync.ts'
import { type Found, search } from './search/search.ts'
import { isChannel } from './sources/channel.ts'
import type { Source } from './sources/source.ts'
import { failuresOf, statesOf } from './status.ts'

/** Lines on a screen. */
const SHOWN = 50
const RESULTS = 10

export interface CliParts {
  readonly sources: readonly Source[]
  readonly embedder: Embedder | undefined
  readonly minRelevance: number
}

/** @param partsOf what `setup` has made for the context */
export function knowledgeCommand(partsOf: (db: Database) => CliParts | undefined): CliCommand {
  return {
    name: 'knowledge',
    usage: [
      { call: 'knowledge', does: 'the sources, with their documents and what could not be read' },
      { call: 'knowledge search QUESTION', does: `the ${RESULTS} best passages of all sources for a question` },
      { call: 'knowledge reindex', does: 'read all sources but channels again from nothing' },
    ],

    async run(ctx, [verb = 'list', ...rest], out) {
      const parts = partsOf(ctx.db)
      if (!parts) throw new KikimimiError('INTERNAL', '[knowledge] the plugin is not set up.')
      if (verb === 'list' && rest.length === 0) return list(ctx.db, out)
      if (verb === 'search' && rest.length > 0) return find(ctx.db, parts, rest.join(' '), out)
      if (verb === 'reindex' && rest.length === 0) return reindex(ctx, parts, out)
      throw new KikimimiError(
        'USAGE',
        'kikimimi knowledge, knowledge search QUESTION, or knowledge reindex. Try kikimimi knowledge --help.',
      )
    },
  }
}

async function list(db: Database, out: CliOutput): Promise<void> {
  const states = await statesOf(db)
  for (const state of states) {
    const { name, documents, passages, unreadable, problem } = state
    if (out.json) out.print(JSON.stringify(state))
    else
      out.print(
        `${name}  ${documents} documents  ${passages} passages  ${unreadable} unreadable${problem === null ? '' : `  ${problem}`}`,
      )
  }
  const failures = await failuresOf(db, SHOWN)
  for (const failure of failures) {
    out.print(
      out.json ? JSON.stringify(failure) : `  ${oneLine(failure.source)}: ${oneLine(failure.path)}: ${oneLine(failure.problem)}`,
    )
  }
  if (states.length === 0 && !out.json)
    out.print('No source has been read yet. Start the bot, or run kikimimi knowledge reindex.')
}

async function find(db: Database, { sources, embedder, minRelevance }: CliParts, text: string, out: CliOutput): Promise<void> {
  const found = await search(db, embedder, { text, sources: sources.map(({ name }) => name), limit: RESULTS })
  for (const one of found) out.print(out.json ? JSON.stringify(one) : line(one, minRelevance))
  if (found.length === 0 && !out.json) out.print('Nothing was found.')
}

function line(found: Found, minRelevance: number): string {
  const mark = found.relevance < minRelevance ? ' (too little for an answer)' : ''
  return `${Math.round(100 * found.relevance)} %${mark}  ${placeOf(found)}\n    ${oneLine(found.text).slice(0, 200)}`
}

async function reindex(ctx: PluginContext, { sources, embedder }: CliParts, out: CliOutput): Promise<void> {
  const { signal } = new AbortController()
  // Only the running bot is connected to the platforms.
  const [channels, others] = [sources.filter(isChannel), sources.filter(source => !isChannel(source))]
  await dropSources(
    ctx.db,
    channels.map(({ name }) => name),
  )
  for (const source of others) {
    const since = new Date(ctx.clock.now())
    while ((await syncSource(ctx, source, since, signal)) === 'more');
  }
  if (embedder) await embedPassages(ctx.db, embedder, signal)
  await list(ctx.db, out)
}

/** The text on one line, without control characters of a terminal. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ')
}
