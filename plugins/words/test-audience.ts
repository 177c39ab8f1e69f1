/**
 * Random rounds of people who explain words, join, leave, edit, delete and ask what a word means. Each meaning is a word of its own. One
 * in an answer or a prompt is a leak if somebody who reads the answer cannot read the message that explains it.
 */
import reply from '@kikimimi/reply'
import { promptOf, scriptedModel, seededRandom, testBot } from 'kikimimi/testing'
import words from './index.ts'

export interface AudienceOptions {
  readonly rounds: number
  readonly seed: number
}

export interface AudienceResult {
  readonly asked: number
  /** Meanings in answers and prompts, and those from another place than the one in which they were asked for. */
  readonly told: number
  readonly elsewhere: number
  readonly leaks: readonly string[]
}

interface Place {
  readonly thread?: string
  /** Public in its workspace. That of a thread is the one of its channel. */
  isPublic: boolean
  /** People who read it, unless it is public. */
  readonly members: Set<string>
  readonly parent?: Place
}

interface Explained {
  readonly place: Place
  readonly id: string
  readonly wasPublic: boolean
}

const PEOPLE = ['ada', 'bea', 'cid', 'dan']
const WORDS = ['QBX', 'ZRT', 'KWP']

/** One channel that is opened and closed, a thread of all its readers, and two threads with readers of their own. */
export async function audienceRounds({ rounds, seed }: AudienceOptions): Promise<AudienceResult> {
  const random = seededRandom(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const channel: Place = { isPublic: true, members: new Set(['ada', 'bea']) }
  const threads: readonly Place[] = [
    { thread: 'open', isPublic: false, members: new Set(), parent: channel },
    { thread: 'own', isPublic: false, members: new Set(['ada', 'cid']), parent: channel },
    { thread: 'pair', isPublic: false, members: new Set(['bea', 'dan']), parent: channel },
  ]
  const places = [channel, ...threads]
  const known = new Map<string, Explained>()
  const leaks: string[] = []
  const counts = { asked: 0, told: 0, elsewhere: 0 }
  let number = 0

  const model = scriptedModel('Fine.')
  await using bot = await testBot({ plugins: [words({ learn: true, propose: false }), reply()], model, seed })

  const isOpenTo = ({ isPublic, members, parent }: Place): boolean => (parent && !members.size ? parent.isPublic : isPublic)
  function readersOf(place: Place): readonly string[] {
    const { isPublic, members, parent } = place
    if (parent && !members.size) return readersOf(parent)
    const inside = PEOPLE.filter(person => isPublic || members.has(person))
    return parent ? inside.filter(person => readersOf(parent).includes(person)) : inside
  }
  const where = (place: Place) =>
    ({
      channel: 'square',
      ...(place.thread !== undefined && { thread: place.thread }),
      visibility: isOpenTo(place) ? 'public' : 'private',
      readers: { own: place.parent !== undefined && place.members.size > 0 },
    }) as const
  /** What was said among few people is not for those who came when the place was opened. */
  const reads = (person: string, { place, wasPublic }: Explained) =>
    readersOf(place).includes(person) && (wasPublic || !isOpenTo(place))

  async function explain(place: Place): Promise<void> {
    const readers = readersOf(place)
    if (readers.length === 0) return
    const meaning = `secret${++number}x`
    const id = await bot.say(pick(readers), `${pick(WORDS)} means ${meaning}`, where(place))
    known.set(meaning, { place, id, wasPublic: isOpenTo(place) })
  }

  async function ask(place: Place): Promise<void> {
    const readers = readersOf(place)
    if (readers.length === 0) return
    const word = pick(WORDS)
    const [sent, asked] = [bot.sent.length, model.asked.length]
    const text = pick([`@kiki what does ${word} mean here?`, `@kiki shall we keep ${word} for long?`])
    const listed = random() < 0.3 ? await bot.command(pick(readers), 'words', where(place)) : undefined
    if (listed === undefined) await bot.say(pick(readers), text, where(place))
    counts.asked++
    // The screen of the model has what was said in the place.
    const sections = model.asked
      .slice(asked)
      .map(request => /Words of this place[\s\S]*?(?=\n#|$)/.exec(promptOf(request))?.[0] ?? '')
    const all = [listed ?? '', ...bot.sent.slice(sent), ...sections].join('\n')
    for (const [meaning] of all.matchAll(/secret\d+x/g)) {
      const told = known.get(meaning)
      counts.told++
      if (told && told.place !== place) counts.elsewhere++
      const shut = told ? readersOf(place).filter(one => !reads(one, told)) : readersOf(place)
      if (shut.length > 0)
        leaks.push(
          `${meaning} of ${told ? JSON.stringify(where(told.place)) : 'nowhere'} in ${JSON.stringify(where(place))}: ${shut}`,
        )
    }
  }

  async function change(): Promise<void> {
    const [meaning, explained] = pick([...known])
    const kind = pick(['delete', 'edit', 'member', 'open'])
    if (kind === 'member') {
      const { members } = pick([channel, ...threads.slice(1)])
      const person = pick(PEOPLE)
      if (!members.has(person)) members.add(person)
      else if (members.size > 1) members.delete(person)
    } else if (kind === 'open') {
      channel.isPublic = !channel.isPublic
      // The bot learns of it by the next message of the channel and of each thread.
      for (const place of places) await explain(place)
    } else {
      known.delete(meaning)
      if (kind === 'delete') await bot.remove(explained.id, where(explained.place))
      else await bot.edit(explained.id, 'I have said nothing at all, really', where(explained.place))
      // What the edit says is read again in the background.
      await bot.pass('1m')
    }
  }

  for (let round = 0; round < rounds; round++) {
    const what = random()
    if (what < 0.35 || known.size === 0) await explain(pick(places))
    else if (what < 0.85) await ask(pick(places))
    else await change()
    // What nobody asks the bot is learned after a pause.
    if (random() < 0.15) await bot.pass('1m')
  }
  return { ...counts, leaks }
}
