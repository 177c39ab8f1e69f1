/** A message can have thousands of mentions, links and lines. What it costs is measured in processor time. */
import { describe, expect, test } from 'vitest'
import { sanitizeMessage } from '../../core/api/checks/sanitize.ts'
import { linesOf } from '../../core/base/text/lines.ts'
import { nameMatcher } from '../../core/base/text/names.ts'
import { nearest } from '../../core/base/text/nearest.ts'
import { isCopy } from '../../plugins/facts/text/copies.ts'
import { findingIds, kindOf, tokenId, tokensOf } from '../../plugins/facts/text/tokens.ts'
import { remembering } from '../../plugins/remember/test-bot.ts'
import { startOnSlack, until } from '../../plugins/slack/test-bot.ts'
import { costOf } from './cost.ts'
import { shapes } from './shapes.ts'

/** Milliseconds of processor time: ten times what each case takes on a quiet machine, and a hundredth of what it took once. */
const MOST = 300

const PEOPLE = Array.from({ length: 10_000 }, (_, at) => ({ id: `u${at}`, name: `name-${at}` }))
const kanji =
  shapes(1)
    .find(({ name }) => name === 'kanji')
    ?.of(40_000) ?? ''

test('a message with 10,000 mentions is remembered', async () => {
  await using on = await remembering()
  await on.bot.say('alice', 'kiki, remember that the spare key is under the mat', { mentions: PEOPLE })
  await on.bot.pass('10s')
  expect((await on.facts()).map(({ content }) => content)).toEqual(['the spare key is under the mat'])
})

test('the first 500 mentions of a message count', () => {
  const conversation = { platform: 'p', workspace: 'w', channel: 'c', name: 'c', visibility: 'public' } as const
  const message = { id: '1', conversation, author: { id: 'a', name: 'alice' }, text: 'hello', at: new Date(0), mentions: PEOPLE }
  expect(sanitizeMessage(message).mentions).toEqual(PEOPLE.slice(0, 500))
})

test('Slack is asked for the names of 100 mentioned people, and the bot is found behind them', async () => {
  await using on = await startOnSlack()
  const ids = Array.from({ length: 300 }, (_, at) => `UPERSON${at}`)
  const text = `hello ${[...ids, 'UKIKI'].map(id => `<@${id}>`).join(' ')}`
  await on.slack.say({ author: 'bob', channel: 'general', text, raw: true })
  await until(() => on.turns.length === 1)
  const [{ message } = {}] = on.turns
  const asked = on.slack.calls.flatMap(({ method, args }) => (method === 'users.info' && args.user ? args.user : []))
  expect(new Set(asked.filter(id => ids.includes(id))).size).toBe(100)
  expect(message?.addressed).toBe('mention')
  expect(message?.mentions).toHaveLength(301)
  expect(message?.mentions.at(-1)).toEqual({ id: 'UPERSON299', name: 'UPERSON299' })
})

describe('processor time', () => {
  test('of a search for 10,000 names', () => {
    const matcher = nameMatcher(PEOPLE.map(({ name }) => name))
    expect(costOf(() => expect(matcher.test('is name-9999 here?')).toBe(true), 1)).toBeLessThan(MOST)
    expect(matcher.test('name-10000, name-x')).toBe(false)
  })

  test('of a mistyped word of 40,000 letters', () => {
    const words = PEOPLE.slice(0, 200).map(({ name }) => name)
    expect(costOf(() => expect(nearest('x'.repeat(40_000), words)).toBeUndefined(), 2)).toBeLessThan(MOST)
  })

  test('of the comparison of two long texts', () => {
    expect(costOf(() => expect(isCopy(kanji, `${kanji.slice(1, 6_000)}`)).toBe(true), 2)).toBeLessThan(MOST)
  })

  test('of a line of 20 MB', async () => {
    const chunk = Buffer.from('x'.repeat(64 * 1024))
    const chunks = async function* () {
      for (let count = 0; count < 320; count++) yield chunk
      yield Buffer.from('\r\nlast')
    }
    const before = process.cpuUsage()
    const lines = await Array.fromAsync(linesOf(chunks()), ({ length }) => length)
    const { user, system } = process.cpuUsage(before)
    expect(lines).toEqual([320 * chunk.length, 4])
    expect((user + system) / 1_000).toBeLessThan(MOST)
  })
})

test('a message of distinct kanji is found by a thousand of its tokens, words first', () => {
  const all = tokensOf(kanji).map(tokenId)
  const found = findingIds(all)
  expect(found).toHaveLength(1_000)
  expect(found.filter(id => kindOf(id) === 'pair')).toEqual([])
  expect(findingIds(tokensOf('零式の固定').map(tokenId))).toEqual([...new Set(tokensOf('零式の固定').map(tokenId))])
})
