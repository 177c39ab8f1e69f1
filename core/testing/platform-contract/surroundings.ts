/** What people see around a message: the top of its place, the root of a thread, what others answer, and what was said before. */
import { expect } from 'vitest'
import type { Surroundings } from '../../api/index.ts'
import type { PlatformHarness } from './harness.ts'
import type { Check, Stage } from './stage.ts'

const WHY = {
  details: 'nothing is reported about a channel here',
  retitle: 'topics do not change here',
  unheard: 'the bot hears every message here',
  openThread: 'there are no threads under messages here',
  reply: 'a message cannot be answered here',
  remove: 'messages cannot be deleted here',
  pin: 'messages cannot be pinned here',
} as const satisfies Partial<Record<keyof PlatformHarness, string>>

/** For a harness that says something itself. */
const FRESH = 'what people said before the call; the harness has to begin with a channel in which nothing is said'

/** Why a check does not apply: what the platform lacks first. */
function needs(...members: readonly (keyof typeof WHY)[]): NonNullable<Check['skip']> {
  return harness => {
    const missing = members.find(member => harness[member] === undefined)
    return missing !== undefined && WHY[missing]
  }
}

export const surroundings: readonly Check[] = [
  {
    name: 'finds a channel by its name',
    async run(stage) {
      await stage.ask('where are we?')
      await stage.seen(1)
      const { platform, workspace, channel, name, visibility } = stage.turns[0]?.conversation ?? {}
      const found = stage.find(`#${name}`)
      if (visibility === 'direct') await expect(found).rejects.toMatchObject({ code: 'CHANNEL_MISSING' })
      else expect(await found).toMatchObject({ platform, workspace, channel, name })
    },
  },
  {
    name: 'reads the pinned messages of a channel as they are now',
    skip: needs('pin', 'unheard', 'remove'),
    async run(stage) {
      const { harness } = stage
      await stage.ask('where are we?')
      await stage.seen(1)
      const name = stage.turns[0]?.conversation.name ?? ''
      expect(await stage.pins(name)).toEqual([])
      const ids: string[] = []
      for (const text of ['the code is 42', 'the key is blue', 'the cat is Momo']) {
        const id = (await harness.unheard?.('bob', text)) ?? ''
        await harness.pin?.('carol', id)
        ids.push(id)
      }
      expect(await stage.pins(name)).toEqual(['the cat is Momo', 'the key is blue', 'the code is 42'])
      const [code = '', key = ''] = ids
      await harness.unpin?.(key)
      await harness.remove?.(code)
      expect(await stage.pins(name)).toEqual(['the cat is Momo'])
      // What the bot has said is no source for what it says.
      await harness.pin?.('carol', (await stage.seen(1))[0]?.id ?? '')
      expect(await stage.pins(name)).toEqual(['the cat is Momo'])
    },
  },
  {
    name: 'reports what people see at the top of a channel',
    skip: needs('details'),
    async run(stage) {
      await stage.ask('where are we?')
      await stage.seen(1)
      expect(stage.turns[0]?.conversation.details).toMatchObject({ ...stage.harness.details })
    },
  },
  {
    name: 'reports a new topic',
    skip: needs('retitle'),
    async run(stage) {
      await stage.ask('what is this channel for?')
      await stage.seen(1)
      await stage.harness.retitle?.('all about trains')
      await stage.ask('and now?')
      await stage.seen(2)
      expect(stage.turns[1]?.conversation.details?.topic).toBe('all about trains')
    },
  },
  {
    name: 'reports the name of a thread, and reads its root, which it never heard',
    skip: needs('unheard', 'openThread'),
    async run(stage) {
      const { root, where } = await threadUnder(stage, 'the kettle is broken')
      await stage.ask('can you help?', { where })
      await stage.seen(1)
      const { namesThreads = true } = stage.harness
      expect(stage.turns[0]?.conversation.details).toMatchObject({ root, ...(namesThreads && { threadName: 'the kettle' }) })
      expect(seenIn(stage).root).toMatchObject({ id: root, text: 'the kettle is broken', author: { name: 'bob' } })
    },
  },
  {
    name: 'notices that the root of a thread was deleted',
    skip: needs('unheard', 'openThread', 'remove'),
    async run(stage) {
      const { root, where } = await threadUnder(stage, 'the kettle is broken')
      await stage.harness.remove?.(root)
      await stage.ask('can you help?', { where })
      await stage.seen(1)
      expect(seenIn(stage).root).toBe('deleted')
    },
  },
  {
    name: 'reads the message that another one answers, which it never heard',
    skip: needs('unheard', 'reply'),
    async run(stage) {
      const target = (await stage.harness.unheard?.('bob', 'it is 300 m')) ?? ''
      await stage.harness.reply?.('alice', 'kiki, is that correct?', target)
      await stage.seen(1)
      expect(around(stage)).toContainEqual([target, 'it is 300 m'])
    },
  },
  {
    name: 'notices that the message was deleted that another one answers',
    skip: needs('unheard', 'reply', 'remove'),
    async run(stage) {
      const target = (await stage.harness.unheard?.('bob', 'it is 300 m')) ?? ''
      await stage.harness.remove?.(target)
      await stage.harness.reply?.('alice', 'kiki, is that correct?', target)
      await stage.seen(1)
      expect(around(stage), FRESH).toEqual([])
      expect(seenIn(stage).problem).toBeUndefined()
    },
  },
  {
    name: 'reads what was said in a thread before, in order and nothing else',
    skip: needs('unheard', 'openThread'),
    async run(stage) {
      const { where } = await threadUnder(stage, 'the kettle is broken')
      for (const text of ['one', 'two', 'three']) await stage.harness.unheard?.('bob', text, { where })
      await stage.harness.unheard?.('bob', 'beside the thread')
      await stage.ask('sum up this thread', { where })
      await stage.seen(1)
      expect(
        seenIn(stage).earlier.map(({ text }) => text),
        FRESH,
      ).toEqual(['one', 'two', 'three'])
    },
  },
  {
    name: 'reads what was said in a channel before, in order',
    skip: needs('unheard'),
    async run(stage) {
      for (const text of ['one', 'two', 'three']) await stage.harness.unheard?.('bob', text)
      await stage.ask('what did I miss?')
      await stage.seen(1)
      expect(
        seenIn(stage).earlier.map(({ text }) => text),
        FRESH,
      ).toEqual(['one', 'two', 'three'])
    },
  },
]

async function threadUnder({ harness }: Stage, text: string): Promise<{ readonly root: string; readonly where: string }> {
  const root = (await harness.unheard?.('bob', text)) ?? ''
  return { root, where: (await harness.openThread?.(root, 'the kettle')) ?? '' }
}

function seenIn({ turns }: Stage): Surroundings {
  return turns[0]?.surroundings ?? { quoted: [], earlier: [] }
}

/** The messages around the call, with their texts. */
function around(stage: Stage): [string, string][] {
  const { root, quoted, earlier } = seenIn(stage)
  return [...(typeof root === 'object' ? [root] : []), ...quoted, ...earlier].map(({ id, text }) => [id, text])
}
