import { situations } from './situation.ts'

situations(
  'Edits',
  [
    {
      name: 'an edit adds a call: it is answered, and the prompt shows the new text',
      async play(place) {
        const message = await place.say('alice', 'which train goes to Kyoto?')
        await place.edit(message, '@kiki which train goes to Osaka?')
      },
      sees: [/▶ .*alice.*:\n.*which train goes to Osaka\?/],
      hides: ['to Kyoto'],
    },
    {
      name: 'an edit removes the call during the answer',
      async play(place) {
        const release = place.hold()
        const message = await place.say('alice', '@kiki which train goes to Kyoto?')
        await place.asked(1)
        await place.edit(message, 'never mind, I found it')
        release()
      },
      posts: [],
    },
    {
      name: 'an edit changes the call during the answer: the new text is answered',
      async play(place) {
        const release = place.hold()
        const message = await place.say('alice', '@kiki which train goes to Kyoto?')
        await place.asked(1)
        await place.edit(message, '@kiki which train goes to Osaka?')
        release()
      },
      sees: ['which train goes to Osaka?'],
      hides: ['to Kyoto'],
      posts: [/^answer 2$/],
    },
    {
      name: 'the call is deleted during the answer: nothing is posted',
      async play(place) {
        const release = place.hold()
        const message = await place.say('alice', '@kiki which train goes to Kyoto?')
        await place.asked(1)
        await place.remove(message)
        release()
      },
      posts: [],
    },
    {
      name: 'an earlier message is edited: the prompt shows the new text',
      async play(place) {
        const message = await place.say('carol', 'we meet at nine')
        await place.edit(message, 'we meet at ten')
        await place.say('bob', '@kiki when do we meet?')
      },
      sees: ['we meet at ten'],
      hides: ['we meet at nine'],
    },
    {
      name: 'an earlier message is deleted: the prompt does not contain it',
      async play(place) {
        const message = await place.say('carol', 'the door code is 4711')
        await place.say('dave', 'thanks')
        await place.remove(message)
        await place.say('bob', '@kiki what is the code?')
      },
      sees: ['thanks'],
      hides: ['4711'],
    },
    {
      name: 'an edit that only corrects a spelling during the answer',
      async play(place) {
        const release = place.hold()
        const message = await place.say('alice', '@kiki wich train goes to Kyoto?')
        await place.asked(1)
        await place.edit(message, '@kiki which train goes to Kyoto?')
        release()
      },
      sees: ['which train goes to Kyoto?'],
      posts: [/^answer \d$/],
    },
  ],
  { minWait: '50ms' },
)
