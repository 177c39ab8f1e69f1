/** What people do in a round: one act, with random numbers of its own, so that it is the same when earlier acts are left out. */
import { type Checks, lose } from './checks.ts'
import type { Shown, Town } from './town.ts'
import { type Account, type Gone, PLATFORMS, type Place, type Secret, type World } from './world.ts'

export interface ActsOptions {
  readonly town: Town
  readonly world: World
  readonly checks: Pick<Checks, 'look'>
  /** Of the round. */
  random(): number
  readonly round: () => number
  /** The word of the secret that is told in the round. */
  readonly word: () => string
  /** Adds what happens in the round to its description. */
  happens(what: string): void
  /** Keeps a copy of the data. */
  backUp(): Promise<void>
}

export interface Act {
  readonly weight: number
  /** The database is searched after it. */
  readonly forgets?: boolean
  run(): Promise<unknown>
}

const THINGS = ['locker', 'door', 'safe', 'archive', 'garage']

const TOLD: readonly ((thing: string, word: string) => string)[] = [
  (thing, word) => `the code of the ${thing} is ${word}`,
  (thing, word) => `${thing}の番号は ${word} です`,
  (thing, word) => `by the way, the ${thing} opens with ${word}`,
]

const TOLD_NOT: readonly ((thing: string, word: string) => readonly string[])[] = [
  (thing, word) => [`don't remember this: the code of the ${thing} is ${word}`],
  (thing, word) => [`off the record: the code of the ${thing} is ${word}`],
  (thing, word) => [`これは覚えないで：${thing}の番号は ${word} です`],
  (thing, word) => [`ここだけの話、${thing}の番号は ${word} です`],
  (thing, word) => [`the code of the ${thing} is ${word}. Please don't remember that.`],
  (thing, word) => [`the code of the ${thing} is ${word}`, "don't remember what I just said"],
  (thing, word) => [`${thing}の番号は ${word} です`, '今のは覚えないで'],
]

/** The word in a card, in a forwarded message, in the name of a file, in its text. */
const SHOWN: readonly ((thing: string, word: string) => Shown)[] = [
  (thing, word) => ({ parts: [{ kind: 'card', title: `The ${thing}`, text: `code: ${word}` }] }),
  (thing, word) => ({ parts: [{ kind: 'forward', author: 'somebody', text: `the code of the ${thing} is ${word}` }] }),
  (thing, word) => ({
    attachments: [{ url: `https://files.example/${word}.txt`, type: 'text/plain', name: `${thing} ${word}.txt` }],
  }),
  (thing, word) => ({ attachments: [{ url: `https://files.example/${word}.txt`, type: 'text/plain', name: `${thing}.txt` }] }),
]

/** By how often: what comes after a lull, after the working memory, and after the night. */
const WAITS = ['3m', '3m', '3m', '3m', '3m', '15m', '15m', '45m', '45m', '13h'] as const

/** Of reminders: some are told soon, and some after the acts of many rounds. */
const DELAYS = ['2 minutes', '20 minutes', '3 hours'] as const

const ERASING = '13m'

