/** Answers from documents: keeps an index of them, and gives the best passages for an answer, with numbers to cite. */
import { createEmbedder } from '@kikimimi/facts/embedder'
import {
  Access,
  Channels,
  type Conversation,
  type Database,
  definePlugin,
  Files,
  languageOf,
  MessageLog,
  Operator,
  type Turn,
} from 'kikimimi'
import { nothingFound, sectionOf } from './answer/section.ts'
import { dropOldQuestions, forgetQuestions, noteQuestion } from './asked.ts'
import { channelsReadIn, mayUse } from './audience.ts'
import { type CliParts, knowledgeCommand } from './cli.ts'
import { embedPassages } from './index/embed.ts'
import { dropSources, forgetDocuments, syncSource } from './index/sync.ts'
import { askedTerms } from './index/terms.ts'
import { nameOf, options, type SourceOptions } from './options.ts'
import { addPanel, Panels } from './panel.ts'
import { type Found, relevantOf, search } from './search/search.ts'
import { type ChannelParts, channelSource, isChannel } from './sources/channel.ts'
import { folderSource } from './sources/folder.ts'
import { gitSource } from './sources/git.ts'
import { pagesSource } from './sources/pages.ts'
import type { Source } from './sources/source.ts'
import { examine } from './status.ts'

/** Milliseconds from the start to the first look at the sources, and from a change of a file to its reading. */
const START_MS = 1_000
const CHANGE_MS = 1_000

/** Milliseconds from a failure to read a channel to the next attempt. Its platform may not be connected yet. */
const AGAIN_MS = 60_000

/** Words that a text must have to be a question to the documents. */
const LEAST_WORDS = 2

/** What the command line works with: the parts of a bot that is set up. */
const parts = new WeakMap<Database, CliParts>()

