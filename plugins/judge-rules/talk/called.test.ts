import { describe, expect, test } from 'vitest'
import { callsOneOf } from './called.ts'

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
