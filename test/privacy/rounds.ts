/** Random rounds of a town: an act, and a look for secrets where they must not be. */
import type { PluginEntry } from 'kikimimi'
import { seededRandom } from 'kikimimi/testing'
import { createActs } from './acts.ts'
import { createChecks, type Fault } from './checks.ts'
import { backupOf, exportOf } from './copies.ts'
import { restored } from './restored.ts'
import { openTown, type Town } from './town.ts'
import { secretsIn } from './words.ts'
import { type Account, createWorld, type Gone, type Place, type Secret, type World, wordIn } from './world.ts'

export interface Lived {
  readonly prompts: number
  readonly posts: number
  readonly secrets: number
  /** Secrets on the dashboard at the end. */
  readonly shown: number
  readonly gone: Readonly<Partial<Record<Gone, number>>>
  readonly acts: Readonly<Record<string, number>>
  readonly faults: readonly Fault[]
  /** What happened, by round. */
  readonly story: ReadonlyMap<number, string>
  readonly world: World
}

/** Rounds of one town. */
export const ROUNDS = 200
/** Rounds from one search of the database to the next, besides those after acts that forget. */
const SEARCH = 10
/** Prompts at the end of a town, for what the bot still knows. */
const LAST = 50

export interface LiveOptions {
  /** The rounds in which something happens. Default: all. */
  readonly only?: ReadonlySet<number>
  /** Plugins of the bot besides those that are tested. */
  readonly plugins?: readonly PluginEntry[]
  /** True: few questions at the end, and no copies of the data. */
  readonly isShort?: boolean
  /** The word of the secret that is told in a round. Default: {@link wordIn}. */
  word?(round: number): string
  /** Gets each text that somebody sees. */
  seen?(text: Seen): void
  /** Runs at the end, before the bot closes. */
  end?(town: Town, world: World): Promise<void>
}

/** A text that the readers of a place see, or a prompt that is made for them. */
export interface Seen {
  readonly round: number
  readonly kind: 'post' | 'prompt' | 'command'
  readonly place: Place
  readonly readers: ReadonlySet<Account>
  readonly text: string
  /** When it was made, in milliseconds. */
  readonly at: number
}

export async function live(
  seed: number,
  rounds = ROUNDS,
  { only, plugins = [], isShort = false, word = at => wordIn(seed, at), seen, end }: LiveOptions = {},
): Promise<Lived> {
  let random = seededRandom(seed)
  let round = 0
  const story = new Map<number, string>()
  const counts: Record<string, number> = {}
  const world = createWorld()
  const { secrets } = world
  // Not a number of the round: prompts that are made at once take them in any order.
  const searches = (prompt: string) => seededRandom(seed + prompt.length)() < 0.2
  await using town = await openTown({ seed, manner: seed % 2 === 0 ? 'repeat' : 'paraphrase', searches, more: plugins })
  const { bot } = town
  const look = (text: Omit<Seen, 'round' | 'readers'>) => seen?.({ ...text, round, readers: world.readersOf(text.place) })
  const checks = createChecks({ seed, town, world, look, now: () => ({ round, act: story.get(round) ?? '' }) })
  const copies: { readonly lines: readonly string[]; readonly at: number }[] = []
  const { acts, ask } = createActs({
    ...{ town, world, checks },
    random: () => random(),
    round: () => round,
    word: () => word(round),
    happens: what => void story.set(round, `${story.get(round)} (${what})`),
    async backUp() {
      copies.push({ lines: await backupOf(bot), at: bot.clock.now() })
    },
  })
  const bag = Object.entries(acts).flatMap(([name, { weight }]) => Array<string>(weight).fill(name))
  const begin = (next: number) => {
    round = next
    random = seededRandom(seed * 100_003 + round)
    for (let discarded = 0; discarded < 3; discarded++) random()
  }
  const goneNow = (): ReadonlySet<Secret> => new Set(secrets.filter(({ gone }) => gone !== undefined))

  for (let number = 1; number <= rounds; number++) {
    begin(number)
    if (only && !only.has(number)) continue
    const name = bag[Math.floor(random() * bag.length)] ?? ''
    const act = acts[name]
    if (!act) continue
    story.set(round, name)
    counts[name] = (counts[name] ?? 0) + 1
    const before = goneNow()
    await act.run()
    checks.watch(before)
    if (act.forgets || number % SEARCH === 0) await checks.search()
  }

  begin(rounds + 1)
  story.set(round, 'the last questions')
  await bot.pass('3m')
  for (let at = 0; at < (isShort ? LAST / 10 : LAST); at++) {
    story.set(round, 'the last questions')
    await ask()
    checks.watch(goneNow())
  }
  await bot.pass('13m')
  await checks.search()
  story.set(round, 'the end')
  const pages = await town.pages()
  checks.searchLines('page', pages)
  if (!isShort) checks.searchLines('backup', await backupOf(bot))
  if (!isShort) checks.searchLines('export', await exportOf(bot))
  const copy = copies.at(0)
  if (copy && !isShort) checks.searchLines('restored', await restored(copy.lines, bot.db, bot.clock.now()))

  const gone: Partial<Record<Gone, number>> = {}
  for (const { gone: how } of secrets) if (how) gone[how] = (gone[how] ?? 0) + 1
  await end?.(town, world)
  const { faults, prompts, posts } = checks
  const shown = secretsIn(pages.join('\n')).length
  return { prompts, posts, secrets: secrets.length, shown, gone, acts: counts, faults, story, world }
}
