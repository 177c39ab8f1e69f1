/** Messages: which address the bot, and where it answers. */
import { expect } from 'vitest'
import type { Message } from '../../api/index.ts'
import type { PlatformHarness } from './harness.ts'
import type { Check } from './stage.ts'

/** The text without the mention at its start. */
const plain = ({ text }: Pick<Message, 'text'>) => text.replace(/^@\S+ /, '')

const needs = (member: keyof PlatformHarness, why: string) => (harness: PlatformHarness) => harness[member] === undefined && why
const NO_REPLIES = needs('reply', 'a message cannot be answered here')
const NO_THREADS = ({ places }: PlatformHarness) => places?.thread === undefined && 'there are no threads here'

export const talk: readonly Check[] = [
  {
    name: 'reports author, text and place, and answers a mention once',
    async run(stage) {
      await stage.ask('good morning')
      await stage.until('a turn has ended', () => stage.outcomes.length > 0)
      expect(await stage.seen(1)).toMatchObject([{ text: 'hello back' }])
      expect(stage.turns).toHaveLength(1)
      const { addressed, message, conversation } = stage.turns[0] ?? {}
      expect(addressed).toBe('mention')
      expect(message).toMatchObject({ author: { name: 'alice' }, own: false })
      expect(message?.text).toContain('good morning')
      expect(conversation?.thread).toBeUndefined()
      expect(conversation?.visibility).toBe('public')
    },
  },
  {
    name: 'records messages without a mention, in order, and does not answer them',
    async run(stage) {
      await stage.say('alice', 'one')
      await stage.say('bob', 'two')
      await stage.ask('three')
      await stage.seen(1)
      expect(stage.turns.map(({ addressed }) => addressed)).toEqual(['mention'])
      expect(stage.turns[0]?.history.map(one => [one.author.name, plain(one)])).toEqual([
        ['alice', 'one'],
        ['bob', 'two'],
        ['alice', 'three'],
      ])
    },
  },
  {
    name: 'records its own message once, and does not answer it',
    async run(stage) {
      await stage.ask('hello')
      await stage.seen(1)
      // A person needs longer than the bot to record what it said.
      await stage.until('a turn has ended', () => stage.outcomes.length >= 1)
      await stage.ask('still there?')
      await stage.seen(2)
      await stage.until('two turns have ended', () => stage.outcomes.length >= 2)
      expect(stage.turns.map(({ messages }) => messages.map(plain))).toEqual([['hello'], ['still there?']])
      expect(stage.turns[1]?.history.map(one => [plain(one), one.own])).toEqual([
        ['hello', false],
        ['hello back', true],
        ['still there?', false],
      ])
      expect(await stage.seen(2)).toHaveLength(2)
    },
  },
  {
    name: 'recognizes its name',
    async run(stage) {
      await stage.say('alice', 'kiki, are you there?')
      await stage.seen(1)
      expect(stage.turns[0]?.addressed).toBe('name')
    },
  },
  {
    name: 'treats a direct message as a mention, keeps it direct, and answers there',
    skip: ({ places }) => places?.direct === undefined && 'there are no direct messages here',
    async run(stage) {
      const where = stage.harness.places?.direct ?? ''
      await stage.say('alice', 'between us', { where })
      expect(await stage.seen(1)).toMatchObject([{ text: 'hello back', where }])
      expect(stage.turns[0]?.addressed).toBe('direct')
      expect(stage.turns[0]?.conversation.visibility).toBe('direct')
    },
  },
  {
    name: 'recognizes a private channel, and answers there',
    skip: ({ places }) => places?.private === undefined && 'there are no private channels here',
    async run(stage) {
      const where = stage.harness.places?.private ?? ''
      await stage.ask('in here', { where })
      expect(await stage.seen(1)).toMatchObject([{ text: 'hello back', where }])
      expect(stage.turns[0]?.conversation.visibility).toBe('private')
      expect(stage.turns[0]?.conversation.readers?.own).not.toBe(true)
    },
  },
  {
    name: 'tells that fewer people read a private thread than its channel',
    skip: ({ places }) => places?.privateThread === undefined && 'there are no private threads here',
    async run(stage) {
      const where = stage.harness.places?.privateThread ?? ''
      await stage.ask('between some of us', { where })
      expect(await stage.seen(1)).toMatchObject([{ text: 'hello back', where }])
      expect(stage.turns[0]?.conversation).toMatchObject({ visibility: 'private', readers: { own: true } })
    },
  },
  {
    name: 'treats an answer to its message as a mention',
    skip: NO_REPLIES,
    async run(stage) {
      await stage.ask('hello')
      const [said] = await stage.seen(1)
      await stage.harness.reply?.('alice', 'really?', said?.id ?? '')
      await stage.seen(2)
      expect(stage.turns[1]?.addressed).toBe('reply')
      expect(stage.turns[1]?.message.text).toBe('really?')
    },
  },
  {
    name: 'does not treat an answer to another person as a mention',
    skip: NO_REPLIES,
    async run(stage) {
      const said = await stage.say('bob', 'I am off')
      await stage.harness.reply?.('alice', 'see you', said)
      await stage.ask('hello')
      await stage.seen(1)
      await stage.quiet()
      expect(stage.heard).toContain('see you')
      expect(stage.turns.map(({ addressed }) => addressed)).toEqual(['mention'])
    },
  },
  {
    name: 'answers plainly when it quotes nothing',
    async run(stage) {
      await stage.ask('hello')
      const [said] = await stage.seen(1)
      expect(said?.text).toBe('hello back')
      expect(said?.quotes).toBeUndefined()
      expect(said?.where).toBeUndefined()
    },
  },
  {
    name: 'quotes what it answers',
    skip: NO_REPLIES,
    async run(stage) {
      stage.answer(({ message }) => ({ kind: 'text', text: 'that one', replyTo: message.id }))
      const question = await stage.ask('which one?')
      expect(await stage.seen(1)).toMatchObject([{ text: 'that one', quotes: question }])
    },
  },
  {
    name: 'has its own message in working memory when a person answers it',
    skip: NO_REPLIES,
    async run(stage) {
      stage.answer(({ message }) => ({ kind: 'text', text: 'that one', replyTo: message.id }))
      await stage.ask('which one?')
      const [said] = await stage.seen(1)
      await stage.until('the turn has ended', () => stage.outcomes.length > 0)
      await stage.harness.reply?.('alice', 'are you sure?', said?.id ?? '')
      await stage.seen(2)
      expect(stage.turns[1]?.addressed).toBe('reply')
      expect(stage.turns[1]?.history.slice(-2).map(one => [one.text, one.own])).toEqual([
        ['that one', true],
        ['are you sure?', false],
      ])
    },
  },
  {
    name: 'answers in the thread where it was asked',
    skip: NO_THREADS,
    async run(stage) {
      const where = stage.harness.places?.thread ?? ''
      await stage.ask('and in here?', { where })
      expect(await stage.seen(1)).toMatchObject([{ text: 'hello back', where }])
      expect(stage.turns[0]?.conversation.thread).toBeDefined()
    },
  },
  {
    name: 'keeps a thread apart from its channel',
    skip: NO_THREADS,
    async run(stage) {
      const where = stage.harness.places?.thread ?? ''
      await stage.say('bob', 'said in the channel')
      await stage.say('bob', 'said in the thread', { where })
      await stage.ask('what did bob say?', { where })
      await stage.seen(1)
      await stage.ask('and here?')
      await stage.seen(2)
      const [inThread, inChannel] = stage.turns
      expect(inThread?.history.map(plain)).toEqual(['said in the thread', 'what did bob say?'])
      expect(inChannel?.history.map(plain)).toEqual(['said in the channel', 'and here?'])
      expect(inThread?.conversation).toMatchObject({ channel: inChannel?.conversation.channel })
    },
  },
  {
    name: 'reports the file of a message, and gets its content',
    skip: needs('share', 'people cannot send files here'),
    async run(stage) {
      const file = { name: 'note.txt', type: 'text/plain', content: 'the key is under the mat' }
      await stage.harness.share?.('alice', 'what does it say?', file)
      await stage.seen(1)
      const [turn] = stage.turns
      expect(turn?.message.attachments).toMatchObject([{ name: file.name }])
      expect(turn && (await stage.read(turn))).toMatchObject({ texts: [{ name: file.name, text: file.content }], unreadable: [] })
    },
  },
  {
    name: 'splits a text that is too long, and loses nothing',
    async run(stage) {
      const words = Array.from({ length: 3_000 }, (_, index) => `word${index}`)
      stage.answer(() => ({ kind: 'text', text: words.join(' ') }))
      await stage.ask('tell me all')
      const told = () => stage.harness.seen().map(({ text }) => text)
      await stage.until('people see its end', () => told().some(text => text.includes('word2999')))
      expect(
        told()
          .join(' ')
          .match(/word\d+/g),
      ).toEqual(words)
    },
  },
  {
    name: 'answers an event that is delivered twice once',
    skip: needs('redeliver', 'events are never delivered twice here'),
    async run(stage) {
      const said = await stage.ask('hello')
      await stage.seen(1)
      await stage.harness.redeliver?.(said)
      await stage.ask('and now?')
      await stage.seen(2)
      await stage.until('two turns have ended', () => stage.outcomes.length >= 2)
      expect(stage.turns.map(({ messages }) => messages.map(plain))).toEqual([['hello'], ['and now?']])
      expect(stage.turns[1]?.history.map(plain)).toEqual(['hello', 'hello back', 'and now?'])
    },
  },
]
