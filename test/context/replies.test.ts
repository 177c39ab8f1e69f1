import { discordOnly, situations } from './situation.ts'

situations('Replies', [
  {
    name: 'a call that replies to one of three messages',
    async play(place) {
      await place.say('alice', 'the station is 200 m away')
      const target = await place.say('carol', 'the bridge is 300 m long')
      await place.say('dave', 'the tower is 400 m high')
      await place.say('bob', '@kiki is that correct?', { to: target })
    },
    sees: [
      {
        discord: /bob.* → carol \("the bridge is 300 m long"\):\n.*is that correct\?/,
        slack: /◆ .*carol.*:\nthe bridge is 300 m long/,
      },
    ],
  },
  discordOnly({
    name: 'a chain of three replies from before the invitation',
    async play(place) {
      const first = await place.say('alice', 'the bridge is 100 m long', { unheard: true })
      const second = await place.say('carol', 'no, it is 300 m', { to: first, unheard: true })
      const third = await place.say('dave', 'I measured 305 m', { to: second, unheard: true })
      await place.say('bob', '@kiki who is right?', { to: third })
    },
    sees: [/bob.* → dave \("I measured 305 m"/, 'no, it is 300 m', 'the bridge is 100 m long'],
  }),
  discordOnly({
    name: 'a reply to a message from before the invitation',
    async play(place) {
      const old = await place.say('carol', 'the bridge is 300 m long', { unheard: true })
      await place.say('bob', '@kiki is that correct?', { to: old })
    },
    sees: [/bob.* → carol \("the bridge is 300 m long"/],
  }),
  discordOnly({
    name: 'a reply to a message 70 messages back',
    async play(place) {
      const old = await place.say('carol', 'the bridge is 300 m long')
      for (let line = 0; line < 70; line++) await place.say('dave', `other line ${line}`)
      await place.say('bob', '@kiki is that correct?', { to: old })
    },
    sees: [/bob.* → carol \("the bridge is 300 m long"/],
    hides: [/other line 2\n/],
  }),
  discordOnly({
    name: 'replies in a circle end after three links',
    async play(place) {
      const one = place.circle('alice', 'see the other message')
      await place.say('bob', '@kiki what now?', { to: one })
    },
    sees: [/bob.* → alice \("see the other message"/],
  }),
  discordOnly({
    name: 'a reply to a message that was deleted',
    async play(place) {
      const gone = await place.say('carol', 'the door code is 4711')
      await place.remove(gone)
      await place.say('bob', '@kiki is that correct?', { to: gone })
    },
    sees: ['is that correct?', /bob.* → \(a message that cannot be shown\)/],
    hides: ['4711'],
  }),
  discordOnly({
    name: 'a reply to a message that cannot be read',
    apart: true,
    async play(place) {
      const old = await place.say('carol', 'the bridge is 300 m long', { unheard: true })
      const asked = await place.say('dave', 'agreed', { to: old, unheard: true })
      place.trouble('forbidden')
      await place.say('bob', '@kiki is that correct?', { to: asked })
    },
    sees: [/bob.* → dave \("agreed"/, 'could not be read'],
  }),
  {
    name: 'a call that replies to an answer of the bot, without its name',
    async play(place) {
      await place.say('bob', '@kiki which colour?')
      await place.answered(1)
      const [{ id = '' } = {}] = place.posted
      await place.say('bob', 'why not green?', { to: id })
    },
    sees: ['why not green?', { discord: /bob.* → kiki \("answer 1"/, slack: /◆ .*kiki:\nanswer 1/ }],
    posts: [/^answer 1$/, /^answer 2$/],
    anywhere: true,
  },
])
