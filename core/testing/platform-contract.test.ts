/** A platform can fulfil the contract, and the contract reports each violation. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Conversation, IncomingMessage, Outgoing, Platform, PlatformContext } from '../api/index.ts'
import { type Flaw, plaza } from './platform-contract/plaza.ts'
import { perform } from './platform-contract/stage.ts'
import { platformChecks, platformContract } from './platform-contract.ts'

platformContract('of the plaza', plaza())

/** Every check whose name begins so must fail. */
type Row = readonly [flaw: string, broken: Flaw, checks: string, complaint: RegExp]

const HEARS = 'reports author, text and place'
const TYPING = 'shows typing, and ends it'

describe('the contract detects a platform that reports', () => {
  test.each<Row>([
    ['no mentions', telling({ mentions: [] }), HEARS, /in vain: people see message 1/],
    ['everybody as bob', telling({ author: { id: 'bob', name: 'bob' } }), HEARS, /alice/],
    ['half a text', telling(({ text }) => ({ text: text.replace(/^.*, /, '') })), 'recognizes its name', /in vain/],
    ['no messages of bob', { tells: deafToBob }, 'records messages without a mention', /'alice', 'one'/],
    ['its own message as that of another author', telling(byStrangers), 'records its own message once', /still there/],
    ['every place as public', telling(inPlace({ visibility: 'public' })), 'treats a direct message', /in vain/],
    ['every place as public', telling(inPlace({ visibility: 'public' })), 'recognizes a private channel', /private/],
    ['no readers', telling(inPlace({ readers: undefined })), 'tells that fewer people read a private thread', /corner/],
    ['threads as their channel', telling(inPlace({ thread: undefined })), 'keeps a thread apart', /said in the/],
    ['answers without a target', telling({ replyTo: undefined }), 'treats an answer to its message', /in vain/],
    ['every answer as one to it', telling(answeringKiki), 'does not treat an answer to another', /reply/],
    ['a double event as two', telling(() => ({ id: randomUUID() })), 'answers an event', /hello/],
    ['no files', telling({ attachments: undefined }), 'reports the file', /note.txt/],
    ['no reactions', { tells: () => ({ reaction: async () => {} }) }, 'sees who reacted', /👍/],
    ['no removed reactions', { tells: reactionsThatStay }, 'sees that a reaction was taken back', /👍/],
    ['no edits', { tells: () => ({ edit: async () => {} }) }, 'sees what was edited', /nine/],
    ['no deletions', { tells: () => ({ remove: async () => {} }) }, 'forgets what was deleted', /12345/],
    ['no deletions', { tells: () => ({ remove: async () => {} }) }, 'does not answer what was deleted', /cancelled/],
    ['nothing about a place', telling(inPlace({ details: undefined })), 'reports what people see', /Plaza/],
    ['nothing about a place', telling(inPlace({ details: undefined })), 'reports the name of a thread', /threadName/],
    ['an old topic', telling(inPlace({ details: { topic: 'the market' } })), 'reports a new topic', /all about trains/],
  ])('%s', isCaught)
})

test.each(['reads what was said in a channel before', 'notices that the message was deleted'])(
  'the check "%s …" says that the harness begins with a message',
  async name => {
    const [check] = platformChecks.filter(one => one.name.startsWith(name))
    const opened = async () => {
      const harness = await plaza()()
      await harness.unheard?.('bob', 'plans')
      return harness
    }
    if (!check) throw new TypeError(`there is no check "${name}"`)
    await expect(perform(check, opened)).rejects.toThrow('begin with a channel in which nothing is said')
  },
)

describe('the contract detects a platform that', () => {
  test.each<Row>([
    ['posts twice', { acts: twice }, HEARS, /hello back/],
    ['posts in one channel only', posting({ channel: 'square' }), 'recognizes a private channel', /hello back/],
    ['posts beside the thread', posting({ thread: undefined }), 'answers in the thread', /hello back/],
    ['always quotes', posting({}, { replyTo: 'l0' }), 'answers plainly', /l0/],
    ['never quotes', posting({}, { replyTo: undefined }), 'quotes what it answers', /quotes/],
    ['posts its message in another place', misplaced(), 'has its own message in working memory', /which one/],
    [
      'cuts off',
      posting({}, ({ text }) => ({ text: text.slice(0, 900) })),
      'splits a text that is too long',
      /word|in vain: people see its end/,
    ],
    [
      'gives no file',
      { acts: () => ({ fetchAttachment: async () => new Response(null, { status: 403 }) }) },
      'reports the file',
      /unreadable/,
    ],
    ['cannot react', { acts: () => ({ react: async () => {} }) }, 'reacts', /in vain: people see a reaction/],
    ['never shows typing', { acts: () => ({ typing: () => () => {} }) }, TYPING, /in vain: people see it typing/],
    ['never ends typing', { acts: endlessTyping }, TYPING, /in vain: the typing indicator is off/],
    ['never stops', { tells: stuck }, 'stops within seconds', /in vain: the bot has stopped/],
    ['posts a farewell', { acts: polite }, 'stops within seconds', /to deeply equal \[\]/],
    ['can be started once', startingOnce(), 'receives nothing after it has stopped', /no second time/],
    ['has no history', { acts: () => ({ history: async () => [] }) }, 'reads missed messages', /in vain: people see message 2/],
    ['has no history', { acts: () => ({ history: async () => [] }) }, 'reads an old missed', /in vain: it has read/],
    ['reads no message', { acts: () => ({ message: undefined as never }) }, 'reports the name of a thread', /unreadable/],
    ['reads another message', { acts: mistaken }, 'reads the message that another one answers', /300 m/],
    ['cannot tell that a message is gone', { acts: forbidding }, 'notices that the root', /unreadable/],
    ['cannot tell that a message is gone', { acts: forbidding }, 'notices that the message', /Missing Access/],
    ['reads the channel for a thread', { acts: besideThreads }, 'reads what was said in a thread', /three/],
    ['has no history', { acts: () => ({ history: async () => [] }) }, 'reads what was said in a channel', /three/],
    ['gives old messages the current time', { acts: timeless }, 'reads an old missed mention', /in vain: it has read/],
  ])('%s', isCaught)
})

