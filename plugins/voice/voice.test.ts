import addressing from '@kikimimi/addressing'
import discordPlugin from '@kikimimi/discord'
import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import type { Recording } from 'kikimimi/model'
import { type PlatformBot, platformBot } from 'kikimimi/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import voice from './index.ts'
import { pitchOfFile, pitchOfPackets, spokenTone, toneFile } from './test-sounds.ts'

/** What people say, by the pitch of the tone that stands for it. */
const SAID = new Map([
  [300, 'kiki, when does the train leave?'],
  [500, 'the weather is fine'],
  [700, '[BLANK_AUDIO]'],
])
const CALL = spokenTone(300, 1_000)
const TALK = spokenTone(500, 1_000)
const NOISE = spokenTone(700, 1_000)
/** The voice of the bot. */
const PITCH = 440

let discord: DiscordEmulator
let kiki: PlatformBot
let recordings: Recording[]
/** What the model for speech was asked to say. */
let spoken: string[]
/** Faults of the models. */
let broken: { transcribe?: Error; speak?: Error }
/** How long the bot speaks, in milliseconds. */
let length: number

beforeEach(async () => {
  recordings = []
  spoken = []
  broken = {}
  length = 300
  discord = await startDiscord({
    guilds: [
      {
        name: 'team',
        channels: [
          'general',
          { name: 'Lounge', type: 'voice' },
          { name: 'Office', type: 'voice' },
          { name: 'Stage', type: 'voice', denied: ['Speak'] },
        ],
      },
    ],
  })
})
afterEach(async () => {
  await kiki.bot.stop()
  await discord.close()
})

async function start(options?: Parameters<typeof voice>[0]): Promise<void> {
  kiki = await platformBot({
    database: 'memory',
    plugins: [discordPlugin({ token: discord.token, apiUrl: discord.apiUrl }), addressing(), voice(options)],
    answer: ({ message }) => ({ kind: 'text', text: `At **nine**, ${message.author.name}.` }),
    models: {
      transcribe: {
        name: 'scribe',
        async transcribe(recording) {
          recordings.push(recording)
          if (broken.transcribe) throw broken.transcribe
          return SAID.get(pitchOfFile(recording.data)) ?? `a tone of ${pitchOfFile(recording.data)}`
        },
      },
      speak: {
        name: 'larynx',
        async speak(text) {
          spoken.push(text)
          if (broken.speak) throw broken.speak
          return { data: toneFile(PITCH, length), type: 'audio/wav' }
        },
      },
    },
  })
}

/** What the bot answers to a command. */
async function command(author: string, text: string): Promise<string> {
  const used = discord.command({ author, name: 'kiki', text, channel: 'general' })
  await discord.until(() => used.answers.length > 0)
  return used.answers.join('\n')
}

const texts = (channel: string) => discord.posted.filter(one => one.channel === discord.id(channel)).map(({ text }) => text)
const warned = (text: string) => kiki.log.some(line => line.includes('"level":"warn"') && line.includes(text))
const heardSince = (count: number) => discord.voice.heard.slice(count)
function database() {
  const { db } = kiki.bot
  if (!db) throw new Error('The bot has no database.')
  return db
}
/** Messages of people in the log of the bot, without those that are erased. */
const recorded = async () =>
  (
    await database().query<{ text: string }>(`select text from kikimimi_v1.message where not own and text <> '' order by seq`)
  ).rows.map(({ text }) => text)
const consents = async () => (await database().query('select person from voice.consent')).rows.length

/** Alice allows it, and the bot listens to her in the lounge. It has said so. */
async function listening(): Promise<void> {
  await command('alice', 'voice on')
  discord.voice.enter('alice', 'Lounge')
  expect(await command('alice', 'join')).toBe('I’m in Lounge.')
  await discord.until(() => spoken.length > 0 && discord.voice.heard.length >= 15 && !discord.voice.isSpeaking)
  spoken.length = 0
}

test('hears a person who allows it as a message in the chat of the voice channel, and answers in text and aloud', async () => {
  await start()
  discord.voice.enter('bob', 'Lounge')
  expect(await command('bob', 'join')).toContain('nobody in that voice channel does')
  await listening()
  expect(texts('Lounge')).toEqual([expect.stringContaining('I’m listening here, to alice alone')])
  const before = discord.voice.heard.length

  // Nothing of what bob says is read, because he has not allowed it.
  await discord.voice.say('bob', CALL)
  await discord.voice.say('alice', NOISE)
  await discord.until(() => recordings.length > 0)
  await discord.voice.say('alice', CALL)
  await discord.until(() => heardSince(before).length >= 15 && !discord.voice.isSpeaking)
  expect(recordings.map(({ type, data }) => [type, pitchOfFile(data)])).toEqual([
    ['audio/wav', 700],
    ['audio/wav', 300],
  ])
  expect(await recorded()).toEqual(['kiki, when does the train leave?'])
  expect(kiki.turns.map(({ message, conversation, addressed }) => [message.author.name, conversation.name, addressed])).toEqual([
    ['alice', 'Lounge', 'name'],
  ])
  expect(texts('Lounge').slice(1)).toEqual(['At **nine**, alice.'])
  expect(spoken).toEqual(['At nine, alice.'])
  expect(pitchOfPackets(heardSince(before))).toBe(PITCH)
  const [trace] = await kiki.bot.traces()
  expect(JSON.stringify(trace)).toContain('said aloud, and written down by a model: 1 of 1 messages')

  // Discord does not know the message that was said aloud.
  expect(discord.calls.filter(({ status }) => status >= 400)).toEqual([])
})

