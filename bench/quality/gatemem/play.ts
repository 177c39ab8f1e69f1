/** Plays an episode through a whole bot, and keeps what its prompts and answers have at each checkpoint. */
import facts from '@kikimimi/facts'
import memorySummary from '@kikimimi/memory-summary'
import reflection from '@kikimimi/reflection'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import { type BotConfig, startBot } from 'kikimimi'
import { type GenerateRequest, readTranscript } from 'kikimimi/model'
import { seededRandom } from '../../../core/base/random.ts'
import { movedClock } from '../../../core/bot/clock/moved-clock.ts'
import { stepsOf } from '../../../core/bot/clock/settled.ts'
import { openDatabase } from '../../../core/storage/database/database.ts'
import { promptOf, scriptedModel } from '../../../core/testing/scripted-model.ts'
import { testPlatform } from '../../../core/testing/test-platform.ts'
import { benchLog } from '../../base/talk.ts'
import type { Checkpoint, Episode } from './data.ts'
import { type Place, placesOf } from './places.ts'
import { has, withdrawals } from './withdrawn.ts'

/** A text of the talk, with the questions, the requests and the answers of the bot. */
export interface Spoken {
  readonly kind: 'turn' | 'question' | 'request' | 'answer'
  readonly text: string
  readonly author: string
  readonly place: Place
}

/** A value that is withdrawn from now on. */
export interface Gone {
  readonly value: string
  /** Number of texts that were spoken before. */
  readonly before: number
  /** Who asked the bot to forget it. */
  readonly by: ReadonlySet<string>
  /** What the bot answered to the requests. */
  readonly answers: readonly string[]
}

export interface Asked {
  readonly checkpoint: Checkpoint
  readonly place: Place
  /** The prompt without the question. */
  readonly prompt: string
  readonly answer: string
  readonly spoken: readonly Spoken[]
  readonly gone: readonly Gone[]
}

export interface Played {
  readonly asked: readonly Asked[]
  /** Requests in the words of the data that the bot took for orders, of all. */
  readonly understood: number
  readonly requests: number
}

/** Seconds until working memory is empty, and all is in the index. */
const WAIT = 200
const START = new Date('2026-05-04T08:00:00Z')

/** The beginning of each answer of the model. */
const REPEATS = 'I remember: '
const LONGEST_FACT = 400
const TRIES = 3

