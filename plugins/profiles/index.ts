/** Counts how often people talk, and notes their topics and how well the bot knows them. */
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
    // The rest is counted after the next start.
    ctx.scope.defer(() => store.flush().catch((error: unknown) => log.warn('could not count messages', { error })))
    return {
      context: turn => sectionFor(turn, store, ctx),
      forget: person => links.write(() => forgetPerson(db, person)),
    }
  },
})

/** The section about the author of the trigger: familiarity and memories. */
async function sectionFor(turn: Turn, store: ProfileStore, ctx: PluginContext): Promise<Section | undefined> {
  const { message, conversation, history } = turn
  const { author } = message
  if (author.bot) return undefined
  const profile = await store.get({ platform: conversation.platform, id: author.id }, conversation)
  if (!profile) return undefined
  const locale = languageOf(history, ctx.locale)
  // The name of the transcript, because two people can have the same name.
  const name = namesOf(history, '').get(author.id) || safeName(profile.name) || safeName(author.id)
  const lines = knownLines(profile, locale)
  const parts = [
    ctx.prompt(profile.familiarity, { name }, locale),
    ...(lines === '' ? [] : [ctx.prompt('known', { lines }, locale)]),
  ]
  return { place: 'person', title: titleIn(locale), text: parts.join('\n\n') }
}
