/** The layout of an answer's prompt, blank lines included, as in the design document. */
import reply from '@kikimimi/reply'
import type { GenerateRequest } from 'kikimimi/model'
import { promptOf } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { noted, type Remembering, remembering } from './test-memory.ts'

const persona = { name: 'kiki', prompt: '{persona.system_prompt}' }

/** The persona and the transcript without times, up to the end of the first sentence of the instruction. */
function layout(request: GenerateRequest | undefined, end: string): string {
  const [system = ''] = request?.system.split('\n\n') ?? []
  const prompt = `${system}\n\n${promptOf(request)}`
  return prompt
    .slice(0, prompt.indexOf(end) + end.length)
    .replace(/\*\*\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\*\*/g, '**{time}**')
    .replace(/\d\d:\d\d(?= \()/, '{clock}')
}

/** Histories of the workspace, #general and #random, then recent events of the workspace, #general and two threads. */
async function everything({ bot }: Remembering, words: readonly [string, string, string]): Promise<void> {
  for (const channel of ['general', 'random']) await bot.say('user1', words[0], { channel })
  await bot.pass('9m')
  await bot.say('user1', words[1])
  for (const thread of ['1234567890.000000', '1234567891.000000']) await bot.say('user1', words[1], { thread })
  await bot.pass('4m')
  await bot.say('user3', words[2], { channel: 'dev' })
  await bot.pass('2m')
}

function remembersAll(locale: 'ja' | 'en') {
  let workspaces = 0
  return remembering(
    ({ kind, prompt }) => {
      if (kind === 'workspace') return noted(`{workspace_memory ${++workspaces}}`)
      const [, thread, channel, ofThread] = /(a thread in )?#(\w+)( のスレッド)?/.exec(prompt) ?? []
      const text = thread || ofThread ? '{thread_summary}' : `{${channel}_short_term_memory}`
      return noted(text, '{mood}', ['{topic1}', '{topic2}'])
    },
    { everyMinutes: 3, foldAfter: '8m', workspaceEvery: 1 },
    { locale, persona, memory: { ttl: '90s' }, also: [reply()] },
  )
}

test('with all memories', async () => {
  await using m = await remembersAll('ja')
  await everything(m, ['最初の話をしています', '次の話をしています', '開発の話をしています'])
  await m.bot.say('user1', 'メッセージ１です', { thread: '1234567890.000000' })
  await m.bot.say('user2', '@kiki メッセージ２です', { thread: '1234567890.000000' })
  expect(layout(m.chat.asked.at(-1), '現在の会話に返答してください。')).toBe(`{persona.system_prompt}

## 記憶

### ワークスペースの歴史

{workspace_memory 1}

### ワークスペースの最近の出来事

{workspace_memory 2}

## チャンネル情報

あなたが参加しているチャンネルは以下です。

- #general
- #dev
- #random

現在、あなたは #general にいます。

## 各チャンネルの記憶

### #general

#### 歴史

{general_short_term_memory}

### #random

#### 歴史

{random_short_term_memory}

## 現在のスレッド一覧

### スレッド: 1234567890.000000

{thread_summary}

### スレッド: 1234567891.000000

{thread_summary}

【このチャンネルの状況】
話題: {topic1}、{topic2}
雰囲気: {mood}
参加者: user1
直近の流れ: {general_short_term_memory}

## 現在の会話

### #general

#### スレッド: 1234567890.000000

• **{time}** user1:
メッセージ１です

▶ **{time}** user2:
@kiki メッセージ２です

---

現在の日時: 2026-01-05 {clock} (月曜日, UTC)

上記の情報をもとに、現在の会話に返答してください。`)
})

test('with all memories, in English', async () => {
  await using m = await remembersAll('en')
  await everything(m, ['the very first talk of all', 'the next talk after that', 'a talk about development'])
  await m.bot.say('user1', '@kiki message number one', { channel: 'random' })
  expect(layout(m.chat.asked.at(-1), 'using the information above.')).toBe(`{persona.system_prompt}

## Memory

### History of the workspace

{workspace_memory 1}

### Recent events in the workspace

{workspace_memory 2}

## Channels

You are in these channels.

- #random
- #dev
- #general

Right now you are in #random.

## Memory of the channels

### #random

#### History

{random_short_term_memory}

### #general

#### History

{general_short_term_memory}

#### Recent events

{general_short_term_memory}

## Current conversation

### #random

#### Top level

▶ **{time}** user1:
@kiki message number one

---

It is now 2026-01-05 {clock} (Monday, UTC).

Reply to the current conversation, using the information above.`)
})

test('with none', async () => {
  await using m = await remembering(undefined, {}, { locale: 'ja', persona, also: [reply()] })
  await m.bot.say('user1', '@kiki メッセージ１です')
  expect(layout(m.chat.asked[0], '現在の会話に返答してください。')).toBe(`{persona.system_prompt}

## 現在の会話

### #general

#### トップレベルメッセージ

▶ **{time}** user1:
@kiki メッセージ１です

---

現在の日時: 2026-01-05 {clock} (月曜日, UTC)

上記の情報をもとに、現在の会話に返答してください。`)
})

test('the situation of a channel, as far as it is known', async () => {
  await using m = await remembering(() => noted('There is\na plan.', ' ', []), { everyMessages: 1 }, { also: [reply()] })
  await m.bot.say('alice', 'hello there, everybody')
  await m.bot.pass('1m')
  expect(await m.prompt()).toContain('【Situation in this channel】\nPeople: alice\nSo far: There is a plan.\n\n## Current')
})

test('channels and threads without recent messages are left out', async () => {
  const minute = 1 / 24 / 60
  await using m = await remembering(
    () => noted('a note'),
    {
      ...{ everyMessages: 1, activeChannelDays: 5 * minute, threadMemoryDays: 10 * minute },
    },
    { also: [reply()] },
  )
  await m.bot.say('alice', 'hello there', { channel: 'random' })
  await m.bot.say('alice', 'hello there', { thread: 't1' })
  await m.bot.pass('4m')
  const soon = await m.prompt()
  expect([soon.includes('#random'), soon.includes('Thread: t1')]).toEqual([true, true])
  await m.bot.pass('5m')
  const later = await m.prompt()
  expect([later.includes('#random'), later.includes('Thread: t1')]).toEqual([false, true])
  await m.bot.pass('3m')
  expect(await m.prompt()).not.toContain('Thread: t1')
  expect(await m.prompt()).toContain('### #general')
})

test('without room for all, distant and old memories are left out first', async () => {
  await using m = await remembering(
    ({ prompt }) => noted(`about ${/#\w+/.exec(prompt)?.[0]}`),
    { everyMessages: 1 },
    { contextTokens: 40, also: [reply()] },
  )
  for (const channel of ['general', 'random', 'dev']) {
    await m.bot.say('alice', 'hello there', { channel })
    await m.bot.pass('1m')
  }
  const prompt = await m.prompt()
  expect(prompt).toContain('So far: about #general')
  const { sections } = await m.bot.trace()
  expect(sections.filter(({ kept }) => !kept).map(({ title }) => title)).toContain('#random')
})
