import { situations } from './situation.ts'

const call = (name: string, text: string) => ({
  name,
  play: async (place: { say(author: string, text: string): Promise<string> }) => {
    await place.say('alice', 'we are hungry')
    await place.say('bob', text)
  },
  sees: [/▶ .*bob/, text, 'we are hungry'],
})

const talk = (name: string, text: string) => ({
  name,
  play: async (place: { say(author: string, text: string): Promise<string> }) => {
    await place.say('bob', text)
  },
  posts: [],
})

situations('Names in speech', [
  call('the name in the middle of an English sentence', 'nice, kiki what time does the ramen place close?'),
  call('the name at the end of an English question', 'what time does it close, kiki?'),
  call('the name at the beginning', 'kiki, what time does it close?'),
  call('the name in Japanese before a request', 'うん、じゃあキキ教えて'),
  call('the name in Japanese at the beginning', 'キキ、ラーメン屋は何時までですか？'),
  call('the name in Japanese with an honorific', 'ねえキキさん、明日の天気は？'),
  talk('a sentence about the bot in English', 'I told my sister about kiki yesterday.'),
  talk('a sentence about the bot in Japanese', '昨日キキの話をしました。'),
])
