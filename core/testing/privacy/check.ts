/** Finds what plugins tell people who may not know it. */
import { z } from 'zod'
import type { PluginEntry } from '../../api/config.ts'
import { definePlugin, type GenerateRequest, type Tool, type ToolCall } from '../../api/index.ts'
import { seededRandom } from '../../base/random.ts'
import { type Script, scriptedModel } from '../scripted-model.ts'
import { type Said, type TestBot, testBot } from '../test-bot.ts'
import { dump, findIn } from './dump.ts'

export interface PrivacyCheckOptions {
  /** What people say and when depends on it. Default: 1. */
  readonly seed?: number
  /** The number of things that people do. Default: 80. */
  readonly rounds?: number
}

/** All four people read `general`. Only alice and bob read `board`. One person reads a direct message. */
const GENERAL = { channel: 'general' } as const satisfies Said
const BOARD = { channel: 'board', visibility: 'private' } as const satisfies Said
const dm = (person: string) => ({ channel: `dm-${person}`, visibility: 'direct' }) as const satisfies Said
const INSIDERS = ['alice', 'bob']
const OUTSIDERS = ['carol', 'mallory']
const OUTSIDE: ReadonlySet<string> = new Set([GENERAL.channel, ...OUTSIDERS.map(person => dm(person).channel)])

const THINGS = ['boathouse', 'safe', 'garden gate', 'archive', 'bicycle shed', 'letter box', 'attic', 'wine cellar']

/** Stands before the channel of a turn in its prompt. */
const MARK = 'This turn is in the channel '

/**
 * Plays a talk of four people with a bot that has these plugins, and once more with other secrets on the same clock. What people who may
 * not read the secrets get is the same then, byte for byte: the posts, their times and the prompts of their turns. At the end the bot
 * forgets one person: nothing that this person alone said is left in the database. The chat model tells every secret in its prompt.
 *
 * @returns what is different, and where something is left; empty when nothing is
 */
export async function checkPrivacy(
  plugins: readonly PluginEntry[],
  { seed = 1, rounds = 80 }: PrivacyCheckOptions = {},
): Promise<readonly string[]> {
  const one = await play(plugins, { seed, rounds, first: 'z' })
  const other = await play(plugins, { seed, rounds, first: 'x' })
  if (!one.seen.some(text => text.startsWith('prompt')))
    return ['No turn of an outsider asks the model. Give plugins with which the bot answers, such as @kikimimi/reply.']
  const at = one.seen.findIndex((text, index) => text !== other.seen[index])
  const isSame = at < 0 && one.seen.length === other.seen.length
  const [text = '(nothing)', changed = '(nothing)'] = at < 0 ? [] : [one.seen[at], other.seen[at]]
  return [...(isSame ? [] : [`Other secrets change what outsiders see: ${differenceOf(text, changed)}`]), ...one.left]
}

interface Played {
  /** What outsiders saw, in order. */
  readonly seen: readonly string[]
  readonly left: readonly string[]
}

interface Course {
  readonly seed: number
  readonly rounds: number
  /** The letter with which every secret begins. */
  readonly first: string
}

