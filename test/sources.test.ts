/** What the bot says without a call, and what people say of its answers, goes with the messages that it was made from. */
import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import addressing from '@kikimimi/addressing'
import dashboard from '@kikimimi/dashboard'
import digest from '@kikimimi/digest'
import facts from '@kikimimi/facts'
import memorySummary from '@kikimimi/memory-summary'
import promises from '@kikimimi/promises'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import { promptOf, scriptedModel, type TestBot, testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { dump, findIn } from '../core/testing/privacy/dump.ts'
import { dump as backup } from '../packages/backup/data/dump.ts'
import { exportTo } from '../packages/cli/data/export.ts'
import { rate } from '../plugins/dashboard/evaluation/ratings.ts'

const WORD = 'zanzibar'

/** Repeats the word in all that it writes, if its prompt has it. */
const gossip = () =>
  scriptedModel(request => {
    const said = promptOf(request).toLowerCase().includes(WORD) ? WORD : 'nothing'
    return request.schema
      ? { value: { summary: said, memory: said, mood: 'calm', topics: [] } }
      : `I will look at ${said} in one hour.`
  })

async function living(model = gossip()) {
  const bot = await testBot({
    plugins: [
      remember(),
      memorySummary({ everyMinutes: 1, foldAfter: '30m' }),
      facts(),
      promises(),
      digest({}, { channels: { general: { at: '0 12 * * *' } } }),
      dashboard(),
      addressing(),
      reply(),
    ],
    model,
    timeZone: 'UTC',
    at: new Date('2026-03-11T09:00:00Z'),
    pacing: { minWait: '1s', jitter: 0 },
    capture: { channels: ['general'] },
    storage: 'pglite',
  })
  return { bot, model, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

type Living = Awaited<ReturnType<typeof living>>

/** Says the word in something that the bot makes. Returns the id of the message of ann that it comes from. */
const THINGS: Readonly<Record<string, (living: Living) => Promise<string>>> = {
  'a reminder that was told': async ({ bot }) => {
    const said = await bot.say('ann', `@kiki remind me in 20 minutes to book ${WORD}`)
    await bot.pass('21m')
    expect(bot.sent.at(-1)).toBe(`⏰ ann: book ${WORD}`)
    return said
  },
  'a promise of the bot that is not due': async ({ bot }) => {
    const said = await bot.say('ann', `I would like to see ${WORD}`)
    await bot.say('bob', '@kiki what do you think?')
    expect(bot.sent.at(-1)).toContain(WORD)
    return said
  },
  'a promise of the bot that it came back to': async ({ bot }) => {
    const said = await bot.say('ann', `I would like to see ${WORD}`)
    await bot.say('bob', '@kiki what do you think?')
    await bot.pass('61m')
    expect(bot.sent.filter(text => text.includes(WORD))).toHaveLength(2)
    return said
  },
  'a watch': async ({ bot }) => {
    const said = await bot.say('ann', `@kiki when somebody mentions the release, tell them it is in ${WORD}`)
    await bot.say('bob', 'is the release today?')
    expect(bot.sent.at(-1)).toBe(`bob: it is in ${WORD} (from ann)`)
    return said
  },
  'a list of reminders': async ({ bot }) => {
    const said = await bot.say('ann', `@kiki remind me tomorrow to book ${WORD}`)
    for (let at = 0; at < 50; at++) await bot.say('carol', `number ${at}`)
    await bot.say('bob', '@kiki what reminders do we have?')
    expect(bot.sent.at(-1)).toContain(WORD)
    return said
  },
  'a digest': async ({ bot }) => {
    await bot.say('bob', 'which town shall it be?')
    await bot.say('carol', 'I like the green one most')
    const said = await bot.say('ann', `ok, we decided: ${WORD} it is`)
    await bot.say('dave', 'does anybody know when the office closes on Friday?')
    await bot.say('erin', 'the printer on the third floor is broken again')
    await bot.pass('4h')
    expect(bot.sent.at(-1)).toContain(WORD)
    return said
  },
  'a rating': async ({ bot }) => {
    const said = await bot.say('ann', `I would like to see ${WORD}`)
    await bot.say('bob', '@kiki what do you think?')
    const { turn } = await bot.trace()
    const words = { contains: [WORD], forbids: [], comment: `it should say ${WORD}` }
    expect(await rate(bot.db, { turn, good: true, speaks: true, ...words, by: 'mod', at: new Date(bot.clock.now()) })).toBe(true)
    return said
  },
}

const WAYS: Readonly<Record<string, (bot: TestBot, message: string) => Promise<unknown>>> = {
  deleted: (bot, message) => bot.remove(message),
  edited: (bot, message) => bot.edit(message, 'never mind'),
  forgotten: bot => bot.say('ann', '@kiki forget me'),
  'of a person who opts out': bot => bot.say('ann', '@kiki don’t listen to me'),
  'not to be remembered': async (bot, message) => {
    await bot.say('ann', 'please don’t remember that', { replyTo: { id: message } })
    // Its text leaves the log with the screen.
    await bot.pass('2h')
  },
}

/** Everything that leaves the database. */
async function copies(bot: TestBot): Promise<string> {
  const lines: string[] = []
  await backup(bot.db, bot.clock, async line => void lines.push(line))
  await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-sources-'))
  await exportTo(folder.path, bot.db, { clock: bot.clock })
  const files = await readdir(folder.path, { recursive: true, withFileTypes: true })
  for (const one of files.filter(file => file.isFile())) lines.push(await readFile(join(one.parentPath, one.name), 'utf8'))
  return lines.join('\n').toLowerCase()
}

describe.each(Object.entries(THINGS))('%s', (_thing, make) => {
  test.each(Object.entries(WAYS))('leaves everything when its message is %s', async (_way, go) => {
    await using one = await living()
    const { bot, model } = one
    const said = await make(one)
    await bot.pass('3m')
    expect(findIn(await dump(bot.db), [WORD]).join('\n')).toContain('kikimimi.message')
    const [sent, asked] = [bot.sent.length, model.asked.length]
    await go(bot, said)
    await bot.pass('15m')
    expect(findIn(await dump(bot.db), [WORD])).toEqual([])
    await bot.pass('1d')
    await bot.say('carol', '@kiki tell me all')
    await bot.say('carol', '@kiki tell me all', { channel: 'random' })
    await bot.pass('2h')
    expect(bot.sent.slice(sent).filter(text => text.toLowerCase().includes(WORD))).toEqual([])
    expect(model.asked.slice(asked).filter(request => promptOf(request).toLowerCase().includes(WORD))).toEqual([])
    expect(findIn(await dump(bot.db), [WORD])).toEqual([])
    expect(await copies(bot)).not.toContain(WORD)
  })
})
