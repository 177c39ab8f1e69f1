/**
 * Random rounds of people who talk, join, leave, edit, delete and ask what they missed. Each message has a word of its own. A word in an
 * answer is a leak if somebody who reads the answer cannot read the message.
 */
import { scriptedModel, seededRandom, testBot } from 'kikimimi/testing'
import digest from './index.ts'

export interface AudienceOptions {
  readonly rounds: number
  readonly seed: number
  /** True: the platform takes everybody for a member of each workspace, to see that such a fault is found. */
  readonly trusting?: boolean
}

export interface AudienceResult {
  readonly asked: number
  /** Words in answers, and those from another place than the one in which they were asked for. */
  readonly told: number
  readonly elsewhere: number
  /** Words in direct messages that belong to no workspace. */
  readonly shared: number
  readonly leaks: readonly string[]
}

const PEOPLE = ['ada', 'bea', 'cid', 'dan', 'eve', 'fay']
const HOUR = 3_600_000
const GUILDS = ['north', 'south']

interface Place {
  readonly workspace: string
  readonly channel: string
  readonly thread?: string
  /** Public in its workspace. */
  isPublic: boolean
  readonly isDirect: boolean
  /** People from outside the workspace read it. */
  readonly outsiders: boolean
  /** People who read it, unless it is public. */
  readonly members: Set<string>
  /** The channel of a thread. */
  readonly parent?: Place
}

interface Word {
  readonly word: string
  readonly place: Place
  readonly id: string
  readonly author: string
  readonly wasPublic: boolean
}

