import type { Message, Turn } from 'kikimimi'
import { describe, expect, test } from 'vitest'
import { lastOrder } from './orders.ts'

const NAMES = ['kiki', 'キキ', '聞き耳']
const MINUTE = 60_000

const QUIET_EN = [
  'be quiet',
  'Be quiet please!',
  'Please be quiet for a while.',
  'could you be a bit quieter?',
  'can you please stay silent for now?',
  'Shut up.',
  'shut up for an hour',
  'shhh 🤫',
  'hush now',
  'OK, stop talking, thanks',
  "don't say anything until I call you",
  'please stop replying in this channel',
  'stop butting in',
  'I need you to be silent for the next 30 minutes',
  'not another word',
  'mute yourself for 2h',
  'give us a quarter of an hour without you please',
  'pls be silence until 18:00',
  'no pings until tomorrow morning 8am',
  'would you mind staying silent until I say otherwise',
  'hold your messages till noon',
  'please hold off on posting for an hour',
  'keep your comments to yourself until 5pm',
]

const QUIET_JA = [
  '少し黙って',
  'ちょっと黙っててくれる？',
  'だまって',
  '黙れ',
  '黙っていてください。',
  '静かにして',
  'しずかにしてね〜',
  'お静かにお願いします',
  'しばらく静かにしていてもらえますか？',
  '悪いけど、静かにしてもらっていい？',
  'ごめん、今は静かにしててほしい🙏',
  '喋らないで',
  'もう口を挟まないで',
  '返事しないでください',
  '30分静かにして',
  '1時間ほど黙っててください',
  'シーッ',
  'お口チャック',
  '２時間ほど沈黙で頼んます',
  '30ぷんくらい しずかに',
  '2時間半ほど口出し無用でお願いします',
  '発言は不要です',
  '1時間 静か お願いします',
  '明日の朝まで喋らんといて',
]

const QUIET_KO = [
  '조용히 해',
  '좀 조용히 해 줘',
  '조용히 해주세요.',
  '잠깐 조용히 해 줄래?',
  '미안한데 조용히 해주실 수 있나요?',
  '닥쳐',
  '입 다물어',
  '말하지 마세요',
  '대답하지 마 ㅋㅋ',
  '그만 말해',
  '끼어들지 마',
  '쉿!',
  '30분 동안 조용히 해 줘',
  '한 시간만 조용히 해주세요',
]

/** Requests only where they address the bot. */
const HINTS = [
  'you talk too much, be quiet!',
  'be quiet, we are working',
  "we're in a meeting. please be quiet for the next hour",
  'that is enough, shut up',
  'うるさいから黙って',
  '今は会議中なので静かにお願いします',
  '静かにして、集中したい',

  'take a break',
  'enough!',
  'go to sleep',
  'leave us alone please',
  'うるさい！',
  'ちょっと休んで',
  'そっとしておいて',
  '시끄러우니까 조용히 해',
  '좀 쉬어',
  '우리 좀 내버려둬',
]

const NO_ORDER = [
  '거기 조용해?',
  '조용히 하라고 했어',
  '왜 말이 없어?',
  'is it quiet there?',
  'be quiet about the party, alice does not know',
  'why are you so quiet',
  'the quiet one in the corner',
  'he told me to shut up',
  "don't be quiet",
  'how do I mute a channel?',
  'stop talking to bob about it and do it',
  'talk',
  'be quiet? why?',
  'no pings from the server since noon',
  'hold your horses',
  'staying silent is not an option',
  'can you hold the messages that bob sent?',
  'bob said: be quiet',
  'be quiet, but when does the train leave?',
  '静かにして、と言われた',
  '静かにして。ところで電車は何時？',
  '静かだね',
  '図書館では静かにしてね',
  '静かにしてる？',
  'みんな黙ってた',
  '黙って聞いていたら終わってしまった',
  '返事しないでごめん、寝てた',
  'しゃべらないと死ぬ',
  `be quiet ${'please '.repeat(100)}`,
]

const TALK = [
  '이제 말해도 돼',
  '다시 얘기해도 괜찮아요',
  'you can talk again',
  'You may speak now, thanks',
  "it's ok to talk again",
  'feel free to chime in again',
  'come back please',
  'unmute',
  'もういいよ',
  'もう大丈夫です',
  'もう喋っていいよ',
  '復活して',
  'そろそろ話してもいいですよ',
  'ミュート解除して',
  '戻ってきて',
]

