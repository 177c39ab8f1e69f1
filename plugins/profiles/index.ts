/** Counts how often people talk, notes their topics, and folds facts about them into cards. */
import {
  cached,
  definePlugin,
  type Locale,
  languageOf,
  MessageLog,
  namesOf,
  OptOuts,
  type PluginContext,
  type Section,
  safeName,
  type Turn,
} from 'kikimimi'
import { readLinks } from './accounts.ts'
import { createConsolidation } from './cards/consolidate.ts'
import { cardsFor } from './cards/section.ts'
import { people } from './cli.ts'
import { countMessages } from './counting/count.ts'
import { forgetPerson, tidy } from './forget.ts'
import { options } from './options.ts'
import { type ProfileStore, Profiles } from './profile-store.ts'
import { knownLines, titleIn } from './section.ts'
import { createProfileStore } from './store.ts'

export * from './profile-store.ts'

/** Messages per transaction. On the embedded database, all other work waits for it. */
const BATCH = 1_000

/** Milliseconds until many new messages are counted. */
const TOGETHER = 3_000

export default definePlugin({
  name: 'profiles',
  options,
  needs: [MessageLog, OptOuts],
  provides: [Profiles],
  migrations: new URL('./migrations/', import.meta.url),
  remembers: true,
  prompts: new URL('./prompts/', import.meta.url),
  cli: [people],
  unused: (_options, bot): Readonly<Record<string, string>> =>
    bot.optionsOf('facts') ? {} : { cards: 'cards are made of facts, and the bot does not have the plugin facts' },
  async setup(ctx, options) {
    const { db, clock, log } = ctx
    const links = await cached(ctx, 'profiles.account', () => readLinks(db))
    const counting = ctx.job<Record<string, never>>('count', () => store.flush())
    /** A run is scheduled for this time. */
    let counted = Number.NEGATIVE_INFINITY
    async function countLater(): Promise<void> {
      const now = clock.now()
      if (now < counted) return
      counted = now + TOGETHER
      await counting.schedule({}, { at: new Date(counted), key: 'count', unlessSooner: true })
    }
    const messages = ctx.use(MessageLog)
    const counts = messages.index({ name: 'profiles', most: BATCH, store: some => countMessages(db, some) })
    const store = createProfileStore({
      db,
      messages,
      counts,
      clock,
      links,
      optOuts: ctx.use(OptOuts),
      options,
      personaIn: ctx.bot.personaIn,
      countLater,
    })
    ctx.provide(Profiles, store)
    ctx.every('write', options.writeEvery / 1_000, () => store.flush())
    ctx.every('cards', '1d', createConsolidation(ctx, counts, options))
    ctx.every('tidy', '1d', () => tidy({ db, counts }, new Date(clock.now())))
    ctx.scope.defer(() => store.close().catch((error: unknown) => log.warn('could not count messages', { error })))
    return {
      context: turn => sectionsFor(turn, store, ctx),
      forget: person => links.write(() => forgetPerson({ db, counts }, person)),
    }
  },
})

/** The author of the trigger with familiarity and memories, and the cards of the people present. */
async function sectionsFor(turn: Turn, store: ProfileStore, ctx: PluginContext): Promise<readonly Section[]> {
  const locale = languageOf(turn.history, ctx.bot.locale)
  const sections = await Promise.all([authorOf(turn, store, ctx, locale), cardsFor(turn, ctx, locale)])
  return sections.filter(section => section !== undefined)
}

async function authorOf(turn: Turn, store: ProfileStore, ctx: PluginContext, locale: Locale): Promise<Section | undefined> {
  const { message, conversation, history } = turn
  const { author } = message
  if (author.bot) return undefined
  const profile = await store.get({ platform: conversation.platform, id: author.id }, conversation)
  if (!profile) return undefined
  // The name of the transcript, because two people can have the same name.
  const name = namesOf(history, '').get(author.id) || safeName(profile.name) || safeName(author.id)
  const lines = knownLines(profile, locale)
  const parts = [
    ctx.prompt(profile.familiarity, { name }, locale),
    ...(lines === '' ? [] : [ctx.prompt('known', { lines }, locale)]),
  ]
  return { place: 'person', title: titleIn(locale), text: parts.join('\n\n'), sources: profile.sources }
}
