/** Presence of the bot: typing, offline, back again. */
import { expect } from 'vitest'
import type { PlatformHarness } from './harness.ts'
import type { Check, Stage } from './stage.ts'

const UNSEEN = ({ typing }: PlatformHarness) => typing === undefined && 'there is no typing indicator here'
const GRACE = ({ config }: PlatformHarness) =>
  typeof config?.database === 'string' && 'a bot with a database gives turns 20 s to end when it stops'
const FORGETFUL = ({ remembers }: PlatformHarness) => !remembers && 'missed messages cannot be read here'

export const presence: readonly Check[] = [
  typingEnds('when it has answered', async stage => {
    const thought = await thinking(stage)
    thought.resolve({ kind: 'text', text: 'done' })
    expect(await stage.seen(1)).toMatchObject([{ text: 'done' }])
  }),
  typingEnds('when it fails to answer', async stage => {
    const thought = await thinking(stage)
    thought.reject(new Error('nothing comes to mind'))
    await stage.until('the turn has ended', () => stage.outcomes.length > 0)
  }),
  typingEnds('when it decides to be silent', async stage => {
    const thought = await thinking(stage)
    thought.resolve(undefined)
    await stage.until('the turn has ended', () => stage.outcomes.length > 0)
  }),
  typingEnds('when a newer message arrives before its unasked answer', async stage => {
    const thought = await thinking(stage, () => stage.say('alice', 'hmm, what do we think?'))
    await stage.say('bob', 'never mind')
    await stage.until('the turn was cancelled', () => stage.outcomes.includes('cancelled'))
    thought.resolve({ kind: 'text', text: 'too late' })
  }),
  typingEnds(
    'when the bot stops during a turn',
    async stage => {
      await thinking(stage)
      await stage.stop()
    },
    GRACE,
  ),
  {
    name: 'stops within seconds during a turn, and posts nothing afterwards',
    skip: GRACE,
    async run(stage) {
      const thought = stage.think()
      await stage.ask('think hard')
      await stage.until('it thinks', () => stage.turns.length > 0)
      await stage.stop()
      thought.resolve({ kind: 'text', text: 'an afterthought' })
      await new Promise(setImmediate)
      expect(stage.harness.seen()).toEqual([])
    },
  },
  {
    name: 'receives nothing after it has stopped, and everything when it is started again',
    async run(stage) {
      await stage.ask('hello')
      await stage.seen(1)
      const { heard } = stage
      const before = [...heard]
      await stage.stop()
      await stage.say('bob', 'is it gone?')
      await stage.start()
      await stage.ask('back again?')
      await stage.seen(2)
      expect(stage.turns.at(-1)?.message.text).toContain('back again?')
      expect(heard).toEqual(before)
      await stage.stop()
      expect(stage.harness.seen()).toHaveLength(2)
    },
  },
  {
    name: 'reads missed messages, and answers a recent mention',
    skip: FORGETFUL,
    durable: true,
    async run(stage) {
      await stage.ask('hello')
      await stage.seen(1)
      await stage.until('the turn has ended', () => stage.outcomes.length > 0)
      await stage.stop()
      await stage.say('bob', 'the code is 42')
      await stage.ask('what is it?')
      await stage.start()
      await stage.seen(2)
      await stage.until('the turn has ended', () => stage.outcomes.length > 1)
      expect(stage.turns.at(-1)?.message.text).toContain('what is it?')
      expect(stage.turns.at(-1)?.history.map(({ text }) => text.replace(/^@\S+ /, ''))).toEqual([
        ...['hello', 'hello back', 'the code is 42', 'what is it?'],
      ])
      expect(stage.harness.seen()).toHaveLength(2)
    },
  },
  {
    name: 'reads an old missed mention, and does not answer it',
    skip: FORGETFUL,
    durable: true,
    async run(stage) {
      await stage.ask('hello')
      await stage.seen(1)
      await stage.until('the turn has ended', () => stage.outcomes.length > 0)
      const [before] = stage.turns
      if (!before) throw new Error('it has answered without a turn')
      await stage.stop()
      await stage.ask('anybody here?')
      const asked = performance.now()
      const age = LONG_AGO + (stage.harness.timesMs ?? 1)
      await stage.until('that is long ago', () => performance.now() - asked > age)
      await stage.start({ listen: { missed: `${LONG_AGO}ms` } })
      await stage.until('it has read the missed messages', async () => {
        return (await stage.memory(before)).some(({ text, missed }) => missed === true && text.includes('anybody here?'))
      })
      await stage.ask('hello again')
      await stage.seen(2)
      expect(stage.turns.at(-1)?.messages.map(({ text }) => text)).toEqual([expect.stringContaining('hello again')])
      expect(stage.harness.seen()).toHaveLength(2)
    },
  },
]

/** Milliseconds: long enough to distinguish when a message was written from when it was read. */
const LONG_AGO = 300

function typingEnds(when: string, run: (stage: Stage) => Promise<void>, skip: NonNullable<Check['skip']> = () => false): Check {
  return {
    name: `shows typing, and ends it ${when}`,
    skip: harness => UNSEEN(harness) || skip(harness),
    async run(stage) {
      await run(stage)
      await stage.until('the typing indicator is off', () => stage.harness.typing?.() === false)
    },
  }
}

/** The turn has begun, and people see the typing indicator. */
async function thinking(stage: Stage, say: () => Promise<unknown> = () => stage.ask('think hard')) {
  const thought = stage.think()
  await say()
  await stage.until('people see it typing', () => stage.harness.typing?.() === true)
  return thought
}
