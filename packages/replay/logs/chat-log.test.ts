import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LogLine, readChatLog } from './chat-log.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kikimimi-chat-log-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function read(content: string): Promise<LogLine[]> {
  const file = join(folder, 'chat.jsonl')
  await writeFile(file, content)
  return Array.fromAsync(readChatLog(file))
}

const line = (more: object = {}) =>
  JSON.stringify({
    id: '1',
    at: '2026-01-05T10:00:00Z',
    channel: 'general',
    author: { id: 'alice', name: 'Alice' },
    text: 'hello',
    ...more,
  })

describe('a line of a chat log', () => {
  it('has its fields, and counts by default', async () => {
    expect(await read(line())).toEqual([
      {
        id: '1',
        at: new Date('2026-01-05T10:00:00Z'),
        channel: 'general',
        author: { id: 'alice', name: 'Alice' },
        text: 'hello',
        mentions: [],
        replyTo: [],
        context: false,
      },
    ])
  })

  it('can be context, mention people, answer messages, come from a bot, have another time zone and unknown fields', async () => {
    const [fromBot] = await read(
      line({
        at: '2026-01-05T19:00:00.250+09:00',
        author: { id: 'news', name: 'News', bot: true },
        mentions: ['alice', 'bob'],
        context: true,
        replyTo: ['0', '-1'],
        pinned: true,
      }),
    )
    expect(fromBot).toMatchObject({
      at: new Date('2026-01-05T10:00:00.250Z'),
      author: { bot: true },
      mentions: ['alice', 'bob'],
      replyTo: ['0', '-1'],
      context: true,
    })
    expect(fromBot).not.toHaveProperty('pinned')
  })
})

describe('a chat log', () => {
  it('is read line by line, in order, with any line ends, and with empty lines between', async () => {
    const lines = await read(`\ufeff${line({ id: '1' })}\r\n\n  \n${line({ id: '2' })}\n${line({ id: '3' })}`)
    expect(lines.map(({ id }) => id)).toEqual(['1', '2', '3'])
  })

  it('can be empty', async () => {
    expect(await read('')).toEqual([])
  })

  it('can be closed before its end', async () => {
    const file = join(folder, 'chat.jsonl')
    await writeFile(file, `${line()}\nbroken`)
    for await (const { id } of readChatLog(file)) {
      expect(id).toBe('1')
      break
    }
  })

  it.each([
    ['no JSON', 'hello', /chat\.jsonl, line 3: .*not valid JSON/],
    ['no object', '"hello"', /chat\.jsonl, line 3: expected \{"id","at","channel","author":\{"id","name"\},"text"\}/],
    ['no text', line({ text: undefined }), /line 3: .*; text: /],
    ['no author', line({ author: { name: 'Alice' } }), /line 3: .*; author\.id: /],
    ['a time without a zone', line({ at: '2026-01-05 10:00' }), /line 3: .*; at: Invalid ISO datetime/],
    ['an empty id', line({ id: '' }), /line 3: .*; id: /],
  ])('with a line that has %s is refused, with file and line', async (_what, broken, message) => {
    await expect(read(`${line()}\n\n${broken}\n${line()}`)).rejects.toMatchObject({
      code: 'LOG_FILE_INVALID',
      message: expect.stringMatching(message),
    })
  })

  it('that is missing, or a folder of something else, is refused by name', async () => {
    const missing = join(folder, 'missing.jsonl')
    await expect(Array.fromAsync(readChatLog(missing))).rejects.toMatchObject({
      code: 'LOG_FILE_INVALID',
      message: expect.stringMatching(/missing\.jsonl: ENOENT/),
    })
    await expect(Array.fromAsync(readChatLog(folder))).rejects.toMatchObject({
      code: 'LOG_FILE_INVALID',
      message: `${folder}: it has no messages of Slack: expected files such as general/2026-01-05.json, as Slack exports them`,
    })
  })
})