describe('be quiet', () => {
  test.each([...QUIET_EN, ...QUIET_JA, ...QUIET_KO, ...HINTS])('addressed to the bot: %s', text => {
    for (const addressed of ['reply', 'direct'] as const) expect(order(text, { addressed })).toBe('quiet')
    expect(order(`@kiki ${text}`, { addressed: 'mention' })).toBe('quiet')
    expect(order(`kiki, ${text}`, { addressed: 'name' })).toBe('quiet')
    expect(order(`キキさん、${text}`, { addressed: 'name' })).toBe('quiet')
    expect(order(`聞き耳${text}`, { addressed: 'name' })).toBe('quiet')
    expect(order(`${text}、キキ！`, { addressed: 'name' })).toBe('quiet')
  })

  test.each([
    "hush, movie's starting. you can come back at 9",
    'いいって言うまで何も投稿しないで',
    '30分だけおとなしくしてて、お客さんに画面見せてる',
    '来客対応中のため15時半まで発言をお控えください',
  ])('addressed, with other clauses: %s', text => expect(order(`@kiki ${text}`, { addressed: 'mention' })).toBe('quiet'))

  test.each([...QUIET_EN, ...QUIET_JA, ...QUIET_KO])('not addressed, while the bot takes part: %s', text => {
    expect(order(text, { sinceReply: MINUTE })).toBe('quiet')
    expect(order(text, { sinceReply: 6 * MINUTE })).toBeUndefined()
    expect(order(text)).toBeUndefined()
    expect(order(text, { sinceReply: MINUTE, mentions: ['bob'] })).toBeUndefined()
    expect(order(`bob, ${text}`, { sinceReply: MINUTE })).toBeUndefined()
  })

  test.each(HINTS)('without an address it is no request: %s', text => {
    expect(order(text, { sinceReply: MINUTE })).toBeUndefined()
  })

  test.each(NO_ORDER)('is no request: %s', text => {
    expect(order(text, { sinceReply: MINUTE })).toBeUndefined()
    expect(order(text, { addressed: 'reply' })).toBeUndefined()
  })

  test('the name of somebody else', () => {
    expect(order('ears, be quiet', { addressed: 'name' })).toBe('quiet')
    expect(order('みみちゃん、静かにして', { addressed: 'name' })).toBe('quiet')
  })
})

describe('talk again', () => {
  test.each(TALK)('%s', text => {
    expect(order(text)).toBe('talk')
    expect(order(text, { addressed: 'reply' })).toBe('talk')
    expect(order(text, { mentions: ['bob'] })).toBeUndefined()
  })

  test.each(NO_ORDER)('no request, although it addresses the bot: %s', text => {
    expect(order(`@kiki ${text}`, { addressed: 'mention' })).toBe('talk')
    expect(order(`kiki, ${text}`, { addressed: 'name' })).toBe('talk')
  })

  test('a reply to the bot alone is no request', () => {
    expect(order('what do you mean?', { addressed: 'reply' })).toBeUndefined()
  })
})

test('the last request counts', () => {
  const batch = (...messages: readonly Message[]) => lastOrder(turn(messages), NAMES)?.kind
  const quiet = said('kiki be quiet', { addressed: 'name' })
  const call = said('@kiki hello', { addressed: 'mention' })
  expect(batch(quiet, call)).toBe('talk')
  expect(batch(call, quiet)).toBe('quiet')
  expect(batch(quiet, said('lol'))).toBe('quiet')
})

test.each(['もう少し', '今だけ', 'お願いだから', 'please just ', 'くれないか', 'ok okay '])(
  'a message of nothing but %j takes no time',
  { timeout: 20_000 },
  words => {
    for (const text of [words.repeat(200), words.repeat(20).slice(0, 119), `静かにして${words.repeat(20).slice(0, 100)}`]) {
      expect(order(text, { addressed: 'reply' })).not.toBe('talk')
    }
  },
)

interface Heard {
  readonly addressed?: NonNullable<Message['addressed']>
  readonly sinceReply?: number
  readonly mentions?: readonly string[]
}

function order(text: string, { addressed, sinceReply, mentions = [] }: Heard = {}) {
  const message = said(text, {
    ...(addressed && { addressed }),
    mentions: mentions.map(name => ({ id: name, name })),
  })
  return lastOrder(turn([message], sinceReply), NAMES)?.kind
}

function turn(messages: readonly Message[], sinceReply?: number): Turn {
  const message = messages.at(-1) ?? said('')
  return {
    id: '1',
    conversation: {
      id: 'terminal//general',
      platform: 'terminal',
      workspace: '',
      channel: 'general',
      name: 'general',
      visibility: 'public',
    },
    messages,
    message,
    history: messages,
    ...(sinceReply !== undefined && { lastReplyAt: new Date(NOW - sinceReply) }),
    me: { id: 'bot', name: 'Kiki' },
    persona: { name: 'Kiki', names: NAMES, prompt: '', timeZone: 'UTC' },
    added: [],
    sources: [],
    takeAdditions: async () => [],
    signal: new AbortController().signal,
  }
}

const NOW = Date.UTC(2026, 0, 5, 10)

function said(text: string, more: Partial<Message> = {}): Message {
  return {
    id: text,
    author: { id: 'alice', name: 'alice' },
    text,
    at: new Date(NOW),
    mentions: [],
    attachments: [],
    own: false,
    ...more,
  }
}
