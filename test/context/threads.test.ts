import { discordOnly, situations } from './situation.ts'

const BROKEN = 'The frobnicator is broken since Tuesday'

situations('Threads', [
  {
    name: 'a call in a thread, and its first message came long before: the prompt shows that message and its author',
    topic: 'machines and repairs',
    async play(place) {
      const root = await place.say('carol', BROKEN)
      for (let line = 0; line < 15; line++) await place.say('dave', `something else ${line}`)
      const thread = await place.thread(root, 'frobnicator')
      await place.say('bob', '@kiki can you help her?', { in: thread })
    },
    sees: [/◆ .*carol.*:\nThe frobnicator is broken/, /▶ .*bob.*:\n@?kiki can you help her\?|▶ .*bob.*:\n.*can you help her\?/],
    hides: ['something else'],
  },
  {
    name: 'a thread with a name in a channel with a topic: both are in the prompt',
    topic: 'machines and repairs',
    async play(place) {
      const thread = await place.thread(await place.say('carol', BROKEN), 'frobnicator')
      await place.say('bob', '@kiki can you help?', { in: thread })
    },
    sees: [{ discord: 'Thread: frobnicator' }, 'machines and repairs', /^### #c\d+$/m],
  },
  {
    name: 'the first message of the thread is from before the invitation',
    async play(place) {
      const root = await place.say('carol', BROKEN, { unheard: true })
      const thread = await place.thread(root, 'frobnicator')
      await place.say('bob', '@kiki can you help her?', { in: thread })
    },
    sees: [/◆ .*carol.*:\nThe frobnicator is broken/],
  },
  {
    name: 'the first message of the thread was deleted: the prompt says so and does not quote it',
    async play(place) {
      const root = await place.say('carol', BROKEN)
      const thread = await place.thread(root, 'frob')
      await place.say('dave', 'me too', { in: thread })
      await place.remove(root)
      await place.say('bob', '@kiki can you help?', { in: thread })
    },
    sees: ['The first message of the thread was deleted, or the thread began without one.', 'me too'],
    hides: [BROKEN],
  },
  {
    name: 'the first message of the thread is an answer of the bot',
    async play(place) {
      await place.say('carol', '@kiki which colour?')
      await place.answered(1)
      const [{ id = '' } = {}] = place.posted
      const thread = await place.thread(id, 'colours')
      await place.say('bob', '@kiki why that one?', { in: thread })
    },
    each: [['which colour?'], [/◆ .*kiki:\nanswer 1/, 'why that one?']],
    posts: [/^answer 1$/, /^answer 2$/],
    anywhere: true,
  },
  {
    name: 'the first message of the thread cannot be read: the prompt says so',
    apart: true,
    async play(place) {
      const root = await place.say('carol', BROKEN, { unheard: true })
      const thread = await place.thread(root, 'frob')
      place.trouble('forbidden')
      await place.say('bob', '@kiki can you help?', { in: thread })
    },
    sees: [{ slack: 'The first message of the thread could not be read.' }, 'can you help?'],
  },
  {
    name: 'the first message of the thread is edited before the call: the prompt shows the new text',
    async play(place) {
      const root = await place.say('carol', BROKEN)
      const thread = await place.thread(root, 'frob')
      await place.edit(root, 'The sprocket is broken since Monday')
      await place.say('bob', '@kiki can you help?', { in: thread })
    },
    sees: [/◆ .*carol.*:\nThe sprocket is broken/],
    hides: [BROKEN],
  },
  {
    name: 'two threads of one channel: each prompt has its own first message alone',
    async play(place) {
      const one = await place.thread(await place.say('carol', BROKEN), 'one')
      const other = await place.thread(await place.say('dave', 'The lift is stuck'), 'other')
      await place.say('bob', '@kiki first?', { in: one })
      await place.answered(1)
      await place.say('bob', '@kiki second?', { in: other })
    },
    each: [
      [/◆ .*carol/, 'frobnicator'],
      [/◆ .*dave/, 'The lift is stuck'],
    ],
    hides: ['frobnicator is broken'],
    posts: [/^answer 1$/, /^answer 2$/],
    anywhere: true,
  },
  discordOnly({
    name: 'a thread without a first message in the channel',
    async play(place) {
      const thread = place.bareThread('lunch plans')
      await place.say('bob', '@kiki where to?', { in: thread })
    },
    sees: ['Thread: lunch plans', 'or the thread began without one', 'where to?'],
    hides: ['could not be read'],
  }),
])
