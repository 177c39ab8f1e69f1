import { chatCommand, definePlugin } from 'kikimimi'
import { situations } from './situation.ts'

const dice = definePlugin({
  name: 'dice',
  setup: () => ({
    commands: [
      chatCommand({
        name: 'roll',
        prefix: '!',
        usage: '[die]',
        does: { en: 'roll a die', ja: 'さいころを振ります', ko: '주사위를 굴립니다' },
        permission: 'everyone',
        run: ({ person, text }) => `${person.name} rolls ${text}`,
      }),
    ],
  }),
})

situations(
  'Several callers',
  [
    {
      name: 'three people call at once: three answers',
      async play(place) {
        await Promise.all([
          place.say('alice', '@kiki which train?'),
          place.say('bob', '@kiki which platform?'),
          place.say('carol', '@kiki which seat?'),
        ])
      },
      each: [[/▶ .*alice/], [/▶ .*bob/], [/▶ .*carol/]],
      hides: [/▶ .*alice/],
      posts: [/^answer 1$/, /^answer 2$/, /^answer 3$/],
    },
    {
      name: 'the second caller is not in the first prompt',
      async play(place) {
        const release = place.hold()
        await place.say('alice', '@kiki which train?')
        await place.asked(1)
        await place.say('bob', '@kiki which platform?')
        release()
      },
      each: [[/^(?![\s\S]*which platform)[\s\S]*▶ .*alice/], [/▶ .*bob/, { discord: 'answer 1' }]],
      posts: [/^answer 1$/, /^answer 2$/],
    },
    {
      name: 'the caller adds something during the answer: one answer to both',
      async play(place) {
        const release = place.hold()
        await place.say('alice', '@kiki which train?')
        await place.asked(1)
        await place.say('alice', 'to Kyoto, I mean')
        release()
      },
      sees: [/▶ .*alice[\s\S]*which train\?/, 'to Kyoto, I mean'],
      posts: [/^answer \d$/],
    },
    {
      name: 'another person talks during the answer: the answer is to the caller alone',
      async play(place) {
        const release = place.hold()
        await place.say('alice', '@kiki which train?')
        await place.asked(1)
        await place.say('bob', 'good morning everyone')
        release()
      },
      each: [[/▶ .*alice/]],
    },
    {
      name: 'two commands at once: two answers',
      async play(place) {
        await place.say('alice', '!roll d6')
        await place.say('bob', '!roll d20')
      },
      posts: [/alice rolls d6/, /bob rolls d20/],
      anywhere: true,
    },
    {
      name: 'a command and a call at once: two answers',
      async play(place) {
        await place.say('alice', '!roll d6')
        await place.say('bob', '@kiki which train?')
      },
      sees: [/▶ .*bob/],
      hides: [/▶ .*alice/],
      posts: [/alice rolls d6/, /^answer 1$/],
      anywhere: true,
    },
  ],
  { plugins: () => [dice()] },
)
