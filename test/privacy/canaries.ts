/** Words that people tell a bot with every plugin, until the bot has forgotten all of them: what is left of them, and where. */
import { seededRandom } from 'kikimimi/testing'
import { dump } from '../../core/testing/privacy/dump.ts'
import { shippedPlugins } from '../shipped-plugins.ts'
import { createActs } from './acts.ts'
import { decoded } from './checks.ts'
import { backupOf, exportOf } from './copies.ts'
import type { Manner } from './model.ts'
import { restored } from './restored.ts'
import { openTown, type Town } from './town.ts'
import { secretsIn, wordOf } from './words.ts'
import { type Account, createWorld, type World } from './world.ts'

/** Number of words by where they are, such as `kikimimi.message`, `backup` or `prompts`. */
export type Found = Readonly<Record<string, number>>

export interface Told {
  readonly before: Found
  readonly left: Found
  /** What the bot claims to have erased of a person, and what is gone. */
  readonly certificates: readonly { readonly claimed: Erased; readonly gone: Erased }[]
  readonly words: number
}

interface Erased {
  readonly messages: number
  readonly own: number
  readonly traces: number
}

/** Acts that tell a word, and by how often they come. */
const TELLING = { say: 10, show: 5, remember: 3, remind: 2, watch: 1, 'told not': 8 } as const
/** Acts between them. */
const ASKING = ['ask', 'ask', 'ask about a person', 'answer a message', 'command', 'rate']

/** They ask the bot to forget them. The operator erases the next ones, with a certificate. */
const LEAVING: readonly Account[] = ['test:ann', 'other:dai']
const ERASED: readonly Account[] = ['test:ben', 'other:eve', 'test:zoe']

/** What is told not to be remembered is in the log until then. */
const LATER = '2h'
const QUESTIONS = 30

export async function tellCanaries(words: number, manner: Manner, seed = 1): Promise<Told> {
  const random = seededRandom(seed)
  const world = createWorld()
  let number = 0
  const plugins = shippedPlugins()
  await using town = await openTown({ seed, manner, searches: prompt => prompt.length % 5 === 0, plugins })
  const { bot } = town
  const { acts, ask } = createActs({
    ...{ town, world, random, checks: { look: () => {} }, happens: () => {}, backUp: async () => {} },
    ...{ round: () => number, word: () => wordOf(number) },
  })
  const bag = Object.entries(TELLING).flatMap(([name, count]) => Array<string>(count).fill(name))
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? ''
  const said = { prompts: new Set<string>(), posts: new Set<string>() }
  const hear = () => {
    const { prompts, posts } = town.take()
    for (const { text } of prompts) for (const word of secretsIn(text)) said.prompts.add(word)
    for (const { text } of posts) for (const word of secretsIn(text)) said.posts.add(word)
  }
  const places = async (backup: readonly string[]): Promise<Found> => ({
    ...Object.fromEntries([...(await dump(bot.db))].map(([table, rows]) => [table, countIn([rows])])),
    ...{ export: countIn(await exportOf(bot)), backup: countIn(backup), pages: countIn(await town.pages()) },
    ...{ log: countIn(bot.log), prompts: said.prompts.size, posts: said.posts.size },
  })

  for (number = 1; number <= words; number++) {
    while (world.secrets.length < number) await acts[pick(bag)]?.run()
    if (number % 4 === 0) await acts[pick(ASKING)]?.run()
    if (number % 40 === 0) await acts.wait?.run()
  }
  hear()
  const copy = await backupOf(bot)
  const before = somewhere({ ...(await places(copy)), restored: countIn(copy) })

  const certificates = await forgetAll(town, world)
  await bot.pass(LATER)
  hear()
  said.prompts.clear()
  said.posts.clear()
  for (let at = 0; at < QUESTIONS; at++) await ask()
  await bot.pass(LATER)
  hear()
  const left = somewhere({
    ...(await places(await backupOf(bot))),
    restored: countIn(await restored(copy, bot.db, bot.clock.now(), plugins)),
  })
  return { before, left, certificates, words }
}

/** Each word goes: with a person, with its message, or because its author does not want it to be remembered. */
async function forgetAll(town: Town, world: World): Promise<Told['certificates']> {
  const { bot } = town
  const gone = new Set<Account>()
  for (const account of LEAVING) {
    const place = world.places.find(one => world.readersOf(one).has(account))
    if (!place) continue
    await town.say(account, place, '@kiki forget me', `forget ${account}`)
    await bot.pass('13m')
    gone.add(account)
  }
  const certificates: { claimed: Erased; gone: Erased }[] = []
  for (const account of ERASED) {
    const [platform = '', id = ''] = account.split(':')
    const before = await countOf(town, platform, id)
    const { messages, own, traces } = await bot.bot.forget({ platform, id })
    const after = await countOf(town, platform, id)
    const difference = {
      messages: before.messages - after.messages,
      own: before.own - after.own,
      traces: before.traces - after.traces,
    }
    certificates.push({ claimed: { messages, own, traces }, gone: difference })
    gone.add(account)
    await bot.pass('13m')
  }
  // What was told not to be remembered goes by itself.
  for (const { author, place, id, gone: how } of world.secrets)
    if (!gone.has(author) && how === undefined) await town.remove(place, id)
  return certificates
}

/** The messages of a person, those of the bot, and the traces. */
async function countOf({ bot }: Town, platform: string, id: string): Promise<Erased> {
  const { rows } = await bot.db.query<Erased>(
    `select count(*) filter (where not own and author_id = $2 and starts_with(conversation, $1 || '/'))::int as messages,
       count(*) filter (where own and (text <> '' or attachments <> '[]'))::int as own, (select count(*)::int from kikimimi.trace) as traces
     from kikimimi.message`,
    [platform, id],
  )
  return rows[0] ?? { messages: 0, own: 0, traces: 0 }
}

function countIn(lines: readonly string[]): number {
  return new Set(lines.flatMap(line => secretsIn(decoded(line)))).size
}

function somewhere(found: Found): Found {
  return Object.fromEntries(Object.entries(found).filter(([, count]) => count > 0))
}
