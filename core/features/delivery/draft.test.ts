/** Answers that people see while they are written, through the whole bot. */
import reply from '@kikimimi/reply'
import { describe, expect, test } from 'vitest'
import type { GenerateRequest } from '../../api/index.ts'
import { KikimimiError } from '../../base/errors.ts'
import { seededRandom } from '../../base/random.ts'
import { testRounds } from '../../testing/rounds.ts'
import { scriptedModel } from '../../testing/scripted-model.ts'
import { type TestBot, type TestBotOptions, testBot } from '../../testing/test-bot.ts'
import type { TestFault } from '../../testing/test-platform.ts'

/** A model that writes what the test tells it to. */
function writer() {
  const requests: GenerateRequest[] = []
  const ends: PromiseWithResolvers<string>[] = []
  return {
    requests,
    /** Writes the text so far. */
    write: (text: string) => requests.at(-1)?.onText?.(text),
    end: (text: string) => ends.at(-1)?.resolve(text),
    fail: (error: Error) => ends.at(-1)?.reject(error),
    script: (request: GenerateRequest) => {
      requests.push(request)
      const end = Promise.withResolvers<string>()
      request.signal.addEventListener('abort', () => end.reject(request.signal.reason))
      ends.push(end)
      return end.promise
    },
  }
}

async function started(options: Omit<TestBotOptions, 'model'> = {}) {
  const model = writer()
  const bot = await testBot({
    plugins: [reply()],
    model: scriptedModel(model.script),
    ...options,
    platform: { streams: true, ...options.platform },
  })
  return { bot, ...model }
}

/** What the log holds of the bot's own messages. */
async function stored(bot: TestBot): Promise<readonly string[]> {
  const { rows } = await bot.db.query<{ text: string }>(
    `select text from kikimimi.message where own and deleted_at is null order by seq`,
  )
  return rows.map(({ text }) => text)
}

const LONG = 'The deploy failed because the disk of the build machine was full.'

describe('an answer that is shown while it is written', () => {
  test('is one message, edited at most once a second, and recorded as it is at the end', async () => {
    const { bot, write, end } = await started({ storage: 'pglite' })
    await using _ = bot
    await bot.say('alice', '@kiki why did the deploy fail?')
    for (let length = 5; length < LONG.length; length += 5) {
      write(LONG.slice(0, length))
      await bot.pass('100ms')
    }
    expect(bot.sent).toHaveLength(1)
    expect(LONG.startsWith(bot.sent[0] ?? '')).toBe(true)
    expect(bot.platform.edits).toHaveLength(0)
    await bot.pass('1s')
    expect(bot.platform.edits).toHaveLength(1)
    end(`${LONG} I would clean it.`)
    await bot.pass('1s')
    expect(bot.sent).toEqual([`${LONG} I would clean it.`])
    expect(bot.platform.edits).toHaveLength(2)
    expect(await stored(bot)).toEqual(bot.sent)
    expect(await bot.trace()).toMatchObject({ outcome: 'replied', shown: { afterMs: expect.any(Number), edits: 1 } })
  })

  test('has its first words after half a second, however few they are', async () => {
    const { bot, write, end } = await started()
    await using _ = bot
    await bot.say('alice', '@kiki are you there?')
    write('Yes, I am')
    await bot.pass('400ms')
    expect(bot.sent).toEqual([])
    await bot.pass('200ms')
    expect(bot.sent).toEqual(['Yes, I'])
    end('Yes, I am.')
    await bot.pass('2s')
    expect(bot.sent).toEqual(['Yes, I am.'])
    expect((await bot.trace()).shown).toEqual({ afterMs: 500, edits: 0 })
  })

  test('needs no last edit when people see all of it', async () => {
    const { bot, write, end } = await started({ storage: 'pglite' })
    await using _ = bot
    await bot.say('alice', '@kiki why?')
    write(LONG)
    await bot.pass('1s')
    end(LONG)
    await bot.pass('1s')
    expect([bot.sent, bot.platform.edits]).toEqual([[LONG], []])
    expect(await stored(bot)).toEqual([LONG])
  })

  test('is not shown when nobody called, and not where the platform shows none', async () => {
    for (const streams of [true, false]) {
      const { bot, requests, end } = await started({ platform: { streams } })
      await using _ = bot
      if (!streams) await bot.say('alice', '@kiki why?')
      expect(requests.map(({ onText }) => onText)).toEqual(streams ? [] : [undefined])
      end('Because.')
    }
  })

  test('is shown to the end of the first message, and the rest of it follows', async () => {
    const { bot, write, end } = await started({ platform: { textLength: 100 } })
    await using _ = bot
    const text = `${'word '.repeat(18).trim()}.\n\n${'more '.repeat(18).trim()}.`
    await bot.say('alice', '@kiki why?')
    write(text.slice(0, 150))
    await bot.pass('2s')
    expect(bot.sent).toEqual([text.split('\n\n')[0]])
    end(text)
    await bot.pass('2s')
    expect(bot.sent).toEqual(text.split('\n\n'))
  })

  test('is replaced when a tool makes the model begin anew', async () => {
    const { bot, write, end } = await started({ storage: 'pglite' })
    await using _ = bot
    await bot.say('alice', '@kiki why?')
    write('Let me look that up in the log of the build.')
    await bot.pass('1s')
    write('It was the disk.')
    await bot.pass('2s')
    expect(bot.sent).toEqual(['It was the disk.'])
    end('It was the disk, which is full.')
    await bot.pass('2s')
    expect(bot.sent).toEqual(['It was the disk, which is full.'])
    expect(await stored(bot)).toEqual(bot.sent)
  })

  test.each(['NO_REPLY', 'kiki: SILENT', '{"tool": "x"}'])('shows nothing of %s', async text => {
    const { bot, write, end } = await started()
    await using _ = bot
    await bot.say('alice', '@kiki why?')
    for (let length = 1; length <= text.length; length++) {
      write(text.slice(0, length))
      await bot.pass('600ms')
    }
    expect(bot.sent).toEqual([])
    end(text)
    await bot.pass('1s')
    expect(bot.sent).not.toContain(text)
  })
})

