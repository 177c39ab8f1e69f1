/** Buttons and reactions for answers, with the real client on the Slack emulator. */
import reply from '@kikimimi/reply'
import type { SlackEmulator } from '@kikimimi/slack/testing'
import { scriptedModel } from 'kikimimi/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import slackPlugin from './index.ts'
import { type BotOnSlack, startOnSlack } from './test-bot.ts'

let kiki: BotOnSlack
let slack: SlackEmulator
let count = 0

async function start(buttons: 'direct' | 'everywhere' | 'off' = 'everywhere'): Promise<void> {
  count = 0
  kiki = await startOnSlack({
    plugin: ({ botToken, appToken, apiUrl }) => slackPlugin({ botToken, appToken, apiUrl, buttons }),
    responder: reply(),
    config: { models: { chat: scriptedModel(() => `answer ${++count}`) } },
  })
  slack = kiki.slack
}
beforeEach(() => start())
afterEach(() => kiki[Symbol.asyncDispose]())

const only = () => slack.posted[0] ?? { ts: '', channel: '', text: '' }

async function ask(): Promise<string> {
  await slack.say({ author: 'alice', channel: 'general', text: 'why?', mention: true })
  await expect.poll(() => slack.posted.length).toBe(1)
  return only().ts
}

const toldAlone = (person: string) => slack.seen('general').filter(({ onlyFor }) => onlyFor === person)

describe('an answer', () => {
  test('has its buttons as blocks, and its text for notifications', async () => {
    await ask()
    const { args } = slack.calls.find(({ method }) => method === 'chat.postMessage') ?? {}
    const blocks = JSON.parse(String(args?.blocks))
    expect(args?.text).toBe('answer 1')
    expect(blocks).toMatchObject([
      { type: 'section', text: { type: 'mrkdwn', text: 'answer 1' } },
      { type: 'actions', elements: ['why', 'again', 'shorter', 'delete'].map(name => ({ action_id: `kiki:${name}` })) },
      { type: 'context_actions', elements: [{ type: 'feedback_buttons', positive_button: { value: 'helpful' } }] },
    ])
  })

  test('is written again in its place', async () => {
    const ts = await ask()
    expect(await slack.press('alice', 'general', ts, 'kiki:again')).toBe(true)
    await expect.poll(() => slack.posted.map(({ text }) => text)).toEqual(['answer 2'])
    expect(only().ts).toBe(ts)
    await expect.poll(() => toldAlone('alice')).toMatchObject([{ text: 'I am writing it again.' }])
    await slack.press('alice', 'general', ts, 'kiki:shorter')
    await expect.poll(() => slack.posted.map(({ text }) => text)).toEqual(['answer 3'])
  })

  test('is deleted by the person who asked, and by nobody else', async () => {
    const ts = await ask()
    await slack.press('bob', 'general', ts, 'kiki:delete')
    await expect.poll(() => toldAlone('bob')).toMatchObject([{ text: expect.stringContaining('Only the person who asked') }])
    expect(slack.posted).toHaveLength(1)
    await slack.press('alice', 'general', ts, 'kiki:delete')
    await expect.poll(() => slack.posted).toEqual([])
    await slack.press('alice', 'general', ts, 'kiki:delete')
    await expect.poll(() => toldAlone('alice').at(-1)?.text).toContain('no record of that answer')
  })

  test('gets a vote by the feedback buttons', async () => {
    const ts = await ask()
    await slack.press('bob', 'general', ts, 'kiki:feedback', 'helpful')
    await expect.poll(() => toldAlone('bob')).toMatchObject([{ text: 'Thank you. I learn from that.' }])
  })

  test('is explained to the person alone who chooses so in the menu of a message', async () => {
    const ts = await ask()
    expect(await slack.useMenu('bob', 'general', ts, 'kiki:explain-this')).toBe(true)
    await expect.poll(() => toldAlone('bob')).toMatchObject([{ text: 'answer 2' }])
    expect(slack.posted).toHaveLength(1)
    // A message from before the bot was there, and an entry that the bot does not have.
    expect(await slack.useMenu('bob', 'general', '1.000001', 'kiki:explain-this')).toBe(true)
    await expect.poll(() => toldAlone('bob').at(-1)?.text).toContain('do not have that message')
    expect(await slack.useMenu('bob', 'general', ts, 'kiki:gone')).toBe(true)
    await expect.poll(() => toldAlone('bob').at(-1)?.text).toContain('I do not have the command “gone”')
  })

  test('is deleted by a reaction of the person who asked', async () => {
    const ts = await ask()
    await slack.react('alice', 'general', ts, 'wastebasket')
    await expect.poll(() => slack.posted).toEqual([])
  })
})

test('a press that is no command, of no answer or malformed does nothing', async () => {
  const ts = await ask()
  for (const [action, value] of [
    ['kiki:no-such-command', undefined],
    ['kiki:', undefined],
    ['kiki:delete everything', undefined],
    ['kiki:feedback', 'stop'],
    ['kiki:feedback', undefined],
  ] as const)
    expect(await slack.press('alice', 'general', ts, action, value)).toBe(true)
  await slack.press('alice', 'general', '1700000000.000001', 'kiki:delete')
  await expect.poll(() => toldAlone('alice').map(({ text }) => text)).toContainEqual(expect.stringContaining('no record'))
  expect(slack.posted).toHaveLength(1)
})

test('a press of a second in the same moment does not make a second answer', async () => {
  const ts = await ask()
  await Promise.all([slack.press('alice', 'general', ts, 'kiki:again'), slack.press('alice', 'general', ts, 'kiki:again')])
  await expect.poll(() => slack.posted.map(({ text }) => text)).not.toEqual(['answer 1'])
  expect(slack.posted).toHaveLength(1)
})

test('buttons stand where the option says', async () => {
  await kiki[Symbol.asyncDispose]()
  await start('direct')
  await ask()
  await slack.say({ author: 'alice', channel: '@alice', text: 'and here?' })
  await expect.poll(() => slack.posted.length).toBe(2)
  const posts = slack.calls.filter(({ method }) => method === 'chat.postMessage' || method === 'chat.update')
  expect(posts.filter(({ args }) => String(args.blocks ?? '').includes('kiki:again'))).toHaveLength(1)
})
