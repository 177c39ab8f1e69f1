import { type TestBotOptions, testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { borrowedProfiles, place } from '../test-people.ts'
import { topicsOf } from './topics.ts'

const topics = (...texts: string[]) => topicsOf(texts, { limit: 5, except: ['kiki', 'Bob Smith'] })

describe('the topics of a conversation', () => {
  test('are the most frequent words, in their spelling', () => {
    expect(
      topics(
        'I am setting up GitHub Actions for our CI/CD',
        'GitHub Actions is slow today',
        'the CI/CD cache helps, the caches too',
      ),
    ).toEqual(['GitHub Actions', 'CI/CD', 'setting', 'slow', 'cache'])
    expect(topics('昨日からRustの非同期処理を書いています', '非同期はむずかしいけどRustは楽しいです')).toEqual([
      'Rust',
      '非同期',
      '処理',
    ])
    expect(topics('新しいキーボードを買いました', 'キーボードの配列が好きです')).toEqual(['キーボード', '配列'])
  })

  test('are no greetings, grammar, numbers, or names of people', () => {
    expect(topics('hello everyone, how are you today?', 'ok thanks', 'lol yes', '12:30 then', 'it’s what I’ve said')).toEqual([])
    expect(topics('お疲れ様です。今日は大丈夫ですか', 'はい、ありがとうございます', 'そうですね')).toEqual([])
    expect(topics('@kiki hello', 'Kiki, say hello to @carol', 'thanks Bob, thanks Smith', '<@123> <#45> :party:')).toEqual([])
  })

  test('are not from code, addresses or pasted text', () => {
    expect(
      topics('see https://example.com/docs/install', '`npm start` or\n```\nconst answer = 42\n```', `${'x '.repeat(500)} secret`),
    ).toEqual([])
  })
})

describe('the last conversation', () => {
  async function talking(options: Parameters<typeof borrowedProfiles>[0] = {}, more: TestBotOptions = {}) {
    const borrowed = borrowedProfiles(options)
    const bot = await testBot({ ...more, plugins: borrowed.plugins })
    const topics = async (reader = place()) => (await borrowed.known('alice', reader)).topics
    return { ...borrowed, bot, topics, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
  }

  test('ends after half an hour of silence; a running one does not count', async () => {
    await using t = await talking()
    await t.bot.say('alice', 'my tomatoes are growing')
    await t.bot.pass('29m')
    await t.bot.say('alice', 'tomatoes need sun')
    await t.bot.pass('29m')
    expect(await t.topics()).toEqual([])
    await t.bot.pass('1m')
    expect(await t.topics()).toEqual(['tomatoes', 'growing', 'sun'])
    await t.bot.say('alice', 'a printer is on fire')
    expect(await t.topics()).toEqual(['tomatoes', 'growing', 'sun'])
    await t.bot.pass('1h')
    expect(await t.topics()).toEqual(['printer', 'fire'])
  })

  test('is recognised without a read in between', async () => {
    await using t = await talking({ writeEvery: '1d' })
    await t.bot.say('alice', 'my tomatoes are growing')
    await t.bot.pass('40m')
    await t.bot.say('alice', 'a printer is on fire')
    expect(await t.topics()).toEqual(['tomatoes', 'growing'])
  })

  test('is that of the person, independent of others', async () => {
    await using t = await talking()
    await t.bot.say('alice', 'my tomatoes are growing')
    await t.bot.say('bob', 'submarine submarine')
    await t.bot.say('alice', 'Bob, your tomatoes are growing too')
    await t.bot.pass('20m')
    await t.bot.say('bob', 'submarine')
    await t.bot.pass('10m')
    // Names of other authors are no topics.
    expect(await t.topics()).toEqual(['tomatoes', 'growing'])
  })

  test('keeps its topics if only a few words follow', async () => {
    await using t = await talking()
    await t.bot.say('alice', 'my tomatoes are growing')
    await t.bot.pass('1h')
    await t.bot.say('alice', 'ok thanks')
    await t.bot.pass('1h')
    expect(await t.topics()).toEqual(['tomatoes', 'growing'])
  })

  test('has at most five words', async () => {
    await using t = await talking()
    await t.bot.say('alice', 'tomatoes, submarines, bicycles, printers, umbrellas and lighthouses')
    await t.bot.pass('30m')
    expect(await t.topics()).toEqual(['tomatoes', 'submarines', 'bicycles', 'printers', 'umbrellas'])
  })

  test('survives a restart', async () => {
    await using t = await talking({}, { storage: 'pglite' })
    await t.bot.say('alice', 'my tomatoes are growing')
    await t.bot.pass('10m')
    await t.bot.restart()
    await t.bot.say('alice', 'tomatoes need sun')
    await t.bot.pass('30m')
    expect(await t.topics()).toEqual(['tomatoes', 'growing', 'sun'])
  })

  test('excludes deleted and edited messages, before its end and after', async () => {
    await using t = await talking()
    const early = await t.bot.say('alice', 'the passphrase is swordfish')
    const late = await t.bot.say('alice', 'my bicycle was stolen')
    const edited = await t.bot.say('alice', 'my tomatoes are growing')
    await t.bot.remove(early)
    await t.bot.pass('1h')
    expect(await t.topics()).toEqual(['bicycle', 'stolen', 'tomatoes', 'growing'])
    await t.bot.remove(late)
    expect(await t.topics()).toEqual(['tomatoes', 'growing'])
    await t.bot.edit(edited, 'my cucumbers are growing')
    expect(await t.topics()).toEqual(['cucumbers', 'growing'])
    await t.bot.remove(edited)
    expect(await t.topics()).toEqual([])
  })
})