async function isCaught(_flaw: string, broken: Flaw, checks: string, complaint: RegExp): Promise<void> {
  const found = platformChecks.filter(({ name }) => name.startsWith(checks))
  expect(found).not.toEqual([])
  for (const check of found) {
    const patience = check.durable ? 2_000 : 500
    await expect(perform(check, plaza(broken), patience), check.name).rejects.toThrow(complaint)
  }
}

// -------------------------------------------------------------- flaws

type Change<T> = { readonly [key in keyof T]?: T[key] | undefined }
type Changing<T> = Change<T> | ((one: T) => Change<T>)

/** The copy without properties that are undefined. */
function changed<T extends object>(one: T, change: Changing<T>): T {
  const all = { ...one, ...(typeof change === 'function' ? change(one) : change) }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as T
}

function telling(change: Changing<IncomingMessage>): Flaw {
  return { tells: ({ receive }) => ({ receive: message => receive(changed(message, change)) }) }
}

function posting(where: Changing<Conversation>, what: Changing<Outgoing> = {}): Flaw {
  const acts = ({ send }: Platform): Partial<Platform> => ({
    send: (conversation, message, signal) => send(changed(conversation, where), changed(message, what), signal),
  })
  return { acts }
}

function inPlace(change: Change<Conversation>) {
  return ({ conversation }: IncomingMessage) => ({ conversation: changed(conversation, change) })
}

function byStrangers({ author }: IncomingMessage): Partial<IncomingMessage> {
  return { author: { ...author, id: `the-other-${author.id}` } }
}

function answeringKiki({ replyTo }: IncomingMessage): Partial<IncomingMessage> {
  return replyTo ? { replyTo: { ...replyTo, author: 'kiki' } } : {}
}

function deafToBob({ receive }: PlatformContext): Partial<PlatformContext> {
  return { receive: async message => (message.author.id === 'bob' ? undefined : receive(message)) }
}

function reactionsThatStay({ reaction }: PlatformContext): Partial<PlatformContext> {
  return { reaction: (where, message, change) => reaction(where, message, { ...change, removed: false }) }
}

function twice({ send }: Platform): Partial<Platform> {
  return {
    async send(...message) {
      await send(...message)
      return send(...message)
    },
  }
}

function misplaced(): Flaw {
  return {
    tells: ({ receive }) => ({ receive: async message => (message.author.id === 'kiki' ? undefined : receive(message)) }),
    acts: ({ send }) => ({ send: async (...message) => ({ ...(await send(...message)), thread: 'elsewhere' }) }),
  }
}

function endlessTyping({ typing }: Platform): Partial<Platform> {
  return {
    async typing(...where) {
      await typing?.(...where)
      return () => {}
    },
  }
}

function stuck({ scope }: PlatformContext): Partial<PlatformContext> {
  scope.defer(() => new Promise(() => {}))
  return {}
}

function polite({ start, send }: Platform): Partial<Platform> {
  const square = { id: 'plaza//square', platform: 'plaza', workspace: '', channel: 'square', name: 'square' }
  return {
    async start(signal) {
      await start?.(signal)
      const wave = () => send({ ...square, visibility: 'public' }, { text: 'farewell', nonce: '1' }, signal)
      signal.addEventListener('abort', () => void wave())
    },
  }
}

function startingOnce(): Flaw {
  let started = false
  const acts = ({ start }: Platform): Partial<Platform> => ({
    async start(signal) {
      if (started) throw new Error('no second time')
      started = true
      await start?.(signal)
    },
  })
  return { acts }
}

function mistaken({ message }: Platform): Partial<Platform> {
  return { message: async (conversation, _id, signal) => message?.(conversation, 'l1', signal), history: async () => [] }
}

function forbidding(): Partial<Platform> {
  return { message: () => Promise.reject(new Error('Missing Access')) }
}

function besideThreads({ history }: Platform): Partial<Platform> {
  return { history: async ({ thread: _, ...channel }, ...range) => (await history?.(channel, ...range)) ?? [] }
}

function timeless({ history }: Platform): Partial<Platform> {
  return {
    history: async (...range) => ((await history?.(...range)) ?? []).map(message => ({ ...message, at: new Date() })),
  }
}
