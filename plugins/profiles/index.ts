/** Knows people: how often they talk, how well it knows them, and what about. */
import { cached, definePlugin, languageOf, namesOf, type PluginContext, type Section, safeName, type Turn } from 'kikimimi'
import { readLinks } from './accounts.ts'
import { people } from './cli.ts'
import { forgetPerson, tidy } from './forget.ts'
import { options } from './options.ts'
import { type ProfileStore, Profiles } from './profile-store.ts'
import { knownLines, titleIn } from './section.ts'
import { createProfileStore } from './store.ts'

export * from './profile-store.ts'

export default definePlugin({
  name: 'profiles',
  options,
  provides: [Profiles],
  migrations: new URL('./migrations/', import.meta.url),
  remembers: true,
  prompts: new URL('./prompts/', import.meta.url),
  cli: [people],
  async setup(ctx, options) {
    const { db, clock, log } = ctx
    const links = await cached(ctx, 'profiles.account', () => readLinks(db))
    const store = createProfileStore({ db, clock, links, options, names: ctx.persona.names })
    ctx.provide(Profiles, store)
    ctx.every('write', options.writeEvery / 1_000, () => store.flush())
    ctx.every('tidy', '1d', () => tidy(db, new Date(clock.now())))
    // What is not written now is written after the next start.
    ctx.scope.defer(() => store.flush().catch((error: unknown) => log.warn('could not write what was heard', { error })))
    return {
      context: turn => sectionFor(turn, store, ctx),
      forget: person => links.write(() => forgetPerson(db, person)),
    }
  },
})

/** Who is speaking, how well the bot knows them, and what it remembers of them. */
async function sectionFor(turn: Turn, store: ProfileStore, ctx: PluginContext): Promise<Section | undefined> {
  const { message, conversation, history } = turn
  const { author } = message
  if (author.bot) return undefined
  const profile = await store.get({ platform: conversation.platform, id: author.id }, conversation)
  if (!profile) return undefined
  const locale = languageOf(history, ctx.locale)
  // As the transcript calls them, where another may have the same name.
  const name = namesOf(history, '').get(author.id) || safeName(profile.name) || safeName(author.id)
  const lines = knownLines(profile, locale)
  const parts = [
    ctx.prompt(profile.familiarity, { name }, locale),
    ...(lines === '' ? [] : [ctx.prompt('known', { lines }, locale)]),
  ]
  return { place: 'person', title: titleIn(locale), text: parts.join('\n\n') }
}
