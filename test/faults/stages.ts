/** The stages of the pipeline, with the order and the deadlines of the table in core/kernel/pipeline/stages.ts. */
import { definePlugin, type PluginHooks } from 'kikimimi'
import { STAGES, type Stage } from 'kikimimi/host'
import { nonsense } from './nonsense.ts'
import { FAULTS, newTexts, row, type Spot } from './spot.ts'
import type { Table } from './table.ts'

/** A spot in a stage. In `comes`, `{time}` stands for the deadline of the stage. */
type Case = Omit<Spot, 'where' | 'time'> & { readonly when?: string }

const plug = (name: string, parts: PluginHooks) => definePlugin({ name, setup: () => parts })

const answer = plug('answer', { respond: () => ({ kind: 'text', text: 'An answer.' }) })
const speak = plug('speak', { decide: () => ({ kind: 'full', why: 'always' }) })

/** By stage: tsc refuses a stage of the table that is missing here. */
const cases: { readonly [S in Stage]: readonly Case[] } = {
  filter: [
    {
      waits: true,
      plugins: act => [plug('bad', { filter: act }), answer],
      well: null,
      nonsense: nonsense(),
      see: async bot => newTexts(bot),
      seen: { well: ['An answer.'], broken: [] },
      told: /\[bad\] filter failed: ./,
      comes: {
        throws: 'the message is dropped',
        hangs: 'the message is dropped after {time}',
        'returns nonsense': 'the message is dropped',
        'is slow': 'the message waits',
      },
    },
  ],
  onDropped: [
    {
      plugins: act => [
        plug('bad', { onDropped: act }),
        plug('spam', { filter: ({ text }) => (text === 'spam' ? 'spam' : undefined) }),
        answer,
      ],
      well: undefined,
      async scene(bot) {
        await bot.say('alice', 'spam')
        await bot.say('alice', '@kiki hello')
      },
      see: async bot => newTexts(bot),
      seen: { well: ['An answer.'], broken: ['An answer.'] },
      told: /\[bad\] onDropped failed: ./,
      comes: {
        throws: 'logged',
        hangs: 'logged after {time}',
        'is slow': 'no effect',
      },
    },
  ],
  address: [
    {
      waits: true,
      plugins: act => [plug('bad', { address: act }), plug('good', { address: () => 'name' }), answer],
      well: null,
      nonsense: [...nonsense(), 'everybody'],
      scene: async bot => void (await bot.say('alice', 'hello kiki')),
      see: async bot => ({ texts: newTexts(bot), addressed: (await bot.trace()).addressed }),
      seen: { well: { texts: ['An answer.'], addressed: 'name' }, broken: { texts: ['An answer.'], addressed: 'name' } },
      told: /\[bad\] address failed: ./,
      comes: {
        throws: 'the next plugin is asked',
        hangs: 'the next is asked after {time}',
        'returns nonsense': 'the next is asked',
        'is slow': 'the message waits',
      },
    },
  ],
  onRecorded: [
    {
      plugins: act => [plug('bad', { onRecorded: act }), answer],
      well: undefined,
      see: async bot => newTexts(bot),
      seen: { well: ['An answer.'], broken: ['An answer.'] },
      told: /\[bad\] onRecorded failed: ./,
      comes: {
        throws: 'logged',
        hangs: 'logged after {time}',
        'is slow': 'no effect',
      },
    },
  ],
  score: [
    {
      plugins: act => [plug('bad', { score: act }), plug('good', { score: () => ({ points: 20, why: 'good' }) }), answer],
      well: { points: 10, why: 'well again' },
      nonsense: [
        ...nonsense(),
        'ten',
        { points: Number.NaN, why: 'x' },
        { points: Number.POSITIVE_INFINITY, why: 'x' },
        { points: '10', why: 'x' },
        { points: 10 },
        Array(101).fill({ points: 1, why: 'x' }),
      ],
      see: async bot => ({ texts: newTexts(bot), points: (await bot.trace()).score?.points }),
      seen: { well: { texts: ['An answer.'], points: 30 }, broken: { texts: ['An answer.'], points: 20 } },
      comes: {
        throws: 'the others count',
        hangs: 'the others count, after {time}',
        'returns nonsense': 'the others count',
        'is slow': 'the turn waits, and its points count',
      },
    },
  ],
  decide: [
    {
      plugins: act => [plug('bad', { decide: act }), speak, answer],
      well: { kind: 'full', why: 'well again' },
      nonsense: [...nonsense(), 'full', { kind: 'shout', why: 'x' }, { kind: 'full' }, ...delays()],
      scene: async bot => void (await bot.say('alice', 'hello')),
      see: async bot => ({ texts: newTexts(bot), outcome: (await bot.trace()).outcome }),
      seen: { well: { texts: ['An answer.'], outcome: 'replied' }, broken: { texts: [], outcome: 'silent' } },
      comes: {
        throws: 'silence',
        hangs: 'silence after {time}',
        'returns nonsense': 'silence',
        'is slow': 'its decision is used',
      },
    },
    {
      when: 'when addressed',
      plugins: act => [plug('bad', { decide: act }), answer],
      well: { kind: 'full', why: 'well again' },
      nonsense: [...nonsense(), 'silent', { kind: 'silent' }, { kind: 'shout', why: 'x' }, ...delays()],
      see: async bot => newTexts(bot),
      seen: { well: ['An answer.'], broken: ['An answer.'] },
      comes: {
        throws: 'the next plugin decides; without one, the bot answers',
        hangs: 'the same, after {time}',
        'returns nonsense': 'the same',
        'is slow': 'its decision is used',
      },
    },
  ],
  context: [
    {
      plugins: act => [
        plug('bad', { context: act }),
        plug('good', { context: () => ({ place: 'facts', title: 'Good', text: 'good' }) }),
        plug('tells', {
          respond: (_turn, _decision, { sections }) => ({ kind: 'text', text: sections.map(({ title }) => title).join(', ') }),
        }),
      ],
      well: { place: 'other', title: 'Well', text: 'again' },
      nonsense: [
        ...nonsense(),
        'a section',
        { place: 'nowhere', title: 'x', text: 'x' },
        { place: 'facts', title: 'x' },
        { place: 'facts', title: 'x', text: 'x', weight: Number.NaN },
        Array(101).fill({ place: 'facts', title: 'x', text: 'x' }),
      ],
      see: async bot => newTexts(bot),
      seen: { well: ['Good, Well'], broken: ['Good'] },
      comes: {
        throws: 'the answer lacks its section',
        hangs: 'the answer lacks its section, after {time}',
        'returns nonsense': 'the answer lacks its section',
        'is slow': 'the answer waits for it',
      },
    },
  ],
  respond: [
    {
      when: 'with another responder after it',
      plugins: act => [plug('bad', { respond: act }), answer],
      well: { kind: 'text', text: 'Well again.' },
      nonsense: replies(),
      see: async bot => newTexts(bot),
      seen: { well: ['Well again.'], broken: ['An answer.'] },
      comes: {
        throws: 'the next one answers',
        hangs: 'the next one answers, after {time}',
        'returns nonsense': 'the next one answers',
        'is slow': 'its answer comes late',
      },
    },
    {
      when: 'when addressed',
      bot: { apology: 'Sorry.' },
      plugins: act => [plug('bad', { respond: act })],
      well: { kind: 'text', text: 'Well again.' },
      nonsense: replies(),
      see: async bot => ({ texts: newTexts(bot), outcome: (await bot.trace()).outcome }),
      seen: { well: { texts: ['Well again.'], outcome: 'replied' }, broken: { texts: ['Sorry.'], outcome: 'failed' } },
      comes: {
        throws: 'one short apology',
        hangs: 'the apology after {time}',
        'returns nonsense': 'the apology',
        'is slow': 'the answer comes late',
      },
    },
    {
      when: 'unasked',
      bot: { apology: 'Sorry.' },
      plugins: act => [speak, plug('bad', { respond: act })],
      well: { kind: 'text', text: 'Well again.' },
      nonsense: replies(),
      scene: async bot => void (await bot.say('alice', 'hello')),
      see: async bot => ({ texts: newTexts(bot), outcome: (await bot.trace()).outcome }),
      seen: { well: { texts: ['Well again.'], outcome: 'replied' }, broken: { texts: [], outcome: 'failed' } },
      comes: {
        throws: 'silence',
        hangs: 'silence',
        'returns nonsense': 'silence',
        'is slow': 'the answer comes late, unless people have written meanwhile',
      },
    },
  ],
  separate: [
    {
      plugins: act => [
        plug('bad', { separate: act }),
        definePlugin({
          name: 'joins',
          setup: ({ clock }) => ({
            async respond(turn) {
              await new Promise(done => clock.setTimeout(() => done(undefined), 2_000))
              await turn.takeAdditions()
              return { kind: 'text', text: `An answer to ${1 + turn.added.length}.` }
            },
          }),
        }),
      ],
      well: 'an order of its own',
      nonsense: nonsense(),
      async scene(bot) {
        await bot.say('alice', '@kiki hello')
        await bot.say('alice', 'and good morning')
      },
      takes: '2s',
      see: async bot => newTexts(bot),
      seen: { well: ['An answer to 1.'], broken: ['An answer to 2.'] },
      comes: {
        throws: 'the message joins the answer',
        hangs: 'the message joins the answer after {time}',
        'returns nonsense': 'the message joins the answer',
        'is slow': 'the answer waits for its result',
      },
    },
  ],
  beforeSend: [
    {
      plugins: act => [
        plug('bad', { beforeSend: act }),
        definePlugin({
          name: 'thinks',
          setup: ({ clock }) => ({
            respond: () => new Promise(done => clock.setTimeout(() => done({ kind: 'text', text: 'An answer.' }), 2_000)),
          }),
        }),
      ],
      well: 'another person has answered',
      nonsense: nonsense(),
      async scene(bot) {
        await bot.say('alice', '@kiki hello')
        await bot.say('bob', 'never mind')
      },
      takes: '2s',
      see: async bot => newTexts(bot),
      seen: { well: [], broken: ['An answer.'] },
      comes: {
        throws: 'the answer is sent',
        hangs: 'the answer is sent after {time}',
        'returns nonsense': 'the answer is sent',
        'is slow': 'the answer waits for its result',
      },
    },
  ],
  after: [
    {
      plugins: act => [plug('bad', { after: act }), answer],
      well: undefined,
      see: async bot => newTexts(bot),
      seen: { well: ['An answer.'], broken: ['An answer.'] },
      told: /\[bad\] after failed: ./,
      comes: {
        throws: 'logged',
        hangs: 'logged after {time}',
        'is slow': 'no effect',
      },
    },
  ],
}