describe('what the caller adds', () => {
  test('before the first words belongs to the answer; afterwards it is a call of its own', async () => {
    const { bot, requests, write, end } = await started()
    await using _ = bot
    await bot.say('alice', '@kiki why did it fail?')
    await bot.say('alice', '@kiki I mean the deploy')
    end('Which one?')
    await bot.pass('1s')
    expect(bot.sent).toEqual([])
    write(LONG)
    await bot.pass('1s')
    await bot.say('alice', '@kiki and since when?')
    end(LONG)
    await bot.pass('1s')
    expect(bot.sent).toEqual([LONG])
    expect(requests).toHaveLength(3)
    end('Since noon.')
    await bot.pass('1s')
    expect(bot.sent).toEqual([LONG, 'Since noon.'])
  })
})

describe('an answer that is cut off', () => {
  test('is deleted when its question is deleted', async () => {
    const { bot, write } = await started({ storage: 'pglite' })
    await using _ = bot
    const asked = await bot.say('alice', '@kiki why?')
    write(LONG)
    await bot.pass('1s')
    expect(bot.sent).toEqual([LONG])
    await bot.remove(asked)
    await bot.pass('1s')
    expect([bot.sent, await stored(bot)]).toEqual([[], []])
    expect(await bot.trace()).toMatchObject({ outcome: 'cancelled', why: 'the message was deleted' })
    await bot.pass('1h')
    expect(bot.sent).toEqual([])
  })

  test('is deleted when its question is edited, which is answered anew', async () => {
    const { bot, requests, write, end } = await started({ storage: 'pglite' })
    await using _ = bot
    const asked = await bot.say('alice', '@kiki why?')
    write(LONG)
    await bot.pass('1s')
    await bot.edit(asked, '@kiki why, and since when?')
    await bot.pass('10s')
    expect(bot.sent).toEqual([])
    expect(requests).toHaveLength(2)
    end('Since noon.')
    await bot.pass('1s')
    expect(bot.sent).toEqual(['Since noon.'])
    expect((await bot.traces()).map(({ outcome, why }) => [outcome, why])).toEqual([
      ['cancelled', 'the message was edited'],
      ['replied', undefined],
    ])
  })

  test('is deleted at STOP, and is not said after START', async () => {
    const { bot, requests, write } = await started({ storage: 'pglite' })
    await using _ = bot
    await bot.say('alice', '@kiki why?')
    write(LONG)
    await bot.pass('1s')
    await bot.say('root', 'kiki STOP', { admin: true })
    await bot.pass('1s')
    expect(bot.sent.filter(text => text === LONG)).toEqual([])
    await bot.say('root', 'kiki START', { admin: true })
    await bot.pass('1h')
    expect(requests).toHaveLength(1)
    expect(bot.sent.filter(text => text === LONG)).toEqual([])
  })

  test('becomes the apology when the model fails', async () => {
    const { bot, write, fail } = await started({ storage: 'pglite', apology: 'Sorry!' })
    await using _ = bot
    await bot.say('alice', '@kiki why?')
    write(LONG)
    await bot.pass('1s')
    fail(new KikimimiError('MODEL_REFUSED', 'no'))
    await bot.pass('2s')
    expect([bot.sent, await stored(bot)]).toEqual([['Sorry!'], ['Sorry!']])
    expect(await bot.trace()).toMatchObject({ outcome: 'failed' })
  })

  test('is not posted again after somebody deleted it', async () => {
    const { bot, write, end } = await started({ storage: 'pglite' })
    await using _ = bot
    await bot.say('alice', '@kiki why?')
    write(LONG)
    await bot.pass('1s')
    const [post] = bot.posted
    bot.platform.posted.splice(0)
    if (post?.kind === 'text') await bot.remove(post.id)
    end(`${LONG} I would clean it.`)
    await bot.pass('2s')
    expect([bot.sent, await stored(bot)]).toEqual([[], []])
    expect(await bot.trace()).toMatchObject({ outcome: 'failed', why: 'the message was deleted' })
  })

  test('is deleted when the bot ends, and the call is answered after its next start', async () => {
    const { bot, requests, write, end } = await started({ storage: 'pglite' })
    await using _ = bot
    await bot.say('alice', '@kiki why?')
    write(LONG)
    await bot.pass('1s')
    expect(bot.sent).toEqual([LONG])
    await bot.restart()
    await bot.pass('30s')
    expect(requests).toHaveLength(2)
    expect(bot.sent).toEqual([])
    end('It was the disk.')
    await bot.pass('2s')
    expect([bot.sent, await stored(bot)]).toEqual([['It was the disk.'], ['It was the disk.']])
  })
})

