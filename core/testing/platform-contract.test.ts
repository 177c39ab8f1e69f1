/** The contract can be kept, and whoever breaks it is told so. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Conversation, IncomingMessage, Outgoing, Platform, PluginContext } from '../api/index.ts'
import { type Flaw, plaza } from './platform-contract/plaza.ts'
import { perform } from './platform-contract/stage.ts'
import { platformChecks, platformContract } from './platform-contract.ts'

platformContract('of the plaza', plaza())

/** Every check whose name begins so has to complain. */
type Row = readonly [flaw: string, broken: Flaw, checks: string, complaint: RegExp]

const HEARS = 'hears who said what where'
const TYPING = 'is seen typing, and no longer'

describe('a platform is caught that tells the bot', () => {
  test.each<Row>([
    ['of no mentions', telling({ mentions: [] }), HEARS, /in vain: people see message 1/],
    ['of everybody as bob', telling({ author: { id: 'bob', name: 'bob' } }), HEARS, /alice/],
    ['half a text', telling(({ text }) => ({ text: text.replace(/^.*, /, '') })), 'hears its name', /in vain/],
    ['nothing of bob', { tells: deafToBob }, 'remembers what does not call it', /'alice', 'one'/],
    ['of its own words as a stranger’s', telling(byStrangers), 'remembers its own words once', /still there/],
    ['that every place is public', telling(inPlace({ visibility: 'public' })), 'takes a direct message', /in vain/],
    ['that every place is public', telling(inPlace({ visibility: 'public' })), 'knows a private channel', /private/],
    ['of threads as of their channel', telling(inPlace({ thread: undefined })), 'keeps a thread apart', /said in the/],
    ['of answers to nobody', telling({ replyTo: undefined }), 'takes an answer to its words', /in vain/],
    ['of answers to it alone', telling(answeringKiki), 'takes an answer to somebody else', /reply/],
    ['of an event that came twice as of two', telling(() => ({ id: randomUUID() })), 'answers an event', /hello/],
    ['of no reactions', { tells: () => ({ reaction: async () => {} }) }, 'sees who reacted', /👍/],
    ['of reactions that stay', { tells: reactionsThatStay }, 'sees that a reaction was taken back', /👍/],
    ['of no edits', { tells: () => ({ edit: async () => {} }) }, 'sees what was edited', /nine/],
    ['of no deletions', { tells: () => ({ remove: async () => {} }) }, 'forgets what was deleted', /12345/],
    ['of no deletions', { tells: () => ({ remove: async () => {} }) }, 'does not answer what was deleted', /called off/],
  ])('%s', isCaught)
})

describe('a platform is caught that', () => {
  test.each<Row>([
    ['posts twice', { acts: twice }, HEARS, /hello back/],
    ['posts in one channel only', posting({ channel: 'square' }), 'knows a private channel', /hello back/],
    ['posts beside the thread', posting({ thread: undefined }), 'answers in the thread', /hello back/],
    ['always quotes', posting({}, { replyTo: 'l0' }), 'answers plainly', /l0/],
    ['never quotes', posting({}, { replyTo: undefined }), 'quotes what it answers', /quotes/],
    ['misplaces its words', misplaced(), 'remembers what it said when somebody answers', /which one/],
    [
      'cuts off',
      posting({}, ({ text }) => ({ text: text.slice(0, 900) })),
      'splits what is too long',
      /word|in vain: people see its end/,
    ],
    ['cannot react', { acts: () => ({ react: async () => {} }) }, 'reacts', /in vain: people see a reaction/],
    ['never shows typing', { acts: () => ({ typing: () => () => {} }) }, TYPING, /in vain: people see it typing/],
    ['never ends typing', { acts: endlessTyping }, TYPING, /in vain: nobody sees it typing/],
    ['never stops', { tells: stuck }, 'stops within seconds', /in vain: the bot has stopped/],
    ['says farewell', { acts: polite }, 'stops within seconds', /to deeply equal \[\]/],
    ['can be started once', startingOnce(), 'hears nothing once it has stopped', /no second time/],
    ['has no past', { acts: () => ({ history: async () => [] }) }, 'reads', /in vain: (people see message 2|it has read)/],
    ['takes the past for now', { acts: timeless }, 'reads who called longer ago', /in vain: it has read/],
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

/** The copy without what was set to nothing. */
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

function deafToBob({ receive }: PluginContext): Partial<PluginContext> {
  return { receive: async message => (message.author.id === 'bob' ? undefined : receive(message)) }
}

function reactionsThatStay({ reaction }: PluginContext): Partial<PluginContext> {
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

function stuck({ scope }: PluginContext): Partial<PluginContext> {
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

function timeless({ history }: Platform): Partial<Platform> {
  return {
    history: async (...range) => ((await history?.(...range)) ?? []).map(message => ({ ...message, at: new Date() })),
  }
}