function toSpot(stage: Stage, { when, comes, ...rest }: Case): Spot {
  const { deadlineMs } = STAGES[stage]
  const told = Object.entries(comes).map(([fault, text]) => [fault, text.replace('{time}', `${deadlineMs / 1_000} s`)])
  return { ...rest, where: when ? `${stage}, ${when}` : stage, time: `${deadlineMs}ms`, comes: Object.fromEntries(told) }
}

function delays(): readonly unknown[] {
  return [Number.NaN, 'soon', Number.MAX_VALUE].map(delayMs => ({ kind: 'full', why: 'x', delayMs }))
}

function replies(): readonly unknown[] {
  return [
    ...nonsense(),
    'hello',
    { kind: 'text' },
    { kind: 'text', text: ' \n ' },
    { kind: 'text', text: '\0' },
    { kind: 'text', text: 'x', replyTo: 42 },
    { kind: 'reaction' },
    { kind: 'reaction', emoji: '' },
    { kind: 'silent' },
    { kind: 'shout', text: 'x' },
  ]
}

export const stages: Table = {
  heading: 'A plugin in its stage',
  of: 'stage',
  columns: FAULTS,
  rows: (Object.keys(STAGES) as Stage[]).flatMap(stage => cases[stage].map(one => row(toSpot(stage, one)))),
}