const { rounds: answers, seed } = testRounds({ few: 10, all: 1_000 })

test('what people see is what is recorded, whatever fails', async () => {
  const random = seededRandom(16 + seed)
  const oneOf = <T>(...all: readonly T[]) => all[Math.floor(random() * all.length)] as T
  const limited = () =>
    Object.assign(new KikimimiError('PLATFORM_REFUSED', 'rate limited'), { retryAfterMs: 1_000 + 60_000 * random() })
  const unavailable = () => new KikimimiError('PLATFORM_UNAVAILABLE', 'no answer')
  const refused = () => new KikimimiError('PLATFORM_REFUSED', 'not allowed')
  const fault = (): TestFault => oneOf<() => TestFault>(limited, unavailable, () => ({ afterwards: unavailable() }), refused)()
  const { bot, requests, write, end, fail } = await started({ storage: 'pglite', platform: { finds: true } })
  await using _ = bot
  const counts = { whole: 0, apology: 0, none: 0 }
  for (let answer = 1; answer <= answers; answer++) {
    bot.platform.posted.splice(0)
    bot.platform.faults.splice(0)
    await bot.db.query('update kikimimi.message set deleted_at = now() where own and deleted_at is null')
    const before = requests.length
    const asked = await bot.say('alice', `@kiki why? (${answer})`)
    if (requests.length === before) throw new Error(`answer ${answer} has no model call`)
    const whole = `${answer}: ${LONG} ${'I would clean it. '.repeat(oneOf(1, 4, 130))}`.trim()
    // The text of a round whose tool fails is replaced.
    if (random() < 0.3) write('Let me look that up in the log of the build.')
    if (random() < 0.3) bot.platform.faults.push(fault())
    await bot.pass(oneOf('100ms', '1s', '3s'))
    for (const part of [0.3, 0.6, 0.9]) {
      write(whole.slice(0, Math.round(part * whole.length)))
      if (random() < 0.3) bot.platform.faults.push(fault())
      await bot.pass(oneOf('200ms', '1s', '2s'))
    }
    if (random() < 0.5) bot.platform.faults.push(fault(), ...(random() < 0.3 ? [fault()] : []))
    const course = oneOf('end', 'end', 'end', 'fail', 'delete')
    if (course === 'end') end(whole)
    else if (course === 'fail') fail(new KikimimiError('MODEL_REFUSED', 'no'))
    else await bot.remove(asked)
    // For an hour after a refused edit, answers are not shown while they are written.
    await bot.pass('61m')
    // The mark of a message that the platform refuses to delete.
    const sent = bot.sent.filter(text => text !== '…')
    const seen = sent.join('\n')
    expect(await stored(bot), `answer ${answer}, ${course}`).toEqual(sent)
    if (course === 'delete') expect(sent).toEqual([])
    const isWhole = seen.replace(/\s/g, '') === whole.replace(/\s/g, '')
    const isApology = /^Sorry/.test(seen)
    expect(isWhole || isApology || seen === '', `answer ${answer}, ${course}: ${seen.slice(0, 80)}`).toBe(true)
    counts[isWhole ? 'whole' : isApology ? 'apology' : 'none']++
  }
  if (answers > 10) process.stdout.write(`${JSON.stringify(counts)}\n`)
})

