/**
 * Messages of one place never reach people who could not read them there: not as a fact, a message, a summary, a profile, a
 * topic or the result of a tool. The model of this test repeats every secret that it has seen, so any leak is visible in
 * its
 * output.
 */
import facts from '@kikimimi/facts'
import memorySummary from '@kikimimi/memory-summary'
import { offline } from '@kikimimi/offline'
import proactive from '@kikimimi/proactive'
import profiles from '@kikimimi/profiles'
import reflection from '@kikimimi/reflection'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import type { Conversation } from 'kikimimi'
import type { ChatModel, GenerateRequest } from 'kikimimi/model'
import type { Visibility } from 'kikimimi/platform'
import { testBot, testRounds } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { seededRandom } from '../core/base/random.ts'

interface Place {
  readonly workspace: string
  readonly channel: string
  readonly thread?: string
  readonly visibility: Visibility
  readonly readers?: NonNullable<Conversation['readers']>
}

const WORKSPACES = ['red', 'blue']
const PEOPLE = ['alice', 'bob', 'carol', 'dave', 'erin']
/** Everybody talks about the same few topics, so that a leaked secret is asked for. */
const TOPICS = ['cat', 'release', 'party', '猫', '会議'] as const

const told = {
  cat: (word: string) => `my cat is called ${word}`,
  release: (word: string) => `the release is called ${word} and it is on Friday`,
  party: (word: string) => `I like the party at ${word}`,
  猫: (word: string) => `うちの猫の名前は${word}です`,
  会議: (word: string) => `会議は${word}で金曜日にあります`,
} as const satisfies Record<(typeof TOPICS)[number], (word: string) => string>

const PLACES: readonly Place[] = WORKSPACES.flatMap(workspace => [
  ...['general', 'dev', 'random'].flatMap((channel): Place[] => [
    { workspace, channel, visibility: 'public' },
    { workspace, channel, thread: 'open', visibility: 'public' },
    { workspace, channel, thread: 'closed', visibility: 'private' },
  ]),
  ...['board', 'family'].flatMap((channel): Place[] => [
    { workspace, channel, visibility: 'private' },
    { workspace, channel, thread: 'inner', visibility: 'private', readers: { own: false } },
    { workspace, channel, thread: 'two of us', visibility: 'private', readers: { own: true } },
    { workspace, channel, thread: 'three of us', visibility: 'private', readers: { own: true } },
  ]),
  { workspace, channel: 'partners', visibility: 'public', readers: { outsiders: true } },
  { workspace, channel: 'partners', thread: 'open', visibility: 'public', readers: { own: false, outsiders: true } },
  { workspace, channel: 'bid', visibility: 'private', readers: { outsiders: true } },
  ...['dm-alice', 'dm-bob'].map((channel): Place => ({ workspace, channel, visibility: 'direct' })),
])

const SECRET = /zq\d+x/g

function mayRead(told: Place, reader: Place): boolean {
  if (told.workspace !== reader.workspace) return false
  if (told.visibility === 'public' && !reader.readers?.outsiders) return true
  if (told.channel !== reader.channel) return false
  const isSmaller = told.thread === 'closed' || told.readers?.own === true
  return !isSmaller || reader.thread === told.thread
}

/** Answers with, and stores, every secret in its prompt, and searches the memory for more. */
function blabbing(seen: (request: GenerateRequest, words: readonly string[]) => void): ChatModel {
  const rules = offline()
  return {
    name: 'blabbing',
    async generate(request) {
      const words = secretsIn([request.system, ...request.messages.map(({ text }) => text)].join('\n'))
      seen(request, words)
      if (request.tools?.some(({ name }) => name === 'search_memory') && !request.messages.some(({ role }) => role === 'tool')) {
        const query = TOPICS.find(topic => request.messages.at(-1)?.text.includes(topic)) ?? 'cat'
        return { text: '', toolCalls: [{ id: 't1', name: 'search_memory', args: { query } }] }
      }
      const { value } = request.schema ? await rules.generate(request) : { value: undefined }
      return { text: words.join(' ') || '…', toolCalls: [], ...(value !== undefined && { value: retold(value, words) }) }
    },
  }
}

/** A structured result with all secrets of the prompt. */
function retold(value: unknown, words: readonly string[], key = ''): unknown {
  if (Array.isArray(value)) return value.map(one => retold(one, words, key))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, retold(inner, words, name)]))
  }
  return FREE.has(key) && words.length > 0 ? words.join(' ') : value
}

/** A text of a model. */
const FREE: ReadonlySet<string> = new Set([
  'summary',
  'mood',
  'memory',
  'topics',
  'tags',
  'personality',
  'lastConversation',
  'remark',
])

function secretsIn(text: string): readonly string[] {
  return [...new Set(text.match(SECRET))]
}

test('no secret reaches people who could not read it', async () => {
  const { rounds, seed } = testRounds({ few: 40, all: 500 })
  const random = seededRandom(6 + seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const secrets: { readonly word: string; readonly place: Place }[] = []
  const shown: { readonly role: string; readonly words: readonly string[] }[] = []
  let checks = 0

  await using bot = await testBot({
    storage: 'pglite',
    plugins: [
      remember(),
      proactive({ silence: '30m', minAge: '10m', delay: 0, interval: '1m' }),
      memorySummary({ everyMessages: 4, foldAfter: '20m', workspaceEvery: '5m' }),
      profiles(),
      facts({ limit: 20 }),
      reflection({ lull: '2m', minMessages: 3 }),
      reply(),
    ],
    models: { chat: blabbing(({ role }, words) => void shown.push({ role, words })) },
  })

  async function say(place: Place, text: string): Promise<void> {
    await bot.say(pick(PEOPLE), text, place)
  }

  /** Compares all prompts and posts since the last check with the audience. */
  function check(reader: Place | undefined, posted: number): void {
    const texts = bot.posted
      .slice(posted)
      .flatMap(one => (one.kind === 'text' ? [{ role: 'sent', words: secretsIn(one.text) }] : []))
    for (const { role, words } of [...shown.splice(0), ...texts]) {
      const places = words.map(word => secrets.find(secret => secret.word === word)?.place).filter(place => place !== undefined)
      checks += places.length
      const inBackground = role === 'summary' || role === 'reflection'
      // Background work reads one place at a time, so its prompt may contain only what the readers of that place may read.
      const audiences = inBackground || !reader ? PLACES.filter(place => places.every(told => mayRead(told, place))) : [reader]
      const leaked = inBackground || !reader ? audiences.length === 0 : places.some(place => !mayRead(place, reader))
      expect(leaked, `${role} for ${JSON.stringify(reader)}: ${JSON.stringify(places)}`).toBe(false)
    }
  }

  for (let round = 0; round < rounds; round++) {
    const place = pick(PLACES)
    const topic = pick(TOPICS)
    const word = `zq${round}x`
    secrets.push({ word, place })
    await say(place, told[topic](word))
    if (random() < 0.2) await bot.pass('3m')
    shown.splice(0)

    const reader = pick(PLACES)
    const before = bot.posted.length
    await say(reader, `@kiki ${pick(['tell me about the', 'what do you know of'])} ${pick(TOPICS)}`)
    check(reader, before)
  }
  await bot.pass('40m')
  check(undefined, bot.posted.length)
  expect(checks).toBeGreaterThan(8 * rounds)
})
