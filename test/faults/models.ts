/** Models of bot.config.ts fail, one role at a time: the real client with a Gemini emulator that fails. */

import { offline } from '@kikimimi/offline'
import { ChatGoogleGenerativeAI, GoogleGenerativeAIEmbeddings } from '@langchain/google-genai'
import { scriptedModel, type TestBot, testBot } from 'kikimimi/testing'
import { type GeminiFault, type GeminiScript, startGemini } from 'kikimimi/testing/gemini'
import { expect, vi } from 'vitest'
import type { Row, Table } from './table.ts'

const ILLS = ['answers 429', 'answers 500', 'answers nonsense', 'refuses', 'hangs'] as const

type Ill = (typeof ILLS)[number]

/** Behaviour of a chat model, and of an embedding model instead. */
const ILL: Record<Ill, { readonly says: GeminiScript; readonly embeds: GeminiFault }> = {
  hangs: { says: { fault: 'hang' }, embeds: 'hang' },
  'answers 429': { says: { fault: 429 }, embeds: 429 },
  'answers 500': { says: { fault: 500 }, embeds: 500 },
  'answers nonsense': { says: '{"respond": true, "summary": "a tr', embeds: 'html 200' },
  refuses: { says: { blocked: 'SAFETY' }, embeds: 400 },
}

interface Patient {
  readonly role: 'chat' | 'judge' | 'summary' | 'reflection' | 'embeddings'
  /** The normal answer. */
  readonly well: string
  /** Causes a call of the model. */
  asked(bot: TestBot): Promise<void>
  /** The result, during the fault and after it. */
  see(bot: TestBot): Promise<string | number | undefined>
  readonly seen: { readonly ill: string | number; readonly well: string | number }
  readonly comes: Readonly<Record<Ill, string>>
}

const JUDGED = { respond: true, reason: 'a question', confidence: 0.9, delaySeconds: null }
const NOTED = { summary: 'They plan a picnic.', mood: 'calm', topics: ['picnic'], memory: 'They plan a picnic.' }
const FOUND = {
  facts: [
    {
      ...{ content: 'Alice has a cat', quote: 'I have a cat', kind: 'durable', people: ['alice'], keywords: ['cat'] },
      ...{ replaces: [], confidence: 0.9, shareable: false, message: '1' },
    },
  ],
  profiles: [],
}

const count = async ({ db }: TestBot, sql: string) => (await db.query(sql)).rows.length

const same = (comes: string, hangs: string): Record<Ill, string> => ({
  hangs,
  'answers 429': comes,
  'answers 500': 'the same',
  'answers nonsense': 'the same',
  refuses: 'the same',
})

async function talk(bot: TestBot, messages: number): Promise<void> {
  for (let at = 1; at <= messages; at++) await bot.say('alice', `I have a cat, and that is number ${at}`, { channel: 'cats' })
}

const patients: readonly Patient[] = [
  {
    role: 'chat',
    well: 'An answer.',
    asked: async bot => void (await bot.say('alice', '@kiki hello')),
    see: async bot => (await bot.traces()).at(-1)?.outcome,
    seen: { ill: 'failed', well: 'replied' },
    comes: same('one short apology if addressed', 'the apology after 60 s'),
  },
  {
    role: 'judge',
    well: JSON.stringify(JUDGED),
    asked: async bot => void (await bot.say('alice', 'does anybody know how to shrink a picture?')),
    see: async bot => (await bot.traces()).at(-1)?.outcome,
    seen: { ill: 'silent', well: 'replied' },
    comes: same('silence; mentions are answered', 'silence after 15 s; mentions are answered'),
  },
  {
    role: 'summary',
    well: JSON.stringify(NOTED),
    async asked(bot) {
      await talk(bot, 20)
      await bot.pass('58s')
    },
    see: async bot => count(bot, `select from memory_summary.memory where recent <> ''`),
    seen: { ill: 0, well: 1 },
    comes: same(
      'answers continue; the same messages are summarised in 1, 2, 4 … 60 minutes',
      'aborted after 60 s, then the same',
    ),
  },
  {
    role: 'reflection',
    well: JSON.stringify(FOUND),
    async asked(bot) {
      await talk(bot, 10)
      await bot.pass('10m')
    },
    see: async bot => count(bot, 'select from facts.fact'),
    seen: { ill: 0, well: 1 },
    comes: same(
      'answers continue; the same messages are read again in 1, 2, 4 … 60 minutes',
      'aborted after 60 s, then the same',
    ),
  },
  {
    role: 'embeddings',
    well: '',
    asked: async bot => void (await bot.say('alice', `@kiki remember that key ${bot.sent.length} is under the pot`)),
    see: async bot => count(bot, 'select from facts.vector limit 1'),
    seen: { ill: 0, well: 1 },
    comes: same(
      'facts are stored and found by their words; vectors follow with the next fact, or within a day',
      'aborted after 30 s, then the same',
    ),
  },
]

