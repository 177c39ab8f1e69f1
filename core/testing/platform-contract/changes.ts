/** Changes of a message: reactions, edits, deletions. */
import { expect } from 'vitest'
import type { Message } from '../../api/index.ts'
import type { Check } from './stage.ts'

const NO_EDITS = 'messages cannot be edited here'
const NO_DELETIONS = 'messages cannot be deleted here'
const UNHEARD = 'the platform does not report reactions'

export const changes: readonly Check[] = [
  {
    name: 'reacts',
    skip: ({ reactions }) => reactions === undefined && 'the bot cannot react here',
    async run(stage) {
      stage.answer(({ message }) => ({ kind: 'reaction', emoji: '👍', to: message.id }))
      await stage.ask('we did it')
      await stage.until('people see a reaction', () => stage.harness.reactions?.().length !== 0)
      await stage.until('the turn has ended', () => stage.outcomes.length > 0)
      expect(stage.harness.reactions?.()).toEqual(['👍'])
      expect(stage.harness.seen()).toEqual([])
    },
  },
  {
    name: 'sees who reacted to what, and takes it for no call',
    skip: ({ react }) => react === undefined && UNHEARD,
    async run(stage) {
      const said = await stage.say('alice', 'cake in the kitchen')
      await stage.say('bob', 'on my way')
      await stage.harness.react?.('bob', said, '👍')
      await stage.ask('who wants some?')
      await stage.seen(1)
      const { history = [] } = stage.turns[0] ?? {}
      const bob = history.find(({ text }) => text === 'on my way')?.author.id
      expect(reactionsTo('cake in the kitchen', history)).toEqual([{ emoji: '👍', by: [bob] }])
      expect(stage.turns).toHaveLength(1)
    },
  },
  {
    name: 'sees that a reaction was taken back',
    skip: ({ unreact }) => unreact === undefined && UNHEARD,
    async run(stage) {
      const said = await stage.say('alice', 'cake in the kitchen')
      await stage.harness.react?.('bob', said, '👍')
      await stage.harness.unreact?.('bob', said, '👍')
      await stage.ask('who wants some?')
      await stage.seen(1)
      const { history = [] } = stage.turns[0] ?? {}
      expect(history[0]?.text).toBe('cake in the kitchen')
      expect(reactionsTo('cake in the kitchen', history)).toBeUndefined()
    },
  },
  {
    name: 'sees what was edited as it is now',
    skip: ({ edit }) => edit === undefined && NO_EDITS,
    async run(stage) {
      const said = await stage.say('bob', 'the meeting is at nine')
      await stage.harness.edit?.(said, 'the meeting is at ten')
      await stage.ask('when is it?')
      await stage.seen(1)
      expect(stage.turns[0]?.history.map(({ text }) => text).slice(0, -1)).toEqual(['the meeting is at ten'])
    },
  },
  {
    name: 'forgets what was deleted',
    skip: ({ remove }) => remove === undefined && NO_DELETIONS,
    async run(stage) {
      const said = await stage.say('bob', 'my number is 12345')
      await stage.say('bob', 'never mind')
      await stage.harness.remove?.(said)
      await stage.ask('what did he say?')
      await stage.seen(1)
      expect(stage.turns[0]?.history.map(({ text }) => text).slice(0, -1)).toEqual(['never mind'])
    },
  },
  {
    name: 'does not answer what was deleted while it thought',
    skip: ({ remove }) => remove === undefined && NO_DELETIONS,
    async run(stage) {
      const { typing } = stage.harness
      const thought = stage.think()
      const said = await stage.ask('think hard')
      await stage.until('it thinks', () => stage.turns.length > 0)
      await stage.harness.remove?.(said)
      await stage.until('the turn was cancelled', () => stage.outcomes.includes('cancelled'))
      if (typing) await stage.until('the typing indicator is off', () => !typing())
      thought.resolve({ kind: 'text', text: 'an answer to nothing' })
      stage.answer(() => ({ kind: 'text', text: 'hello back' }))
      await stage.ask('hello')
      expect(await stage.seen(1)).toMatchObject([{ text: 'hello back' }])
    },
  },
]

function reactionsTo(text: string, history: readonly Message[]): Message['reactions'] {
  return history.find(message => message.text === text)?.reactions
}
