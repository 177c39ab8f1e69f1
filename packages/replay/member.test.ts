import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BotConfig, definePlugin, systemClock, type Turn } from 'kikimimi'
import { createLogger } from 'kikimimi/host'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ReplayValues, runReplay } from './command.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kikimimi-member-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Answers each question, and reacts to messages in capitals. */
const eager = definePlugin({
  name: 'eager',
  setup: () => ({
    score: ({ message }) => (message.text.endsWith('?') ? { points: 50, why: 'a question' } : undefined),
    decide: ({ message }) =>
      message.text.endsWith('?')
        ? { kind: 'full', why: 'a question' }
        : message.text.endsWith('!')
          ? { kind: 'react', why: 'a shout' }
          : undefined,
    respond: (_turn, { kind }) =>
      kind === 'react' ? { kind: 'reaction', emoji: '👍' } : { kind: 'text', text: 'never to be heard' },
  }),
})

type Said = readonly [second: number, author: string, text: string, more?: object]

/**
 * Carol is the busiest. She answers bob's first question, the second of alice's lines, and a line in capitals. She does not
 * answer dave's question.
 */
const TALK: readonly Said[] = [
  [0, 'erin', 'where is the key?', { context: true }],
  [100, 'bob', 'where is the key?'],
  [130, 'carol', 'in the drawer', { replyTo: ['m1'] }],
  [300, 'alice', 'good morning'],
  [310, 'alice', 'any news?'],
  [330, 'bob', 'none', { replyTo: ['m4'] }],
  [340, 'carol', 'some', { replyTo: ['m4'] }],
  [600, 'dave', 'who am I?'],
  [700, 'alice', 'I won!'],
  [720, 'carol', 'well done', { replyTo: ['m8'] }],
  [900, 'bob', '@carol hello', { mentions: ['carol'] }],
  [930, 'carol', 'hm'],
]

async function logOf(lines: readonly Said[]): Promise<string> {
  const file = join(folder, `${lines.length}.jsonl`)
  const texts = lines.map(([second, author, text, more], index) =>
    JSON.stringify({
      id: `m${index}`,
      at: new Date(Date.UTC(2026, 0, 5, 10) + 1_000 * second).toISOString(),
      channel: 'general',
      author: { id: author, name: author },
      text,
      ...more,
    }),
  )
  await writeFile(file, texts.join('\n'))
  return file
}

async function run(values: Partial<ReplayValues>, plugins: BotConfig['plugins'] = [eager], lines = TALK): Promise<string> {
  let printed = ''
  await runReplay(
    [await logOf(lines)],
    { config: { persona: { name: 'kiki' }, pacing: { jitter: 0 }, plugins }, project: pathToFileURL(`${folder}/`) },
    { band: '20-80', sample: '200', seed: '1', json: true, ...values },
    {
      log: createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock }),
      print: text => {
        printed += text
      },
      tell: () => {},
    },
  )
  return printed
}

const board = async (...given: Parameters<typeof run>) => JSON.parse(await run(...given))