async function play(plugins: readonly PluginEntry[], { seed, rounds, first }: Course): Promise<Played> {
  const random = seededRandom(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const secret = () => first + Array.from({ length: 4 }, () => pick([...'bdgkmnprt']) + pick([...'aeiou'])).join('')
  const isSecret = new RegExp(`\\b${first}(?:[bdgkmnprt][aeiou]){4}\\b`, 'g')
  const secretsIn = (text: string) => [...new Set(text.match(isSecret))].join(' ') || 'nothing'

  const seen: string[] = []
  const model = scriptedModel((request): Script => {
    const prompt = [request.system, ...request.messages.map(({ text }) => text)].join('\n')
    const [, channel = ''] = new RegExp(`${MARK}(\\S+)\\.`).exec(prompt) ?? []
    if (OUTSIDE.has(channel)) seen.push(`prompt in ${channel}: ${prompt}`)
    return answerTo(request, secretsIn(prompt))
  })
  const marks = definePlugin({
    name: 'marks',
    setup: () => ({
      context: ({ conversation }) => ({ place: 'other', title: 'Turn', text: `${MARK}${conversation.channel}.` }),
    }),
  })
  await using bot = await testBot({ plugins: [...plugins, marks()], model, storage: 'pglite', seed, timeZone: 'UTC' })
  const posts = postsOf(bot)

  /** Only bob has said these. */
  const ofBob: string[] = []
  for (let round = 0; round < rounds; round++) {
    const [thing, kind] = [pick(THINGS), random()]
    if (kind < 0.3) {
      const [author, word] = [pick(INSIDERS), secret()]
      const id = await bot.say(author, `the code of the ${thing} is ${word}`, pick([BOARD, BOARD, dm(author)]))
      if (author === 'bob') ofBob.push(word)
      if (random() < 0.1) await bot.remove(id, BOARD)
    } else if (kind < 0.5) await bot.say(pick([...INSIDERS, ...OUTSIDERS]), `somebody painted the ${thing} again`, GENERAL)
    else if (kind < 0.75) {
      const author = pick(OUTSIDERS)
      await bot.say(author, `@kiki what is the code of the ${thing}?`, pick([GENERAL, dm(author)]))
    } else if (kind < 0.9) await bot.say(pick(INSIDERS), `@kiki which codes do you know?`, BOARD)
    else await bot.pass(pick(['1m', '20m', '3h', '1d']))
    await bot.pass('5s')
    seen.push(...posts())
  }
  await bot.pass('1d')
  seen.push(...posts())
  await bot.bot.forget({ platform: 'test', id: 'bob' })
  await bot.pass('1d')
  const left = findIn(await dump(bot.db), ofBob).map(where => `Words of a forgotten person are left in ${where}`)
  return { seen, left }
}

/** The posts outside since the last call, with their times. */
function postsOf(bot: TestBot): () => readonly string[] {
  let known = 0
  return () => {
    const posted = bot.posted.slice(known)
    known = bot.posted.length
    const at = new Date(bot.clock.now()).toISOString()
    return posted.flatMap(one => {
      if (!OUTSIDE.has(one.channel)) return []
      return [`post in ${one.channel} until ${at}: ${one.kind === 'text' ? one.text : one.emoji}`]
    })
  }
}

function answerTo({ schema, messages, tools = [] }: GenerateRequest, known: string): Script {
  if (schema) return { value: fittingValue(schema, known) }
  if (tools.length > 0 && !messages.some(({ role }) => role === 'tool')) return { toolCalls: callsOf(tools, known) }
  return `I know of ${known}.`
}

/** A call of each tool, with what the model knows. */
export function callsOf(tools: readonly Tool[], known: string): readonly ToolCall[] {
  return tools.map(({ name, schema }) => ({
    ...{ id: `call ${name}`, name },
    args: fittingValue(schema, known) as Record<string, unknown>,
  }))
}

/** A value that fits a schema, with these words in each text. */
function fittingValue(schema: unknown, words: string): unknown {
  const shape = schema instanceof z.ZodType ? z.toJSONSchema(schema) : schema
  return valueFor(typeof shape === 'object' && shape !== null ? shape : {}, words)
}

function valueFor(schema: object, words: string): unknown {
  const { type, properties = {}, items = {}, enum: values, const: fixed, anyOf, minimum, maximum } = schema as Schema
  if (fixed !== undefined) return fixed
  if (values) return values[0]
  if (anyOf) return valueFor(anyOf[0] ?? {}, words)
  if (type === 'object') return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, valueFor(one, words)]))
  if (type === 'array') return [valueFor(items, words)]
  if (type === 'number' || type === 'integer') return minimum ?? Math.min(1, maximum ?? 1)
  return type === 'boolean' ? true : words
}

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, object>>
  readonly items?: object
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly object[]
  readonly minimum?: number
  readonly maximum?: number
}

/** Both texts around their first difference. */
function differenceOf(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const from = Math.max(0, at - 100)
  return `“${one.slice(0, 40)} … ${one.slice(from, at + 100)}” is “${other.slice(from, at + 100)}”`
}