describe('the last edit', () => {
  const failing = async (...faults: Error[]) => {
    const { bot, write, end } = await started({ storage: 'pglite' })
    await bot.say('alice', '@kiki why?')
    write(LONG)
    await bot.pass('1s')
    bot.platform.faults.push(...faults)
    end('It was the disk.')
    await bot.pass('2s')
    return bot
  }

  test('waits for a rate limit', async () => {
    await using bot = await failing(
      Object.assign(new KikimimiError('PLATFORM_REFUSED', 'rate limited'), { retryAfterMs: 60_000 }),
    )
    expect(bot.sent).toEqual([LONG])
    expect(await bot.trace()).toMatchObject({ outcome: 'delayed' })
    await bot.pass('1m')
    expect([bot.sent, await stored(bot)]).toEqual([['It was the disk.'], ['It was the disk.']])
    expect(await bot.trace()).toMatchObject({ outcome: 'replied' })
  })

  test('is repeated when its result is unknown', async () => {
    await using bot = await failing(new KikimimiError('PLATFORM_UNAVAILABLE', 'no answer'))
    await bot.pass('10s')
    expect([bot.sent, await stored(bot)]).toEqual([['It was the disk.'], ['It was the disk.']])
  })

  test('that is refused for good becomes a new message', async () => {
    await using bot = await failing(new KikimimiError('PLATFORM_REFUSED', 'messages cannot be edited here'))
    expect([bot.sent, await stored(bot)]).toEqual([['It was the disk.'], ['It was the disk.']])
    expect(await bot.trace()).toMatchObject({ outcome: 'replied' })
  })

  test('that is refused for good ends the showing of answers there for an hour', async () => {
    const { bot, write, end } = await started({ storage: 'pglite' })
    await using _ = bot
    for (const [wait, isShown] of [
      ['0s', true],
      ['1m', false],
      ['1h', true],
    ] as const) {
      await bot.pass(wait)
      await bot.say('alice', '@kiki why?')
      const before = bot.sent.length
      write(LONG)
      await bot.pass('1s')
      expect(bot.sent.length > before).toBe(isShown)
      bot.platform.faults.push(...(isShown ? [new KikimimiError('PLATFORM_REFUSED', 'messages cannot be edited here')] : []))
      end('It was the disk.')
      await bot.pass('2s')
    }
    expect(bot.sent).toEqual(Array(3).fill('It was the disk.'))
  })

  test('that never succeeds leaves nothing', async () => {
    const { bot, write, end } = await started({ storage: 'pglite' })
    await using _ = bot
    await bot.say('alice', '@kiki why?')
    write(LONG)
    await bot.pass('1s')
    const unavailable = () => new KikimimiError('PLATFORM_UNAVAILABLE', 'no answer')
    bot.platform.faults.push(...Array.from({ length: 61 }, unavailable))
    end('It was the disk.')
    await bot.pass('15m')
    await bot.pass('1m')
    expect(bot.platform.faults).toEqual([])
    expect([bot.sent, await stored(bot)]).toEqual([[], []])
    expect(await bot.trace()).toMatchObject({ outcome: 'failed' })
  })
})
