/** Makes digests: what to tell, written by a model or by rules. */
import {
  Access,
  type Conversation,
  channelOf,
  KikimimiError,
  type Locale,
  languageOf,
  MessageLog,
  Operator,
  type Person,
  type PluginContext,
  safeName,
  type Turn,
  withTimeout,
} from 'kikimimi'
import type { Asked } from './asked.ts'
import type { Options } from './index.ts'
import { lastSpoken, loadSaid, stillSaid, writtenBy } from './log/load.ts'
import type { Said } from './log/said.ts'
import { sharedWorkspaces } from './log/shared.ts'
import { rangeOf } from './span.ts'
import { type Chosen, choose } from './talk/choose.ts'
import { does } from './talk/signs.ts'
import { texts, type Words } from './texts.ts'
import { citingOf, timeOf } from './write/cite.ts'
import { extract } from './write/extract.ts'
import { askModel, excerptsOf, linked } from './write/model.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** How far back the bot looks for what the person wrote last, in milliseconds. */
const LOOKS_BACK = 14 * DAY

/** What a person wrote so shortly before the question belongs to it, in milliseconds. */
const JUST_NOW = 10 * MINUTE
/** How long a model may write, in milliseconds: a command has 20 seconds. */
const PATIENCE = 12_000
/** With fewer messages, no model is asked: their words are short enough. */
const FEW = 4
/** A channel with less than this has no digest. */
const LITTLE = { messages: 5, people: 2 } as const
/** Maximum length of a digest in characters, also where one message can be longer. */
const LENGTH = 4_000
/** Talks of which a digest by rules has room for a line. */
const QUOTED = 60
/** Digests are not shorter than this, also where a message is: it is split. */
const SHORTEST = 800

export interface Digest {
  readonly text: string
  /** The messages that it was made from. */
  readonly said: readonly Said[]
}

interface Common {
  readonly conversation: Conversation
  readonly signal: AbortSignal
  readonly locale?: Locale | undefined
}

export interface ForPerson extends Common, Asked {
  readonly person: Person
  /** The id of the question, which is no news. */
  readonly question?: string | undefined
  readonly turn?: Turn
  /** True: by rules, for a model that writes the answer itself. */
  readonly plain?: boolean
}

export interface Digests {
  /** What happened since the person last spoke, or since the time that they name. */
  forPerson(request: ForPerson): Promise<Digest>
  /** What happened in a channel since a time. Undefined: too little. */
  forChannel(request: Common & { readonly since: Date }): Promise<Digest | undefined>
}

interface Writing extends Common {
  readonly since: Date
  /** Absent: until now. */
  readonly until?: Date | undefined
  readonly heading: 'head' | 'posted'
  readonly isFor: (said: Said) => boolean
  readonly reader?: Person
  readonly turn?: Turn | undefined
  readonly plain?: boolean | undefined
  /** Other workspaces to which the reader belongs now. */
  readonly shared: () => Promise<readonly string[]>
}

