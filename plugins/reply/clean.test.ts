import { describe, expect, test } from 'vitest'
import { cleanReply } from './clean.ts'

const NAMES = ['kiki', 'キキ']

describe('the text of a reply', () => {
  test.each([
    ['Hello.', 'Hello.'],
    ['  Hello.\n\nAnd more. \n', 'Hello.\n\nAnd more.'],
    ['kiki: Hello.', 'Hello.'],
    ['Kiki : Hello.', 'Hello.'],
    ['**kiki**: Hello.', 'Hello.'],
    ['**kiki:** Hello.', 'Hello.'],
    ['キキ：こんにちは', 'こんにちは'],
    ['ｋｉｋｉ: Hello.', 'Hello.'],
    ['kiki:\nHello.', 'Hello.'],
    ['**2026-01-31 12:00:00** kiki:\nHello.', 'Hello.'],
    ['**2026-01-31 12:00** kiki: Hello.', 'Hello.'],
    ['▶ **2026-01-31 12:00:00** kiki → alice ("at 3: or 4?"):\nHello.', 'Hello.'],
    ['**2026-01-31 12:00:00** kiki:\nkiki: Hello.', 'Hello.'],
    ['alice: hello is what she said', 'alice: hello is what she said'],
    ['Note: it rains', 'Note: it rains'],
    ['See https://example.com', 'See https://example.com'],
    ['kiki likes trains: all of them', 'kiki likes trains: all of them'],
    ['Silence.', 'Silence.'],
    ['NO REPLY is what the log says', 'NO REPLY is what the log says'],
    ['```json\n{"port": 80}\n```', '```json\n{"port": 80}\n```'],
    ['{port} is a placeholder', '{port} is a placeholder'],
  ])('%j is %j', (written, said) => {
    expect(cleanReply(written, NAMES)).toBe(said)
  })
})

describe('texts that are no reply', () => {
  test.each([
    '',
    ' \n',
    'kiki:',
    '**2026-01-31 12:00:00** kiki:\n',
    'NO_REPLY',
    '**SILENT**',
    '[SILENCE]',
    '"NO RESPONSE".',
    'kiki: NO_REPLY',
    '<!DOCTYPE html><html><body>502 Bad Gateway</body></html>',
    '<html>\n<head><title>504</title>',
    '{"reply": "The port is 80',
    '{"name": "search_memory", "arguments": {"query": "port"}}',
    '[{\n  "respond": false }]',
  ])('%j', written => {
    expect(cleanReply(written, NAMES)).toBe('')
  })
})
