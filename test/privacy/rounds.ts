/** Random rounds of a town. After each action and each round it looks for secrets where they must not be. */
import { seededRandom } from 'kikimimi/testing'
import { dump as backup } from '../../packages/cli/data/dump.ts'
import { dump } from '../erasure/dump.ts'
import type { Manner } from './model.ts'
import { openTown } from './town.ts'
import { secretsIn } from './words.ts'
import { type Account, accountsOn, createWorld, type Gone, PLATFORMS, type Place, type Secret } from './world.ts'

export interface Fault {
  /** Repeats it: `npm run bench:privacy -- --seed SEED --rounds ROUND`. */
  readonly seed: number
  readonly round: number
  readonly kind: 'post' | 'prompt' | 'command' | 'kept' | 'backup'
  readonly what: string
  readonly story: readonly string[]
}

export interface Lived {
  readonly rounds: number
  readonly prompts: number
  readonly posts: number
  readonly secrets: number
  readonly gone: Readonly<Partial<Record<Gone, number>>>
  readonly faults: readonly Fault[]
}

/** Rounds of one town. */
export const ROUNDS = 30
const ACTIONS = 8
/** Prompts at the end of a town, for what the bot still knows. */
const LAST = 50
/** Time that the bot needs to make its memories anew, in milliseconds. */
const REBUILDING = 12 * 60_000
/** The working memory of a conversation, in milliseconds. */
const WORKING_MEMORY = 35 * 60_000

const THINGS = ['locker', 'door', 'safe', 'archive', 'garage']

const TOLD_NOT: readonly ((thing: string, word: string) => readonly string[])[] = [
  (thing, word) => [`don't remember this: the code of the ${thing} is ${word}`],
  (thing, word) => [`off the record: the code of the ${thing} is ${word}`],
  (thing, word) => [`これは覚えないで：${thing}の番号は ${word} です`],
  (thing, word) => [`ここだけの話、${thing}の番号は ${word} です`],
  (thing, word) => [`the code of the ${thing} is ${word}. Please don't remember that.`],
  (thing, word) => [`the code of the ${thing} is ${word}`, "don't remember what I just said"],
  (thing, word) => [`${thing}の番号は ${word} です`, '今のは覚えないで'],
]