export function createActs({ town, world, checks, random, round, word, happens, backUp }: ActsOptions) {
  const { bot } = town
  const { secrets, places, optedOut } = world
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const alive = (account: Account) => !optedOut.has(account)
  const present = (place: Place) => [...world.readersOf(place)].filter(alive)
  const living = () => secrets.filter(({ gone }) => gone === undefined)
  const note = (secret: Secret, what: string) => void secret.story.push(`round ${round()}: ${what}`)
  const question = () => `@kiki what is the code of the ${pick(THINGS)}?`
  let messages = 0
  const next = () => `m${round()}-${++messages}`

  /** Somebody who hears the bot does something in a place. */
  async function somebody(run: (author: Account, place: Place) => Promise<unknown>): Promise<void> {
    const place = pick(places)
    const author = pick(present(place))
    happens(`${author ?? 'nobody'} in ${place.id}`)
    if (author) await run(author, place)
  }

  function gone(secret: Secret, how: Gone): void {
    lose(secret, how, bot.clock.now())
    note(secret, how)
  }

  /** All secrets of a person. */
  function loseAll(author: Account, how: Gone): void {
    for (const secret of living()) if (world.accounts(author).includes(secret.author)) gone(secret, how)
  }

  function told(author: Account, place: Place, id: string, lines: readonly string[]): Secret {
    const secret = world.tell(author, place, { id, word: word(), said: bot.clock.now() })
    note(secret, `${author} in ${place.id}: ${lines.join(' / ')}`)
    return secret
  }

  async function tell(author: Account, place: Place, lines: readonly string[], how?: Gone, shown?: Shown): Promise<void> {
    const id = next()
    const secret = told(author, place, id, shown ? [JSON.stringify(shown)] : lines)
    for (const [at, line] of lines.entries()) await town.say(author, place, line, at === 0 ? id : next(), shown)
    if (how) gone(secret, how)
  }
  const sentence = () => pick(TOLD)(pick(THINGS), word())

  /** Who reads a place changes, on the platform and then for the bot. */
  async function change(): Promise<void> {
    const place = pick(places.filter(({ visibility, parent }) => visibility !== 'direct' && (!parent || parent.members)))
    const members = place.members && [...place.members]
    const all = place.parent?.members ? [...place.parent.members] : world.accountsOn(place.platform)
    const outside = all.filter(account => !place.members?.has(account))
    const kind = random()
    if (members && kind < 0.3 && members.length > 1) place.members = new Set(members.slice(1))
    else if (members && kind < 0.6 && outside.length > 0) place.members = new Set([...members, pick(outside)])
    else if (place.parent) return
    else if (kind < 0.75) place.isShared = !place.isShared
    else if (place.members) {
      delete place.members
      place.visibility = 'public'
    } else {
      place.members = new Set(shuffled(world.accountsOn(place.platform)).slice(0, 3))
      place.visibility = 'private'
      place.isShared = false
    }
    const readers = `${place.visibility}${place.isShared ? ', shared' : ''}: ${place.members ? [...place.members] : 'all'}`
    happens(`${place.id} is ${readers}`)
    for (const secret of secrets) if (secret.place === place) note(secret, `${place.id} is ${readers}`)
    world.changed()
    await town.describe(place)
  }

  function shuffled<T>(list: readonly T[]): T[] {
    return list
      .map(one => [random(), one] as const)
      .sort(([a], [b]) => a - b)
      .map(([, one]) => one)
  }

  return {
    /** Asks the bot in some place. */
    ask: () => somebody((author, place) => town.say(author, place, question(), next())),

    acts: {
      say: {
        weight: 26,
        async run() {
          const place = pick(places)
          const author = pick([...world.readersOf(place)])
          if (author) await tell(author, place, [sentence()], alive(author) ? undefined : 'unheard')
        },
      },
      show: {
        weight: 4,
        run: () =>
          somebody((author, place) =>
            tell(author, place, [pick(['look', '@kiki look'])], undefined, pick(SHOWN)(pick(THINGS), word())),
          ),
      },
      remember: {
        weight: 4,
        run: () => somebody((author, place) => tell(author, place, [`@kiki remember that ${sentence()}`])),
      },
      remind: {
        weight: 4,
        run: () =>
          somebody((author, place) => tell(author, place, [`@kiki remind us in ${pick(DELAYS)} to check: ${sentence()}`])),
      },
      watch: {
        weight: 1,
        run: () =>
          somebody((author, place) => {
            const what = `@kiki when somebody mentions the ${pick(THINGS)}, tell them that ${sentence()}`
            return tell(author, place, [what])
          }),
      },
      rate: { weight: 3, run: () => town.rate(random()) },
      'told not': {
        weight: 6,
        run: () => somebody((author, place) => tell(author, place, pick(TOLD_NOT)(pick(THINGS), word()), 'told')),
      },
      ask: { weight: 26, run: () => somebody((author, place) => town.say(author, place, question(), next())) },
      'ask about a person': {
        weight: 3,
        run: () =>
          somebody(async (author, place) => {
            const name = pick(world.accountsOn(place.platform)).split(':')[1]
            await town.say(author, place, `@kiki what do you know about ${pick(['me', name])}?`, next())
          }),
      },
      'answer a message': {
        weight: 4,
        async run() {
          const secret = pick(secrets)
          const author = secret && pick(present(secret.place))
          if (author) await town.say(author, secret.place, '@kiki is that so?', next(), { replyTo: secret.id })
        },
      },
      command: {
        weight: 4,
        run: () =>
          somebody(async (author, place) => {
            const about = pick(secrets)?.id ?? '1'
            const text = pick(['summary', 'why', 'remember', `why ${about}`, `why https://chat.example/team/general/${about}`])
            checks.look('command', await town.command(author, place, text), place, new Set(), bot.clock.now())
          }),
      },
      'ask while it changes': {
        weight: 3,
        run: () => somebody((author, place) => town.meanwhile(change, () => town.say(author, place, question(), next()))),
      },
      delete: {
        weight: 6,
        forgets: true,
        async run() {
          const secret = pick(living())
          if (!secret) return
          await town.remove(secret.place, secret.id)
          await bot.pass('1s')
          gone(secret, 'deleted')
        },
      },
      edit: {
        weight: 5,
        forgets: true,
        async run() {
          const secret = pick(living())
          if (!secret) return
          // The new text has nothing, or another secret.
          const text = random() < 0.5 ? 'I have nothing to say about codes' : sentence()
          await town.edit(secret.place, secret.id, text)
          await bot.pass('1s')
          gone(secret, 'edited')
          if (text.includes(word())) {
            const another = told(secret.author, secret.place, secret.id, [`(edited) ${text}`])
            if (!alive(secret.author)) gone(another, 'unheard')
          }
        },
      },
      'delete while it answers': {
        weight: 2,
        forgets: true,
        async run() {
          const secret = pick(living())
          const author = secret && pick(present(secret.place))
          if (!author) return
          let isDone = false
          const remove = async () => {
            isDone = true
            await town.remove(secret.place, secret.id)
          }
          await town.meanwhile(remove, () => town.say(author, secret.place, question(), next()))
          if (isDone) gone(secret, 'deleted')
        },
      },
      change: { weight: 7, run: change },
      'come or go': {
        weight: 2,
        async run() {
          const platform = pick(PLATFORMS)
          const absent = pick(world.absentFrom(platform))
          if (absent && random() < 0.6) world.join(absent)
          else if (world.accountsOn(platform).length > 3) world.leave(pick(world.accountsOn(platform)))
          world.changed()
          happens(`in ${platform}: ${world.accountsOn(platform)}`)
        },
      },
      'opt out or in': {
        weight: 2,
        forgets: true,
        async run() {
          const author = pick(PLATFORMS.flatMap(world.accountsOn))
          const place = pick(places.filter(one => world.readersOf(one).has(author)))
          if (!place) return
          const out = !optedOut.has(author)
          happens(`${author} ${out ? 'out' : 'in'}`)
          await town.say(author, place, out ? "@kiki don't listen to me" : '@kiki you can listen to me again', next())
          for (const account of world.accounts(author)) out ? optedOut.add(account) : optedOut.delete(account)
          if (!out) return
          loseAll(author, 'silenced')
          await bot.pass(ERASING)
        },
      },
      link: {
        weight: 1,
        async run() {
          const name = pick(world.accountsOn('test')).split(':')[1] ?? ''
          await town.people().link({ platform: 'test', id: name }, { platform: 'other', id: name })
          world.links.push([`test:${name}`, `other:${name}`])
          // Opting out holds for all accounts of a person.
          const both = world.accounts(`test:${name}`)
          if (both.some(one => optedOut.has(one))) for (const one of both) optedOut.add(one)
        },
      },
      'forget me': {
        weight: 2,
        forgets: true,
        run: () =>
          somebody(async (author, place) => {
            await town.say(author, place, '@kiki forget me', next())
            loseAll(author, 'forgotten')
            world.unlink(author)
            await bot.pass(ERASING)
          }),
      },
      wait: {
        weight: 12,
        async run() {
          const time = pick(WAITS)
          happens(time)
          await bot.pass(time)
        },
      },
      'back up': { weight: 1, run: backUp },
    } satisfies Record<string, Act> as Record<string, Act>,
  }
}