export async function play(episode: Episode, { alone }: { readonly alone: boolean }): Promise<Played> {
  const places = placesOf(episode)
  const requested = Map.groupBy(withdrawals(episode), ({ at }) => at)
  const people = new Map(episode.entities.principals.map(one => [one.principal_id, one]))
  const model = scriptedModel(request => answered(request))
  await using scope = new AsyncDisposableStack()
  const time = movedClock(START)
  const db = scope.adopt(await openDatabase('memory', { log: benchLog, clock: time.clock }), opened => opened.close())
  const platform = testPlatform({ me: { id: 'kiki', name: 'kiki' } })
  const config: BotConfig = {
    persona: { name: 'kiki' },
    models: { chat: model },
    memory: { ttl: '2m' },
    plugins: [
      remember({ tool: false }),
      facts({ tool: false }),
      memorySummary(),
      reflection({ lull: '1m', minMessages: 1, maxMessages: 15 }),
      reply(),
    ],
  }
  const parts = { db, clock: time.clock, jobClock: time.jobClock, random: seededRandom(1), log: benchLog, platforms: [platform] }
  const bot = scope.use(await startBot(config, { ...parts, supervise: false, env: {} }))
  const steps = stepsOf(time, db, () => bot.jobs)
  const pass = (seconds: number) => time.clock.advance(time.clock.now() + seconds * 1_000, steps)
  const spoken: Spoken[] = []
  const gone: Gone[] = []
  const asked: Asked[] = []
  const heard = () => model.asked.filter(({ role }) => role === 'chat')
  let [understood, requests] = [0, 0]

  /** Returns what the bot posts in answer. */
  async function say(kind: Spoken['kind'], author: string, text: string, place: Place): Promise<string> {
    spoken.push({ kind, text, author, place })
    const before = platform.posted.length
    const isCalled = text.startsWith('@kiki')
    const { display_name: name = author, role } = people.get(author) ?? {}
    await bot.receive(platform, {
      id: String(spoken.length),
      conversation: { platform: platform.name, workspace: 'team', name: place.channel, ...place },
      author: { id: author, name, bot: role === 'agent' },
      text,
      at: new Date(time.clock.now()),
      mentions: isCalled ? [platform.me] : [],
      attachments: [],
    })
    await steps.settle()
    await pass(isCalled || place.visibility === 'direct' ? 15 : 1)
    const posted = platform.posted.slice(before)
    const answer = posted.flatMap(one => (one.kind === 'text' ? one.text : [])).join('\n')
    if (answer !== '') spoken.push({ kind: 'answer', text: answer, author: 'kiki', place })
    return answer
  }

  /** Orders the bot to forget the value, and chooses from its list what has the value. */
  async function forget(author: string, value: string, place: Place): Promise<string> {
    let answer = ''
    for (let tries = 0; tries < TRIES; tries++) {
      answer = await say('request', author, `@kiki forget about ${value}`, place)
      const listed = answer.split('\n').filter(line => /^\d+\. /.test(line))
      if (listed.length === 0) return answer
      const meant = listed.flatMap((line, at) => (means(line, author, value) ? String(at + 1) : []))
      if (meant.length === 0) {
        await say('request', author, '@kiki none', place)
        return answer
      }
      await say('request', author, listed.length === 1 ? '@kiki yes' : `@kiki ${meant.join(' and ')}`, place)
    }
    return answer
  }

  /** Whether a line of the list, which may be cut, quotes a text of the person with the value. */
  function means(line: string, author: string, value: string): boolean {
    const begin = line.replace(/^\d+\. /, '').replace(/…$/, '')
    return has(begin, value) || spoken.some(one => one.author === author && has(one.text, value) && has(one.text, begin))
  }

  /** The request in its own words, and then the orders of the bot: by the person, and by all others who have said the value. */
  async function withdraw(at: number): Promise<void> {
    const turn = episode.turns[at]
    if (!turn) return
    const asker = turn.speaker.principal_id
    const place = places.placeOf(turn)
    const before = heard().length
    await say('turn', asker, `@kiki ${turn.text}`, place)
    requests++
    if (heard().length === before) understood++
    for (const { value } of requested.get(at) ?? []) {
      const said = spoken.filter(({ kind, text }) => kind !== 'answer' && has(text, value))
      const others = alone ? [] : said.map(one => one.author)
      const by = new Set([asker, ...others])
      const answers: string[] = []
      for (const author of by) {
        const where = Map.groupBy(
          said.filter(one => one.author === author),
          one => one.place.channel,
        )
        const own = [...where.values()].flatMap(([first]) => first?.place ?? [])
        for (const one of own.length > 0 ? own : [place]) answers.push(await forget(author, value, one))
      }
      gone.push({ value, before: spoken.length, by, answers })
    }
    await pass(120)
  }

  /** Everybody who reads a text sees whose it is. */
  function withoutLabels(text: string): string {
    return [...people.values()].reduce((left, { display_name }) => left.replaceAll(`${display_name}:`, ''), text)
  }

  for (const [at, turn] of episode.turns.entries()) {
    if (requested.has(at)) await withdraw(at)
    else await say('turn', turn.speaker.principal_id, turn.text, places.placeOf(turn))
    const now = episode.checkpoints.filter(one => one.as_of_turn_id === turn.turn_id)
    if (now.length > 0) await pass(WAIT)
    for (const checkpoint of now) {
      const place = places.askedIn(checkpoint)
      const { query_text: question } = checkpoint
      const [before, known] = [heard().length, { spoken: [...spoken], gone: [...gone] }]
      const answer = await say('question', checkpoint.asker.principal_id, `@kiki ${question}`, place)
      const prompt = withoutLabels(heard().slice(before).map(textOf).join('\n').replaceAll(question, ''))
      asked.push({ checkpoint, place, prompt, answer: withoutLabels(answer), ...known })
    }
  }
  return { asked, understood, requests }
}

/** The extractor keeps each statement, the summary its beginning, and an answer repeats the memories. */
function answered(request: GenerateRequest) {
  const prompt = promptOf(request)
  if (request.role === 'reflection') {
    const statements = readTranscript(prompt).filter(({ text }) => !text.includes('?'))
    const found = statements.map(({ name, text, id = '' }) => ({
      ...{ content: text.slice(0, LONGEST_FACT), quote: text, message: id, people: [name], keywords: [], replaces: [] },
      ...{ kind: 'current', confidence: 0.9, shareable: false },
    }))
    return { value: { facts: found, profiles: [] } }
  }
  if (request.schema) {
    const lines = readTranscript(prompt).map(({ name, text }) => `${name}: ${text}`)
    const told = (lines.length > 0 ? lines.join('\n') : prompt).slice(0, 1_000)
    return { value: { summary: told, mood: 'calm', topics: [], memory: told } }
  }
  const memories = prompt.split('\n').filter(line => line.startsWith('- ') && line.includes('“'))
  return `${REPEATS}${memories.join(' ')}`.slice(0, 1_900)
}

function textOf({ system, messages }: GenerateRequest): string {
  return [system, ...messages.map(({ text }) => text)].join('\n')
}