export default definePlugin({
  name: 'knowledge',
  options,
  migrations: new URL('./migrations/', import.meta.url),
  needs: [Access, Channels, Files, MessageLog, Operator],
  examine,
  cli: [knowledgeCommand(db => parts.get(db))],
  setup: async (ctx, { sources: given, every, limit, minRelevance }) => {
    const { clock, db, log, scope } = ctx
    const lent: ChannelParts = {
      ...{ log: ctx.use(MessageLog), channels: ctx.use(Channels), files: ctx.use(Files) },
      platforms: () => ctx.use(Operator).platforms,
    }
    const sources = given.map(one => ({ source: sourceOf(one, scope, lent), audience: one.audience }))
    const channels = sources.map(({ source }) => source).filter(isChannel)
    const byName = new Map(sources.map(({ source }) => [source.name, source]))
    const embedder = createEmbedder(ctx)
    parts.set(db, { sources: [...byName.values()], embedder, minRelevance })
    /** By the id of the turn, until it ends. */
    const found = new Map<string, { readonly found: readonly Found[]; cited: ReadonlySet<number> }>()
    const watched = new Map<string, Disposable>()
    scope.defer(() => {
      for (const watching of watched.values()) watching[Symbol.dispose]()
    })

    const embed = ctx.job<null>('embed', async (_nothing, signal) => {
      if (embedder) await embedPassages(db, embedder, signal)
    })

    const sync = ctx.job<{ readonly name: string; readonly since: string }>('sync', async ({ name, since }, signal) => {
      const source = byName.get(name)
      if (!source) return
      await watch(source)
      const result = await syncSource({ db, clock, log }, source, new Date(since), signal)
      if (result === 'more') await sync.schedule({ name, since }, { key: name })
      else if (result === 'failed' && isChannel(source)) await syncSoon(name, AGAIN_MS)
      else if (embedder) await embed.schedule(null, { key: 'embed' })
    })

    /** Later, so that the changes of one moment are read together. */
    function syncSoon(name: string, ms: number): Promise<void> {
      const at = new Date(clock.now() + ms)
      return sync.schedule({ name, since: at.toISOString() }, { key: name, at, unlessSooner: true })
    }

    /** Again before each reading, so that new folders are watched too. */
    async function watch({ name, watch }: Source): Promise<void> {
      if (!watch) return
      const changed = () => void syncSoon(name, CHANGE_MS).catch(error => log.warn(`a change was not noted: ${error}`))
      const before = watched.get(name)
      watched.delete(name)
      try {
        watched.set(name, await watch(changed))
      } catch {
        // The folder is missing: the reading tells, and the next look tries again.
      }
      before?.[Symbol.dispose]()
    }

    async function readAll(): Promise<void> {
      await dropSources(db, [...byName.keys()])
      for (const name of byName.keys()) await syncSoon(name, 0)
    }

    /** What a message of the log has changed is gone already; this reads what is there instead. */
    async function lookAtChannels(): Promise<void> {
      for (const { name } of channels) await syncSoon(name, CHANGE_MS)
    }
    if (channels.length > 0) {
      const changed = () => void lookAtChannels().catch(error => log.warn(`a change was not noted: ${error}`))
      scope.defer(await db.listen('knowledge_changed', changed))
    }

    /** Reads the sources whose changes nothing reports, and notices another model for vectors. */
    async function look(): Promise<void> {
      for (const name of byName.keys()) if (!watched.has(name)) await syncSoon(name, 0)
      if (embedder) await embed.schedule(null, { key: 'embed' })
    }

    const isPolled = sources.some(({ source }) => !source.watch)
    ctx.every('look', isPolled ? Math.max(1, every / 1_000) : '1h', look)
    ctx.every('tidy', '1d', async () => {
      await dropOldQuestions(db, new Date(clock.now()))
      await readAll()
    })
    const started = clock.setTimeout(() => {
      const panels = ctx.use(Panels, 'optional')
      if (panels) scope.defer(addPanel(panels, ctx))
      void readAll().catch(error => log.warn(`the sources were not looked at: ${error}`))
    }, START_MS)
    scope.defer(() => clock.clearTimeout(started))

    async function readable(conversation: Conversation, { message }: Turn): Promise<readonly string[]> {
      const access = ctx.use(Access)
      const may = await Promise.all(sources.map(({ audience }) => mayUse(audience, conversation, message.author, access)))
      const allowed = sources.flatMap(({ source }, at) => (may[at] ? source : []))
      const read = await channelsReadIn(
        db,
        conversation,
        allowed.filter(isChannel).map(({ name }) => name),
      )
      return allowed.flatMap(source => (!isChannel(source) || read.has(source.name) ? source.name : []))
    }

    return {
      async onRecorded(message, conversation) {
        for (const source of channels) if (source.concerns(conversation, message)) await syncSoon(source.name, CHANGE_MS)
      },

      async context(turn, { kind }) {
        if (kind !== 'full') return undefined
        const text = asked(turn)
        if (askedTerms(text).length < LEAST_WORDS) return undefined
        const names = await readable(turn.conversation, turn)
        if (names.length === 0) return undefined
        const all = await search(db, embedder, { text, sources: names, limit, signal: turn.signal })
        const relevant = relevantOf(all, minRelevance)
        const noted = { found: relevant, cited: new Set<number>() as ReadonlySet<number> }
        found.set(turn.id, noted)
        const locale = languageOf(turn.history, ctx.bot.locale)
        if (relevant.length === 0) return turn.addressed ? nothingFound(names, locale) : undefined
        return sectionOf(relevant, locale, passages => {
          noted.cited = new Set(passages)
        })
      },

      async after(turn, { outcome }) {
        const noted = found.get(turn.id)
        found.delete(turn.id)
        if (noted && outcome === 'replied') await noteQuestion(db, turn, noted, new Date(clock.now()))
      },

      async forget(person) {
        await forgetQuestions(db, person)
        if (await forgetDocuments(db, person)) await lookAtChannels()
      },
    }
  },
})

function sourceOf(given: SourceOptions, scope: AsyncDisposableStack, parts: ChannelParts): Source {
  const name = nameOf(given)
  if ('channel' in given) return channelSource({ ...given, name, parts })
  if ('folder' in given) return folderSource({ name, folder: given.folder, link: given.link })
  if ('git' in given) return gitSource({ ...given, name, scope })
  return pagesSource({ name, urls: given.urls })
}

/** What the author of the trigger asks in this batch, without the name of the bot. */
function asked({ messages, message, me, persona: { names } }: Turn): string {
  const text = messages
    .filter(({ author }) => author.id === message.author.id)
    .map(({ text }) => text)
    .join('\n')
  return [...names, me.name].filter(name => name !== '').reduce((rest, name) => rest.replaceAll(name, ' '), text)
}