async function falls(patient: Patient, ill: Ill): Promise<void> {
  const { role, asked, see, seen } = patient
  const { says, embeds } = ILL[ill]
  let answer: GeminiScript = says
  await using gemini = await startGemini({ answer: () => answer })
  if (role === 'embeddings') gemini.faults.push(...Array(100).fill(embeds))
  const access = { baseUrl: gemini.baseUrl, apiKey: gemini.apiKey }
  const model = new ChatGoogleGenerativeAI({ ...access, model: `gemini-${role}` })
  vi.stubEnv('GOOGLE_API_KEY', 'none')
  for (const name of ['BOT_NAME', 'BOT_LOCALE', 'DISCORD_TOKEN', 'SLACK_BOT_TOKEN']) vi.stubEnv(name, undefined)
  const { default: config } = await import('../../bot.config.ts')
  const plugins = config.plugins.filter(one => one && 'definition' in one && one.definition.name !== 'terminal')
  const { database: _, ...rest } = config
  await using bot = await testBot({
    storage: 'pglite',
    ...rest,
    plugins,
    pacing: { minWait: 0 },
    models: {
      chat: scriptedModel('An answer.'),
      judge: scriptedModel({ value: JUDGED }),
      summary: offline(),
      reflection: offline(),
      ...(role === 'embeddings'
        ? { embeddings: new GoogleGenerativeAIEmbeddings({ ...access, model: 'gemini-embeddings' }) }
        : { [role]: model }),
    },
  })
  const calls = () => bot.bot.modelUsage().find(one => one.role === role)?.calls ?? 0
  /** Responses come over the network, whose time is not that of the bot. */
  const untilTrue = async (isTrue: () => boolean | Promise<boolean>) => {
    while (!(await isTrue())) {
      await gemini.settled(bot)
      await bot.pass('5s')
    }
  }

  await asked(bot)
  await untilTrue(async () => calls() > 0 && (await see(bot)) === seen.ill)
  if (role === 'chat') expect(bot.sent).toEqual([expect.stringMatching(/^Sorry/)])
  else {
    const before = bot.sent.length
    await bot.say('bob', '@kiki hello', { channel: 'elsewhere' })
    await untilTrue(() => bot.sent.length > before)
    expect(bot.sent.at(-1)).toBe('An answer.')
  }

  answer = patient.well
  gemini.faults.splice(0)
  // By then the breaker allows a call.
  await bot.pass('61s')
  if (role !== 'summary' && role !== 'reflection') await asked(bot)
  await untilTrue(async () => (await see(bot)) === seen.well)
}

export const models: Table = {
  heading: 'A model',
  of: 'role',
  columns: ILLS,
  rows: patients.map(
    (patient): Row => ({
      what: patient.role,
      cells: Object.fromEntries(ILLS.map(ill => [ill, { comes: patient.comes[ill], try: () => falls(patient, ill) }])),
    }),
  ),
}