export function createDigests(ctx: PluginContext<Options>): Digests {
  const { db, clock } = ctx
  const log = ctx.use(MessageLog)
  const platformOf = ({ platform }: Conversation) => ctx.use(Operator).platforms.find(({ name }) => name === platform)

  async function write(said: readonly Said[], writing: Writing): Promise<Digest> {
    const { conversation, since, reader, signal, turn } = writing
    const { timeZone } = ctx.bot.personaIn(conversation)
    const persona = ctx.bot.personaIn(conversation)
    const now = new Date(clock.now())
    const locale =
      writing.locale ??
      languageOf(
        said.map(({ text, bot }) => ({ text, own: bot })),
        ctx.bot.locale,
      )
    const say = texts(locale)
    const begin = timeOf(since, { locale, timeZone, now })
    const end = writing.until && timeOf(writing.until, { locale, timeZone, now: since })
    const empty = end === undefined ? say('nothing', { since: begin }) : say('nothingIn', { since: begin, until: end })
    const platform = platformOf(conversation)
    const chosen = choose(said, { names: persona.names, isFor: writing.isFor })
    if (chosen.messages === 0) return { text: empty, said: [] }
    const excerpts = excerptsOf(chosen)
    const all = excerpts.flat()
    const someone = say('someone')
    // The offline model only repeats lines.
    const isModels = !writing.plain && chosen.messages >= FEW && ctx.models.callsTools('summary')
    const isWide = conversation.visibility === 'direct'
    const place = isWide ? say('workspace') : `#${safeName(conversation.name)}`
    const forYou = reader && { name: reader.name, forYou: chosen.forYou }
    const ask = (inTime: AbortSignal) =>
      askModel(ctx, {
        ...{
          name: persona.name,
          excerpts,
          place,
          locale,
          someone,
          reader: forYou,
          since: end === undefined ? begin : `${begin} – ${end}`,
        },
        request: { signal: inTime, conversation, ...(turn && { turn }) },
      })
    const written = isModels ? await inTime(ask, signal) : ''
    const quoted = chosen.talks.slice(0, QUOTED).flatMap(({ begins, tells }) => (tells ? [begins, tells] : [begins]))
    const citing = await citingOf([...new Set([...all, ...quoted])], { isWide, platform, locale, timeZone, now, someone, signal })
    const still = await stillSaid(log, { conversation, shared: await writing.shared() }, said)
    const left = said.filter(({ seq }) => still.has(seq))
    const head = headOf(chosen, writing, { begin, end }, say)
    const length = Math.max(SHORTEST, Math.min(LENGTH, platform?.limits.textLength ?? LENGTH)) - head.length - 1
    // What a model wrote rests on all that it has read.
    const told = all.every(({ seq }) => still.has(seq)) ? linked(written, all, { citing, length }) : undefined
    if (told) return { text: `${head}\n${told.text}`, said: all }
    const present = left.length === said.length ? chosen : choose(left, { names: persona.names, isFor: writing.isFor })
    if (present.messages === 0) return { text: empty, said: [] }
    const { text, cited } = extract(present, { citing, say, length })
    return { text: `${headOf(present, writing, { begin, end }, say)}\n${text}`, said: cited }
  }

  /** Nothing when the model fails or is too slow: the digest is made by rules then. */
  async function inTime(ask: (signal: AbortSignal) => Promise<string>, signal: AbortSignal): Promise<string> {
    const late = () => new KikimimiError('MODEL_UNAVAILABLE', `A digest was not written within ${PATIENCE / 1_000} s.`)
    try {
      return await withTimeout({ clock, ms: PATIENCE, late, signal }, ask)
    } catch (error) {
      signal.throwIfAborted()
      ctx.log.debug('a digest is made by rules, because no model wrote it', { error })
      return ''
    }
  }

  return {
    async forPerson({ conversation, person, span, question, ...request }) {
      const now = new Date(clock.now())
      const { timeZone } = ctx.bot.personaIn(conversation)
      const asked = span && rangeOf(span, now, timeZone)
      if (span && !asked) return { text: texts(request.locale ?? ctx.bot.locale)('noTime'), said: [] }
      const before = new Date(now.getTime() - JUST_NOW)
      const asker = { platform: conversation.platform, id: person.id }
      const lastAt = await lastSpoken(log, asker, { from: new Date(now.getTime() - LOOKS_BACK), before })
      const spokeAt: typeof lastAt = asked ? new Map() : lastAt
      // What was said at its first instant belongs to a time.
      const begin = asked ? new Date(asked.from.getTime() - 1) : beginAnywhere(spokeAt, now)
      const sinceOf = (channel: string) => spokeAt.get(channel) ?? begin
      const isDirect = conversation.visibility === 'direct'
      const since = isDirect
        ? new Date(Math.min(begin.getTime(), ...[...spokeAt.values()].map(Number)))
        : sinceOf(channelOf(conversation))
      const access = ctx.use(Access)
      const shared = () => sharedWorkspaces(conversation, person, { db, access, since, spokenIn: lastAt.keys() })
      const within = { since, until: asked?.to ?? now, except: question }
      const loaded = await loadSaid({ db, log }, { conversation, shared: await shared() }, within)
      const news = loaded.filter(one => one.at > sinceOf(one.channel) && isNews(one))
      const said = span?.kind === 'messages' ? news.filter(({ bot }) => !bot).slice(-span.count) : news
      const answered = await writtenBy(log, asker, said)
      const name = person.name.toLowerCase()
      const isFor = ({ author, mentions, replyTo, channel, text }: Said) =>
        author.id !== person.id &&
        (mentions.includes(person.id) || answered.has(`${channel} ${replyTo}`) || calls(text.toLowerCase(), name))
      const first = span?.kind === 'messages' ? said[0]?.at : undefined
      return write(said, {
        ...{ ...request, conversation, shared, isFor, reader: person },
        ...{ since: first ?? asked?.from ?? (isDirect ? begin : since), until: asked?.to, heading: 'head' },
      })
    },

    async forChannel({ conversation, since, signal }) {
      const shared = async () => []
      const within = { since: new Date(since.getTime() - 1), until: new Date(clock.now()) }
      const loaded = await loadSaid({ db, log }, { conversation, shared: [] }, within)
      const said = loaded.filter(isNews)
      const people = said.filter(({ bot }) => !bot)
      if (people.length < LITTLE.messages || new Set(people.map(({ author }) => author.id)).size < LITTLE.people) return undefined
      const digest = await write(said, { conversation, shared, since, signal, heading: 'posted', isFor: () => false })
      return digest.said.length === 0 ? undefined : digest
    },
  }
}

interface Times {
  readonly begin: string
  readonly end: string | undefined
}

function headOf({ messages, people }: Chosen, { heading }: Writing, { begin, end }: Times, say: Words): string {
  if (heading === 'posted') return `**${say('posted', { since: begin })}**`
  const counts = { count: messages, people: say('people', { count: people }) }
  return `**${end === undefined ? say('head', { since: begin, ...counts }) : say('headIn', { since: begin, until: end, ...counts })}**`
}

/** When a person last spoke anywhere; a day ago if they did not. */
function beginAnywhere(spokeAt: ReadonlyMap<string, Date>, now: Date): Date {
  const latest = Math.max(0, ...[...spokeAt.values()].map(Number))
  return new Date(latest || now.getTime() - DAY)
}

/** A call of the bot is talk with the bot, unless it decides something. */
const isNews = (said: Said) => !said.isCall || does('decides', said)

/** Whether a text begins with a name: `alice: look`. */
function calls(text: string, name: string): boolean {
  const said = text.replace(/^@/, '')
  return name !== '' && said.startsWith(name) && /^[:,、]|^さん/u.test(said.slice(name.length))
}