describe("in a member's seat", () => {
  it('the bot is compared with the answers of that member', async () => {
    const { score, sums, messages, texts, reactions, seats } = await board({ seat: 'carol' })
    // Utterances: bob's question and both lines of alice are gold and spoken to; the line in capitals is gold and only gets
    // a reaction; dave's question and bob's mention are spoken to and not gold.
    expect(sums.utterances).toEqual({ goldSpoken: 2, goldSilent: 1, otherSpoken: 2, otherSilent: 1 })
    expect(score).toMatchObject({
      precision: 0.5,
      recall: 0.6667,
      f1: 0.5714,
      interruptionAccuracy: 0.3333,
      balancedAccuracy: 0.5,
      coverage: 1,
      waitP50: 4,
    })
    expect({ messages, texts, reactions }).toEqual({ messages: 7, texts: 4, reactions: 1 })
    expect(seats).toMatchObject([{ member: 'carol', f1: 0.5714 }])
  })

  it('an answer counts for the message that triggered it; with batch credit also for another one of its batch', async () => {
    const first = definePlugin({
      name: 'first',
      setup: () => ({
        score: ({ messages: [one] }) => ({ points: 90, why: 'first', ...(one && { message: one.id }) }),
        decide: () => ({ kind: 'full', why: 'test' }),
      }),
    })
    const { sums } = await board(
      { seat: 'carol' },
      [first],
      [
        [0, 'alice', 'good morning'],
        [2, 'bob', 'where is the key?'],
        [30, 'carol', 'in the drawer', { replyTo: ['m1'] }],
      ],
    )
    expect(sums.utterances).toEqual({ goldSpoken: 0, goldSilent: 1, otherSpoken: 1, otherSilent: 0 })
    expect(sums.batchCredit).toEqual({ goldSpoken: 1, goldSilent: 0, otherSpoken: 0, otherSilent: 1 })
  })

  it('a line of the member ends the batch: an answer by the member gives no credit for the question', async () => {
    const seen: string[][] = []
    const watch = definePlugin({
      name: 'watch',
      setup: () => ({ score: ({ history }) => void seen.push(history.map(({ text }) => text)) }),
    })
    await board(
      { seat: 'carol' },
      [watch],
      [
        [0, 'alice', 'where is the key?'],
        [2, 'carol', 'in the drawer', { replyTo: ['m0'] }],
        [3, 'alice', 'which one?'],
        [20, 'carol', 'the upper', { replyTo: ['m2'] }],
      ],
    )
    expect(seen).toEqual([['where is the key?'], ['where is the key?', 'in the drawer', 'which one?']])
  })

  it('utterances are counted by how they came: addressed, following an answer, or unasked', async () => {
    const { sums } = await board(
      { seat: 'carol' },
      [],
      [
        [0, 'alice', 'where is the key?'],
        [30, 'carol', 'in the drawer', { replyTo: ['m0'] }],
        [60, 'alice', 'which one?'],
        [90, 'bob', '@carol hello', { mentions: ['carol'] }],
      ],
    )
    expect(sums.kinds).toMatchObject({
      addressed: { otherSpoken: 1 },
      followUp: { otherSilent: 1 },
      unasked: { goldSilent: 1 },
    })
  })

  it('context is recorded and not scored, and the answers of others are counted', async () => {
    const early = TALK.map(([second, ...rest]): Said => [second === 330 ? 312 : second, ...rest])
    const { score, sums } = await board({ seat: 'carol' }, [eager], early)
    expect(sums.heard).toBe(7)
    expect(sums.own).toBe(4)
    expect(score.rules).toEqual([{ rule: 'a question', gold: 1, other: 1, lift: expect.any(Number) }])
  })

  it('its history is the member’s lines, without its own answers', async () => {
    const turns: Turn[] = []
    const watch = definePlugin({ name: 'watch', setup: () => ({ score: turn => void turns.push(turn) }) })
    await board({ seat: 'carol' }, [watch, eager])
    const last = turns.at(-1)
    expect(last?.history.filter(({ own }) => own).map(({ text }) => text)).toEqual(['in the drawer', 'some', 'well done'])
    expect(last?.lastReplyAt).toEqual(new Date(Date.UTC(2026, 0, 5, 10, 12)))
    expect(last?.addressed).toBe('mention')
    expect(turns.every(({ messages }) => messages.every(({ replyTo }) => replyTo === undefined))).toBe(true)
  })

  it('each of the busiest has its own replay, and the results are added up', async () => {
    const { sums, seats, files } = await board({ seats: '2' })
    expect(seats.map(({ member }: { member: string }) => member)).toEqual(['carol', 'alice'])
    expect({ files, seats: sums.seats }).toEqual({ files: 1, seats: 2 })
  })

  it('an unknown member is refused, with the list of members', async () => {
    await expect(board({ seat: 'zoe' })).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(/No member called "zoe" writes in .*\. The busiest there: carol, alice, bob/),
    })
  })
})