export async function audienceRounds({ rounds, seed, trusting = false }: AudienceOptions): Promise<AudienceResult> {
  const random = seededRandom(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const some = () => new Set(PEOPLE.filter(() => random() < 0.5))
  const guilds = new Map(GUILDS.map(name => [name, some()]))
  const places = [...GUILDS.flatMap(workspace => placesOf(workspace, some)), ...directPlaces('')]
  const known = new Map<string, Word>()
  const leaks: string[] = []
  const counts = { asked: 0, told: 0, elsewhere: 0, shared: 0 }
  let number = 0

  const membership = ({ workspace }: { readonly workspace: string }, { id }: { readonly id: string }) =>
    trusting || guilds.get(workspace)?.has(id) ? ({ rank: 'member', roles: () => [] } as const) : undefined
  await using bot = await testBot({
    ...{ plugins: [digest()], model: scriptedModel('nothing with a source'), seed },
    platform: { membership },
  })

  /** People who read a place now. */
  function readersOf({ isDirect, isPublic, members, workspace, outsiders, parent }: Place): readonly string[] {
    const guild = guilds.get(workspace) ?? new Set()
    if (isDirect) return [...members]
    if (parent && !members.size) return readersOf(parent)
    const inside = PEOPLE.filter(person => guild.has(person) && (isPublic || members.has(person)))
    return parent ? inside.filter(person => readersOf(parent).includes(person)) : outsiders ? PEOPLE : inside
  }

  const where = ({ workspace, channel, thread, isPublic, isDirect, outsiders, parent, members }: Place) =>
    ({
      ...{ workspace, channel },
      ...(thread !== undefined && { thread }),
      visibility: isDirect ? 'direct' : (parent && members.size === 0 ? parent.isPublic : isPublic) ? 'public' : 'private',
      readers: { ...(outsiders && { outsiders }), ...(parent && { own: members.size > 0 }) },
    }) as const

  /** Whether a person can read the message that has a word. */
  function reads(person: string, { place, wasPublic }: Word): boolean {
    const source = place.parent && place.members.size === 0 ? place.parent : place
    // What was said among few people is not for those who came when the place was opened.
    return readersOf(place).includes(person) && (wasPublic || !source.isPublic)
  }

  async function say(place: Place): Promise<void> {
    const readers = readersOf(place)
    if (readers.length === 0) return
    const author = pick(readers)
    const word = `secret${++number}x`
    const texts = [
      `we decided on ${word} for the next release`,
      `does anybody know what ${word} costs here?`,
      `I bought ${word} at the market yesterday`,
    ]
    const { isPublic, parent } = place
    // To pass the time costs more than to talk in the past.
    const at = new Date(bot.clock.now() - Math.floor(random() * 3 * HOUR))
    const [id, wasPublic] = [`w${number}`, parent && place.members.size === 0 ? parent.isPublic : isPublic]
    const mentions = random() < 0.3 ? [pick(PEOPLE)].map(name => ({ id: name, name })) : []
    await bot.say(author, pick(texts), { ...where(place), id, mentions, at })
    known.set(word, { word, place, id, author, wasPublic })
  }

  async function ask(place: Place): Promise<void> {
    const readers = readersOf(place)
    // Who has left a workspace does not write to its bot.
    const isOfGuild = place.isDirect && place.workspace !== ''
    const able = isOfGuild ? readers.filter(person => guilds.get(place.workspace)?.has(person)) : readers
    if (able.length === 0) return
    const person = pick(able)
    const since = pick(['', '', ' in the last hour', ' in the last hour', ' since yesterday'])
    const isLoud = random() < 0.1
    const before = bot.sent.length
    const answer = isLoud ? undefined : await bot.command(person, `missed${since}`, where(place))
    if (isLoud) await bot.say(person, `@kiki what happened in the last hour?`, where(place))
    const text = isLoud ? bot.sent.slice(before).join('\n') : (answer ?? '')
    counts.asked++
    const seen = readersOf(place)
    for (const [word] of text.matchAll(/secret\d+x/g)) {
      const told = known.get(word)
      counts.told++
      if (told && told.place !== place) counts.elsewhere++
      if (told && place.workspace === '') counts.shared++
      const shut = told ? seen.filter(one => !reads(one, told)) : seen
      if (shut.length === 0) continue
      const leak = `${word} of ${told ? JSON.stringify(where(told.place)) : 'a message that is gone'} in ${JSON.stringify(where(place))}: ${shut}`
      leaks.push(leak)
    }
  }

  async function change(): Promise<void> {
    const word = pick([...known.values()])
    const place = pick(places)
    const guild = guilds.get(place.workspace) ?? new Set()
    const person = pick(PEOPLE)
    const kind = pick(['delete', 'edit', 'join', 'leave', 'member', 'open'])
    if (kind === 'delete' && word) {
      known.delete(word.word)
      await bot.remove(word.id, where(word.place))
    } else if (kind === 'edit' && word) {
      known.delete(word.word)
      await bot.edit(word.id, 'I have said nothing at all, really', where(word.place))
    } else if (kind === 'join') guild.add(person)
    else if (kind === 'leave') guild.delete(person)
    else if (kind === 'member' && place.members.size > 1)
      place.members.has(person) ? place.members.delete(person) : place.members.add(person)
    else if (kind === 'open' && !place.isDirect && !place.thread && !place.outsiders) {
      for (const one of some()) place.members.add(one)
      place.isPublic = !place.isPublic
      // The bot learns of it by the next message. Without a person there, nothing has changed for anybody.
      if (readersOf(place).length === 0) place.isPublic = !place.isPublic
      await say(place)
    }
  }

  for (let round = 0; round < rounds; round++) {
    const what = random()
    if (what < 0.4 || known.size === 0) await say(pick(places.filter(({ isDirect }) => !isDirect || random() < 0.3)))
    else if (what < 0.8) await ask(pick(places))
    else await change()
    if (random() < 0.01) await bot.pass('1m')
  }
  return { ...counts, leaks }
}

function placesOf(workspace: string, some: () => Set<string>): readonly Place[] {
  const channel = (name: string, isPublic: boolean, outsiders = false): Place => ({
    ...{
      workspace,
      channel: `${workspace}-${name}`,
      isPublic,
      outsiders,
      isDirect: false,
      members: isPublic ? new Set() : some(),
    },
  })
  const thread = (parent: Place, name: string, members: Set<string>): Place => ({
    ...{
      workspace,
      channel: parent.channel,
      thread: name,
      isPublic: false,
      isDirect: false,
      outsiders: parent.outsiders,
      members,
      parent,
    },
  })
  const [square, shed, partners, yard] = [
    channel('square', true),
    channel('shed', false),
    channel('partners', true, true),
    channel('yard', true),
  ]
  return [
    ...[square, shed, partners, yard],
    ...[thread(square, 'open', new Set()), thread(square, 'own', new Set(['ada', 'bea', 'cid']))],
    ...[thread(shed, 'open', new Set()), thread(shed, 'own', new Set(['ada', 'cid', 'eve']))],
    ...directPlaces(workspace),
  ]
}

/** A direct conversation with each person. Without a workspace, as on Discord, it reaches all that they share with the bot. */
function directPlaces(workspace: string): readonly Place[] {
  return PEOPLE.map(person => ({
    ...{ workspace, channel: `${workspace}-dm-${person}`, isPublic: false, isDirect: true, outsiders: false },
    members: new Set([person]),
  }))
}