test('stops to speak when somebody begins to, and to listen when it is told to', async () => {
  await start()
  await listening()
  length = 60_000
  const before = discord.voice.heard.length
  await discord.voice.say('alice', CALL)
  await discord.until(() => heardSince(before).length >= 20)
  // Bob has allowed nothing: only that he speaks is known.
  discord.voice.enter('bob', 'Lounge')
  await discord.voice.say('bob', TALK)
  await discord.until(() => !discord.voice.isSpeaking)
  expect(heardSince(before).length).toBeLessThan(2_000)

  // The rest of the sentence is dropped.
  const heard = recordings.length
  await discord.voice.say('alice', TALK.slice(0, 25))
  expect(await command('alice', 'voice off')).toContain('don’t listen')
  await discord.until(() => discord.voice.bot === undefined)
  expect(recordings.length).toBe(heard)
  expect(await consents()).toBe(0)
})

test('leaves when nobody is there who allows it, and forgets a consent with the person', async () => {
  await start({ channels: ['Lounge'] })
  await command('alice', 'voice on')
  await command('bob', 'voice on')
  discord.voice.enter('carol', 'Lounge')
  discord.voice.enter('alice', 'Lounge')
  await discord.until(() => texts('Lounge').length > 0)
  discord.voice.enter('bob', 'Lounge')
  await discord.until(() => texts('Lounge').length > 1)
  expect(texts('Lounge')).toEqual([expect.stringContaining('to alice alone'), 'From now on I listen to bob too.'])
  discord.voice.exit('alice')
  await discord.voice.say('bob', TALK)
  await discord.until(() => recordings.length > 0)

  // Bob is forgotten, so only carol is left.
  await expect.poll(recorded).toEqual(['the weather is fine'])
  await kiki.bot.forget({ platform: 'discord', id: kikiIdOf('bob') })
  await discord.until(() => discord.voice.bot === undefined)
  await expect.poll(recorded).toEqual([])
  expect(await consents()).toBe(1)

  // Sent away, it does not come back while people are there.
  discord.voice.enter('alice', 'Lounge')
  await discord.until(() => discord.voice.bot === 'Lounge' && texts('Lounge').length > 2)
  expect(await command('carol', 'leave')).toBe('I have left the voice channel.')
  expect(await command('carol', 'leave')).toBe('I’m in no voice channel.')
  discord.voice.enter('alice', 'Office')
  discord.voice.enter('alice', 'Lounge')
  await command('carol', 'voice')
  expect(discord.voice.bot).toBeUndefined()
  discord.voice.exit('bob')
  discord.voice.exit('carol')
  discord.voice.exit('alice')
  await command('carol', 'voice')
  discord.voice.enter('alice', 'Lounge')
  await discord.until(() => discord.voice.bot === 'Lounge')
})

test('faults of the models are logged and change nothing else, and a message costs no statement', async () => {
  await start()
  await listening()
  broken = { transcribe: Object.assign(new Error('no'), { status: 400 }) }
  await discord.voice.say('alice', CALL)
  await discord.until(() => warned('what a person said could not be written down'))
  broken = { speak: Object.assign(new Error('no'), { status: 400 }) }
  await discord.voice.say('alice', CALL)
  await discord.until(() => warned('an answer could not be spoken'))
  expect(texts('Lounge').slice(1)).toEqual(['At **nine**, alice.'])
  expect(discord.voice.isConnected).toBe(true)

  // Messages cost the plugin no statement: without its table, nothing fails.
  await database().query('alter table voice.consent rename to gone')
  discord.say({ author: 'alice', text: '@kiki hello', channel: 'Lounge' })
  await discord.until(() => texts('Lounge').length === 3)
  await database().query('alter table voice.gone rename to consent')
  expect(kiki.log.join()).not.toContain('voice.consent')

  discord.voice.enter('alice', 'Stage')
  expect(await command('alice', 'join')).toBe('I lack permissions in that voice channel: Speak.')
  discord.voice.exit('alice')
  expect(await command('alice', 'join')).toContain('You are in no voice channel')
})

function kikiIdOf(name: string): string {
  const { user } = discord.command({ author: name, name: 'kiki', text: 'voice', channel: 'general' })
  return user.id
}