describe('a scripted judge', () => {
  it('that knows accepts exactly the answered batches', async () => {
    const { score, judgements } = await board({ seat: 'carol', judge: 'oracle' }, [])
    expect(score).toMatchObject({ recall: 1, coverage: 1, precision: 0.75 })
    expect(judgements).toBe(6)
    expect(score.tokensPer100).toBeGreaterThan(100)
  })

  it('accepts always or never', async () => {
    const always = await board({ seat: 'carol', judge: 'always' }, [])
    expect(always.score).toMatchObject({ recall: 1, interruptionAccuracy: 0 })
    const never = await board({ seat: 'carol', judge: 'never' }, [])
    expect(never.score).toMatchObject({ recall: 0, coverage: 1 })
  })

  it('has errors that depend on its seed', async () => {
    const long = Array.from(
      { length: 200 },
      (_, at): Said => [60 * at, at % 2 ? 'carol' : `p${at % 7}`, 'hm', { replyTo: [`m${at - 1}`] }],
    )
    const noisy = (seed: string) => run({ seat: 'carol', judge: 'noisy', seed }, [], long)
    const first = await noisy('1')
    expect(await noisy('1')).toBe(first)
    expect(await noisy('2')).not.toBe(first)
    expect(JSON.parse(first).score.recall).toBeGreaterThan(0.6)
    expect(JSON.parse(first).score.recall).toBeLessThan(0.9)
  })
})

describe('the report', () => {
  const judging = definePlugin({
    name: 'judge-rules',
    setup: () => ({ decide: () => ({ kind: 'silent', why: 'rules' }) }),
  })

  it('writes a page without external resources', async () => {
    const out = join(folder, 'report.html')
    const nasty = TALK.map(([second, author, ...rest]): Said => [second, author === 'carol' ? '<carol>' : author, ...rest])
    await run({ seat: '<carol>', out }, [eager], nasty)
    const page = await readFile(out, 'utf8')
    expect(page).toContain('<svg')
    expect(page).toContain('a question')
    // The drawing has a text alternative, and scrolling areas can be reached by keyboard.
    expect(page).toMatch(/role="img" aria-label="[^"]*this bot: [\d.]+ judgements, [\d.]+ % covered/)
    expect(page).toMatch(/<th scope="row">a question<\/th>.*<td>2<\/td><td>1<\/td>/)
    expect(page.match(/role="region"/g)).toHaveLength(page.match(/tabindex="0"/g)?.length ?? 0)
    expect(page).not.toMatch(/<script|src=|href=|@import|url\(/)
  })

  it('names the metrics', async () => {
    const text = await run({ seat: 'carol', json: false })
    expect(text).toMatch(/^F1 +57\.1 %$/m)
    expect(text).toMatch(/^ {2}a question +2 +1 /m)
  })

  it.each<[string, Partial<ReplayValues>, RegExp]>([
    [
      'an unknown judge',
      { seat: 'carol', judge: 'wise' },
      /--judge must be one of oracle, always, never, noisy, model, got "wise"/,
    ],
    ['a judge without a member', { judge: 'oracle' }, /add --seat or --seats/],
    ['an invalid band', { seat: 'carol', band: '80-20' }, /--band takes two scores/],
    ['no whole number', { seats: 'three' }, /--seats takes a whole number from 1 on, got "three"/],
    ['both --seat and --seats', { seat: 'carol', seats: '3' }, /Use either --seat or --seats/],
    ['a setting of no plugin', { set: ['nobody.x=1'] }, /no such plugin\. It has: eager, judge-rules, pacing/],
    ['a setting without a value', { set: ['pacing'] }, /--set takes PLUGIN\.OPTION=VALUE/],
    [
      'a page that cannot be written',
      { seat: 'carol', out: '/nowhere/at/all.html' },
      /--out: could not write \/nowhere\/at\/all\.html/,
    ],
  ])('%s is refused with the remedy', async (_what, values, message) => {
    await expect(run(values, [eager, judging])).rejects.toMatchObject({ code: 'USAGE', message: expect.stringMatching(message) })
  })

  it('takes settings', async () => {
    const waits = async (set: string[]) => (await board({ seat: 'carol', set })).score.waitP50
    expect(await waits([])).toBe(4)
    expect(await waits(['pacing.minWait=9s'])).toBe(9)
  })
})