export async function live(seed: number, rounds = ROUNDS, last = LAST): Promise<Lived> {
  const random = seededRandom(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const manner: Manner = seed % 2 === 0 ? 'repeat' : 'paraphrase'
  const world = createWorld((seed * 997) % 40_000)
  await using town = await openTown({ seed, manner, searches: () => random() < 0.2 })
  const { bot } = town
  const { secrets, places, optedOut } = world
  const byWord = () => new Map(secrets.map(secret => [secret.word, secret]))
  const faults: Fault[] = []
  const reported = new Set<string>()
  const seen = { prompts: 0, posts: 0 }
  let round = 1
  let action = ''
  let messages = 0

  /** The first fault of a kind for each secret: the next ones mostly follow from it. */
  function fault(kind: Fault['kind'], secret: Secret, what: string, where = ''): void {
    const key = [kind, secret.word, where].join()
    if (!reported.has(key)) faults.push({ seed, round, kind, what: `${what} — after: ${action}`, story: [...secret.story] })
    reported.add(key)
  }
  const note = (secret: Secret, what: string) => void secret.story.push(`round ${round}: ${what}`)
  const placeBy = (conversation: string) => places.find(place => conversationId(place) === conversation)

  const alive = (account: Account) => !optedOut.has(account)
  const present = (place: Place) => [...world.readersOf(place)].filter(alive)
  const mayKnow = (secret: Secret, place: Place) => {
    const known = new Set([...secret.readers].flatMap(world.accounts))
    return [...world.readersOf(place)].filter(account => !known.has(account))
  }
  /** Whether a secret is gone for this place. What was told not to be remembered stays in its conversation for a while. */
  const isGone = ({ gone, place: told, said }: Secret, place: Place) =>
    gone !== undefined && !(gone === 'told' && told === place && bot.clock.now() - said < WORKING_MEMORY)

  function look(kind: 'post' | 'prompt' | 'command', text: string, place: Place, before: ReadonlySet<Secret>): void {
    const known = byWord()
    for (const word of secretsIn(text)) {
      const secret = known.get(word)
      if (!secret) continue
      const strangers = mayKnow(secret, place)
      if (strangers.length > 0)
        fault(kind, secret, `${word} of ${secret.place.id} in ${place.id}, which ${strangers} can read`, 'strangers')
      else if (kind === 'post') secret.shown.add(place)
      if (kind === 'post' && place === secret.place && !isGone(secret, place)) secret.said = bot.clock.now()
      if (isGone(secret, place) && before.has(secret)) fault(kind, secret, `${word} (${secret.gone}) in ${place.id}`)
    }
  }

  /** What has happened on the platforms and in the prompts since the last look. */
  function watch(before: ReadonlySet<Secret>): void {
    const { prompts, posts } = town.take()
    seen.prompts += prompts.length
    seen.posts += posts.length
    for (const { text, conversation } of prompts) {
      const place = placeBy(conversation)
      if (place) look('prompt', text, place, before)
    }
    for (const post of posts) {
      const place = places.find(
        one => one.platform === post.platform && one.channel === post.channel && one.thread === post.thread,
      )
      if (place) look('post', post.text, place, before)
    }
  }

  /** What the database holds of secrets that are gone. */
  async function search(): Promise<void> {
    const known = byWord()
    for (const [table, rows] of await dump(bot.db)) {
      for (const word of secretsIn(decoded(rows))) {
        const secret = known.get(word)
        if (!secret?.gone || (secret.gone === 'told' && table === 'kikimimi.message')) continue
        if (bot.clock.now() - (secret.goneAt ?? 0) < REBUILDING) continue
        const row = rows.split('\n').find(one => secretsIn(decoded(one)).includes(word)) ?? ''
        fault('kept', secret, `${word} (${secret.gone}) in ${table}: ${row.slice(0, 200)}`, table)
      }
    }
  }

  function lose(secret: Secret, gone: Gone): void {
    Object.assign(secret, { gone, goneAt: bot.clock.now() })
    note(secret, gone)
  }

  const next = () => `m${++messages}`
  async function tell(author: Account, place: Place, phrase: (thing: string, word: string) => readonly string[], gone?: Gone) {
    const lines = phrase(pick(THINGS), world.nextWord())
    const id = next()
    const secret = world.tell(author, place, id, bot.clock.now())
    for (const [at, line] of lines.entries()) await town.say(author, place, line, at === 0 ? id : next())
    note(secret, `${author} in ${place.id}: ${lines.join(' / ')}`)
    if (gone) lose(secret, gone)
  }
  const plain = (thing: string, word: string) => [
    pick([`the code of the ${thing} is ${word}`, `${thing}の番号は ${word} です`, `by the way, the ${thing} opens with ${word}`]),
  ]
  const question = () => `@kiki what is the code of the ${pick(THINGS)}?`
  const living = () => secrets.filter(({ gone }) => gone === undefined)

  const acts: Record<string, { readonly weight: number; run(): Promise<unknown> }> = {
    say: {
      weight: 30,
      async run() {
        const place = pick(places)
        const [author] = shuffled([...world.readersOf(place)], random)
        if (author) await tell(author, place, plain, alive(author) ? undefined : 'unheard')
      },
    },
    remember: {
      weight: 4,
      async run() {
        const place = pick(places)
        const author = pick(present(place))
        if (author) await tell(author, place, (thing, word) => [`@kiki remember that the code of the ${thing} is ${word}`])
      },
    },
    'told not': {
      weight: 6,
      async run() {
        const place = pick(places)
        const author = pick(present(place))
        if (author) await tell(author, place, pick(TOLD_NOT), 'told')
      },
    },
    ask: {
      weight: 28,
      async run() {
        const place = pick(places)
        const author = pick(present(place))
        if (author) await town.say(author, place, question(), next())
      },
    },
    'ask about me': {
      weight: 3,
      async run() {
        const place = pick(places)
        const author = pick(present(place))
        if (author) await town.say(author, place, '@kiki what do you know about me?', next())
      },
    },
    command: {
      weight: 3,
      async run() {
        const place = pick(places)
        const author = pick(present(place))
        if (author) look('command', await town.command(author, place, pick(['summary', 'why', 'remember'])), place, new Set())
      },
    },
    'ask while it changes': {
      weight: 3,
      async run() {
        const place = pick(places)
        const author = pick(present(place))
        town.meanwhile(change)
        if (author) await town.say(author, place, question(), next())
      },
    },
    delete: {
      weight: 7,
      async run() {
        const secret = pick(living())
        if (!secret) return
        await town.remove(secret.place, secret.id)
        lose(secret, 'deleted')
      },
    },
    edit: {
      weight: 5,
      async run() {
        const secret = pick(living())
        if (!secret) return
        await town.edit(secret.place, secret.id, 'I have nothing to say about codes')
        lose(secret, 'edited')
      },
    },
    change: { weight: 7, run: change },
    'opt out or in': {
      weight: 2,
      async run() {
        const author = pick(PLATFORMS.flatMap(accountsOn))
        const place = pick(places.filter(one => world.readersOf(one).has(author)))
        const out = !optedOut.has(author)
        await town.say(author, place, out ? "@kiki don't listen to me" : '@kiki you can listen to me again', next())
        for (const account of world.accounts(author)) out ? optedOut.add(account) : optedOut.delete(account)
      },
    },
    link: {
      weight: 1,
      async run() {
        const name = pick(accountsOn('test')).split(':')[1] ?? ''
        await town.people().link({ platform: 'test', id: name }, { platform: 'other', id: name })
        world.links.push([`test:${name}`, `other:${name}`])
        // Opting out holds for all accounts of a person.
        const both = world.accounts(`test:${name}`)
        if (both.some(one => optedOut.has(one))) for (const one of both) optedOut.add(one)
      },
    },
    'forget me': {
      weight: 2,
      async run() {
        const place = pick(places)
        const author = pick(present(place))
        if (!author) return
        await town.say(author, place, '@kiki forget me', next())
        await bot.pass('11m')
        for (const secret of secrets) {
          if (secret.gone || !world.accounts(author).includes(secret.author)) continue
          lose(secret, 'forgotten')
        }
      },
    },
  }

  /** Who reads a place changes, on the platform and then for the bot. */
  async function change(): Promise<void> {
    const place = pick(places.filter(({ visibility, parent }) => visibility !== 'direct' && (!parent || parent.members)))
    const members = place.members && [...place.members]
    const all = place.parent?.members ? [...place.parent.members] : [...accountsOn(place.platform)]
    const outside = all.filter(account => !place.members?.has(account))
    const kind = random()
    if (members && kind < 0.35 && members.length > 1) place.members = new Set(members.slice(1))
    else if (members && kind < 0.7 && outside.length > 0) place.members = new Set([...members, pick(outside)])
    else if (place.parent) return
    else if (place.members) {
      delete place.members
      place.visibility = 'public'
    } else if (kind < 0.2) place.isShared = !place.isShared
    else {
      place.members = new Set(shuffled([...accountsOn(place.platform)], random).slice(0, 3))
      place.visibility = 'private'
      place.isShared = false
    }
    action += ` (${place.id} is ${place.visibility}${place.isShared ? ', shared' : ''}: ${place.members ? [...place.members] : 'all'})`
    for (const secret of secrets) if (secret.place === place) note(secret, action)
    world.changed()
    await town.describe(place)
  }

  const bag = Object.entries(acts).flatMap(([name, { weight }]) => Array<string>(weight).fill(name))
  for (round = 1; round <= rounds; round++) {
    for (let at = 0; at < ACTIONS; at++) {
      const before = new Set(secrets.filter(({ gone }) => gone !== undefined))
      action = pick(bag)
      await acts[action]?.run()
      watch(before)
    }
    action = 'the end of the round'
    const before = new Set(secrets.filter(({ gone }) => gone !== undefined))
    await bot.pass('3m')
    watch(before)
    await search()
  }

  action = 'the last questions'
  for (let at = 0; at < last; at++) {
    const place = pick(places)
    const author = pick(present(place))
    if (author) await town.say(author, place, question(), next())
    watch(new Set(secrets.filter(({ gone }) => gone !== undefined)))
  }
  await bot.pass('12m')
  await search()
  action = 'the backup'
  const known = byWord()
  await backup(bot.db, bot.clock, async line => {
    for (const word of secretsIn(line)) {
      const secret = known.get(word)
      if (secret?.gone && secret.gone !== 'told')
        fault('backup', secret, `${word} (${secret.gone}): ${line.slice(0, 200)}`, line.slice(0, 20))
    }
  })

  const gone: Partial<Record<Gone, number>> = {}
  for (const { gone: how } of secrets) if (how) gone[how] = (gone[how] ?? 0) + 1
  return { rounds, ...seen, secrets: secrets.length, gone, faults }
}

function conversationId({ platform, channel, thread }: Place): string {
  return [platform, 'team', channel, ...(thread === undefined ? [] : [thread])].join('/')
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map(one => [random(), one] as const)
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one)
}

/** The text with its bytes in hex as text too. */
function decoded(rows: string): string {
  return (
    rows +
    [...rows.matchAll(/\\x((?:[0-9a-f]{2})+)/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')).join(' ')
  )
}
