import { definePlugin } from 'kikimimi'
import type { Place, Trouble } from './place.ts'
import { discordOnly, type Situation, situations } from './situation.ts'

/** Carol and dave have talked before the bot came. */
async function talk(place: Place, thread?: string, authors: readonly string[] = ['carol', 'dave']): Promise<void> {
  const where = { unheard: true, ...(thread !== undefined && { in: thread }) }
  for (let line = 1; line <= 12; line++)
    await place.say(authors[line % authors.length] ?? '', `we agreed on point ${line}`, where)
}

const troubled = (kind: Trouble, name: string): Situation => ({
  name,
  apart: true,
  async play(place) {
    await talk(place)
    place.trouble(kind)
    await place.say('bob', '@kiki sum up what was said')
  },
  sees: ['sum up what was said', /Earlier messages could not be read \(.+\)/],
  hides: ['we agreed on point'],
  readings: 3,
})

const optOut = definePlugin({
  name: 'opt-out',
  setup: () => ({ filter: ({ author }) => (author.name === 'erin' ? 'does not want to be heard' : undefined) }),
})

situations(
  'Before the invitation',
  [
    {
      name: 'invited a minute ago, and asked to sum up a thread',
      async play(place) {
        const root = await place.say('carol', 'Where do we meet?', { unheard: true })
        const thread = await place.thread(root, 'meeting')
        await talk(place, thread)
        await place.say('bob', '@kiki sum up this thread', { in: thread })
      },
      sees: [/◆ .*carol.*:\nWhere do we meet\?/, 'we agreed on point 1\n', 'we agreed on point 12\n'],
    },
    {
      name: 'invited a minute ago, and asked to sum up a channel',
      async play(place) {
        await talk(place)
        await place.say('bob', '@kiki what did I miss?')
      },
      sees: ['we agreed on point 1\n', 'we agreed on point 12\n', /dave/],
    },
    {
      name: 'invited a minute ago, and asked in Japanese',
      async play(place) {
        await place.say('carol', '土曜の十時に駅で会いましょう', { unheard: true })
        await place.say('dave', 'はい、傘を持って行きます', { unheard: true })
        await place.say('bob', '@kiki ここまでの話をまとめて')
      },
      sees: ['土曜の十時に駅で会いましょう', '傘を持って行きます'],
    },
    {
      name: 'a second call reads nothing again',
      async play(place) {
        await talk(place)
        await place.say('bob', '@kiki what did I miss?')
        await place.answered(1)
        await place.say('bob', '@kiki and in one sentence?')
      },
      sees: ['we agreed on point 12\n'],
      posts: [/^answer 1$/, /^answer 2$/],
      apart: true,
      readings: 1,
    },
    {
      name: 'a talk that does not call the bot: nothing is read',
      apart: true,
      async play(place) {
        await talk(place)
        await place.say('bob', 'good morning everyone')
      },
      posts: [],
      readings: 0,
    },
    troubled('limited', 'reading is rate limited: the prompt says that it does not know'),
    troubled('silent', 'reading is never answered: the prompt says that it does not know'),
    troubled('forbidden', 'reading is forbidden: the prompt says that it does not know'),
    {
      name: 'a distributed app, which may read once a minute, is asked to sum up a thread',
      on: 'slack',
      apart: true,
      isDistributed: true,
      async play(place) {
        const root = await place.say('carol', 'Where do we meet?', { unheard: true })
        await talk(place, root)
        await place.say('bob', '@kiki sum up this thread', { in: root })
      },
      sees: [/◆ .*carol.*:\nWhere do we meet\?/, 'we agreed on point 12\n'],
    },
    discordOnly({
      name: 'the bot may not read the history of the channel: the prompt says that it does not know',
      isUnreadable: true,
      async play(place) {
        await talk(place)
        await place.say('bob', '@kiki sum up what was said')
      },
      sees: [/Earlier messages could not be read \(.+\)/],
      hides: ['we agreed on point'],
    }),
    {
      name: 'a thread of 10,000 messages: the last ones are read in few calls',
      apart: true,
      async play(place) {
        const root = await place.say('carol', 'Where do we meet?', { unheard: true })
        const thread = await place.thread(root, 'meeting')
        for (let line = 1; line < 10_000; line++) await place.say('dave', `line ${line}`, { in: thread, unheard: true })
        await place.say('bob', '@kiki sum up this thread', { in: thread })
      },
      sees: [/◆ .*carol.*:\nWhere do we meet\?/, 'line 9999\n', 'line 9960\n'],
      hides: ['line 5000\n'],
      readings: 12,
    },
    {
      name: 'a person who does not want to be heard is left out of what is read',
      async play(place) {
        await talk(place, undefined, ['carol', 'erin'])
        await place.say('bob', '@kiki what did I miss?')
      },
      sees: ['we agreed on point 12\n'],
      hides: ['erin', 'we agreed on point 1\n'],
    },
  ],
  { plugins: () => [optOut()] },
)
