import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { calledFirst, callsOneOf } from './called.ts'

const calls = callsOneOf(['kiki', 'キキ', '聞き耳'])

describe('addresses the bot', () => {
  test.each([
    'kiki',
    'kiki?',
    'kiki, are you there?',
    'Kiki: what is up',
    'hey kiki!',
    'thanks kiki',
    'ok, kiki, tell me',
    'and you, kiki?',
    'what do you think, kiki?',
    'what do you think kiki?',
    'kiki can you help me',
    'kiki what time is it',
    'No idea. kiki, do you know?',
    'キキ、いる？',
    'キキさん、お願い',
    'ねえキキ',
    'ねえねえ、キキちゃん、聞いて',
    'キキはどう思う？',
    '聞き耳さんはどう思う',
    'どう思う、キキ？',
    'キキ教えて',
    'ｋｉｋｉさん、お願い',
  ])('%s', text => expect(calls(text)).toBe(true))
})

describe('talks about the bot, or contains no name', () => {
  test.each([
    'kiki is down again',
    'I think kiki said that yesterday',
    'ask kiki',
    'has anyone seen kiki?',
    "kiki's answer was wrong",
    'who wrote kiki',
    'the kiki bot is fun',
    'kikimimi, are you there?',
    '> kiki, are you there?',
    '`kiki: x`',
    'キキが言ってた',
    'キキの答えは違った',
    'それはキキに聞いて',
    'さっきキキと話した',
    'キキララ、かわいい',
    'キキは便利だよね',
  ])('%s', text => expect(calls(text)).toBe(false))
})

/** `+` is a call and `-` is none. `[陸]` gives another name of the bot, ⏎ is a line break. */
async function wordings(locale: string) {
  const lines = (await readFile(new URL(`../fixtures/calls/${locale}.txt`, import.meta.url), 'utf8')).trim().split('\n')
  return lines.map(line => {
    const [, sign, name, text = ''] = /^([-+]) (?:\[(.+?)\] )?(.*)$/.exec(line) ?? []
    return {
      line,
      isCall: sign === '+',
      names: name ? [name] : ['kiki', 'キキ', 'きき', '키키'],
      text: text.replaceAll('⏎', '\n'),
    }
  })
}

describe('of wordings as people write them', () => {
  test.each(['en', 'ja', 'ko'])('%s: nearly all calls are seen, and nearly nothing else is taken for one', async locale => {
    const all = (await wordings(locale)).map(one => ({ ...one, taken: callsOneOf(one.names)(one.text) }))
    const of = (isCall: boolean, taken: boolean) => all.filter(one => one.isCall === isCall && one.taken === taken)
    const wrong = [...of(true, false), ...of(false, true)].map(({ line }) => line).join('\n')
    expect(of(true, true).length / of(true, true).concat(of(true, false)).length, wrong).toBeGreaterThan(0.95)
    expect(of(true, true).length / of(true, true).concat(of(false, true)).length, wrong).toBeGreaterThan(0.95)
  })
})

test('another person can have a name of one character', () => {
  expect(calledFirst('陸、これ見て')).toEqual(['陸'])
})

test.each([
  ['calls without an end', 'ok kiki '.repeat(5_000)],
  ['Japanese without a space', 'ききたいきき'.repeat(7_000)],
  ['open quotation marks', '「"“'.repeat(13_000)],
  ['greetings', 'hey '.repeat(10_000)],
  ['a name of one character', '大陸陸'.repeat(13_000)],
])('%s, as long as a message can be: it takes little time', { timeout: 4_000 }, (_name, text) => {
  expect(callsOneOf(['kiki', 'きき', '陸'])(`${text} x`)).toBe(false)
})
