/** A channel in which people show what they think of the decisions of the bot, round after round. */
import { definePlugin, type Plugin } from 'kikimimi'
import { promptOf, type ScriptedModel, scriptedModel, type TestBot, type TestBotOptions, testBot } from 'kikimimi/testing'
import judgeLlm from '../index.ts'

export const PEOPLE = ['alice', 'bob', 'carol', 'dan'] as const

/** What the judge says about a question. */
export type Says = (question: 'useful' | 'idle') => { readonly respond: boolean; readonly confidence: number }

export interface Channel {
  readonly bot: TestBot
  readonly model: ScriptedModel
  /** The judge from now on. */
  says: Says
}

/** A bot with a score of `points` for questions, and of 0 for other messages. */
export async function channel(
  says: Says,
  { points = 50, plugin = judgeLlm(), ...more }: TestBotOptions & { readonly points?: number; readonly plugin?: Plugin } = {},
): Promise<Channel & AsyncDisposable> {
  const scorer = definePlugin({
    name: 'scorer',
    setup: () => ({
      score: ({ messages }) => ({ points: messages.some(({ text }) => text.includes('?')) ? points : 0, why: 'test' }),
    }),
  })
  const next = definePlugin({
    name: 'next',
    setup: () => ({
      decide: ({ addressed }) => (addressed ? { kind: 'full', why: addressed } : { kind: 'silent', why: 'next' }),
      respond: ({ message }) => ({ kind: 'text', text: `answer to ${message.id}`, replyTo: message.id }),
    }),
  })
  const model = scriptedModel(request => {
    const last = promptOf(request).lastIndexOf('a useful question') > promptOf(request).lastIndexOf('an idle question')
    return { value: { reason: 'test', delaySeconds: null, ...own.says(last ? 'useful' : 'idle') } }
  })
  const bot = await testBot({
    persona: { name: 'kiki', prompt: 'You are kiki.' },
    plugins: [scorer, plugin, next],
    pacing: { minWait: '4s', jitter: 0 },
    logLevel: 'info',
    model,
    ...more,
  })
  const own = { bot, model, says, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
  return own
}

let count = 0

/**
 * One person asks, the bot decides, and people show what they think: of a useful question they thank the bot for its answer, or call it if
 * it is silent; at an idle one they answer each other.
 *
 * @returns whether the bot spoke unasked
 */
export async function round({ bot }: Channel, author: string, question: 'useful' | 'idle'): Promise<boolean> {
  const id = `q${count++}`
  await bot.say(author, `${question === 'useful' ? 'a useful' : 'an idle'} question?`, { id })
  await bot.pass('20s')
  const { sent } = await bot.trace()
  const other = PEOPLE.find(person => person !== author) ?? ''
  if (question === 'idle') for (const text of ['well', 'so so', 'who knows']) await bot.say(other, text, { replyTo: { id } })
  else if (sent[0] !== undefined) await bot.react(author, sent[0], '👍')
  else await bot.say(author, '@kiki the train leaves when')
  await bot.pass('31m')
  return sent.length > 0
}

/** Rounds in which the people take turns. */
export async function rounds(
  channel: Channel,
  times: number,
  question: (time: number) => 'useful' | 'idle',
  people: readonly string[] = PEOPLE,
): Promise<readonly boolean[]> {
  const spoke: boolean[] = []
  for (let time = 0; time < times; time++) {
    spoke.push(await round(channel, people[time % people.length] ?? '', question(time)))
  }
  return spoke
}

/** The lines of `kikimimi judge-report`. */
export async function report({ bot }: Channel, ...args: readonly string[]): Promise<readonly string[]> {
  const lines: string[] = []
  await bot.bot.command('judge-report', args, { json: false, print: line => void lines.push(line) })
  return lines
}
