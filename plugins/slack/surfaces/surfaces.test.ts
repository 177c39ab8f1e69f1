/** The assistant pane and the Home tab, with the real client on the Slack emulator. */
import facts from '@kikimimi/facts'
import quiet from '@kikimimi/quiet'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import { startSlack } from '@kikimimi/slack/testing'
import type { BotConfig } from 'kikimimi'
import { lendTestDatabase, promptOf, scriptedModel } from 'kikimimi/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type BotOnSlack, overSocket, startOnSlack } from '../test-bot.ts'

let kiki: BotOnSlack
const ends: (() => PromiseLike<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function start(given: Parameters<typeof startOnSlack>[0] = {}): Promise<BotOnSlack> {
  kiki = await startOnSlack(given)
  ends.push(() => kiki[Symbol.asyncDispose]())
  return kiki
}

/** A bot with commands about memory. */
async function withMemory(access: BotConfig['access'] = {}): Promise<BotOnSlack> {
  const slack = await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } })
  const plugins = [overSocket(slack), facts(), remember(), quiet(), reply()]
  const lent = await lendTestDatabase(plugins)
  ends.push(
    () => lent[Symbol.asyncDispose](),
    () => slack.close(),
  )
  const models = { chat: scriptedModel('Noted.') }
  return start({
    there: slack,
    parts: { db: lent.db },
    config: { access, plugins, models },
  })
}

const shownTo = (person: string) => JSON.stringify(kiki.slack.home(person)?.blocks ?? [])
const infos = () => kiki.log.filter(line => /assistant pane|Home tab/.test(line))

describe('the assistant pane', () => {
  test('suggests questions, and has the first question as its title', async () => {
    const { slack } = await start()
    slack.channel('general')
    const { ts } = await slack.openAssistant('alice')
    await expect
      .poll(() => slack.pane(ts).prompts)
      .toMatchObject([{ title: 'What did I miss?' }, { title: 'What do you know about me?' }])
    await slack.say({
      author: 'alice',
      channel: '@alice',
      text: 'when does the train leave, and from which platform exactly does it go?',
      thread: ts,
    })
    await expect.poll(() => slack.pane(ts).title).toBe('when does the train leave, and from which platform exactly …')
    await slack.say({ author: 'alice', channel: '@alice', text: 'thanks', thread: ts })
    await expect.poll(() => slack.posted.length).toBe(2)
    expect(slack.pane(ts).title).toMatch(/^when does/)
  })

  test('tells the model which channel the person looks at', async () => {
    const model = scriptedModel('About lunch.')
    const { slack } = await start({ responder: reply(), config: { models: { chat: model } } })
    await slack.say({ author: 'bob', channel: 'general', text: 'lunch?' })
    const { ts } = await slack.openAssistant('alice')
    await slack.assistantContext('alice', ts, 'general')
    await slack.say({ author: 'alice', channel: '@alice', text: 'what is it about?', thread: ts })
    await expect.poll(() => slack.posted.length).toBe(1)
    expect(promptOf(model.asked[0])).toContain('The person looks at #general while they write here.')
  })

  test('works without the scope, and the operator reads it once', async () => {
    const { slack } = await start({
      before: slack => slack.fail('assistant.threads.setSuggestedPrompts', { error: 'missing_scope' }, 9),
    })
    for (const person of ['alice', 'bob']) await slack.openAssistant(person)
    await expect.poll(infos).toHaveLength(1)
    expect(infos()[0]).toContain('add the scope assistant:write')
  })
})

describe('the Home tab', () => {
  test('shows what the bot is, and no section whose command is missing', async () => {
    const { slack } = await start()
    await slack.openHome('alice')
    await expect.poll(() => shownTo('alice')).toContain('I listen in the channels')
    expect(shownTo('alice')).not.toMatch(/What I know about you|home:/)
  })

  test('shows what the bot knows about the person, with buttons for its commands', async () => {
    const { slack } = await withMemory()
    await slack.openHome('alice')
    await expect.poll(() => shownTo('alice')).toContain('What I know about you')
    for (const name of ['quiet', 'talk', 'opt-out', 'forget-me']) expect(shownTo('alice')).toContain(`home:${name}`)
    await slack.pressHome('alice', 'home:opt-out')
    await expect
      .poll(() => slack.home('alice')?.blocks[0])
      .toMatchObject({ text: { text: expect.stringMatching(/I do not listen to you/) } })
    expect(shownTo('bob')).toBe('[]')
  })

  test('asks for how long the bot is quiet, and tells what it understood', async () => {
    const { slack } = await withMemory()
    await slack.openHome('alice')
    await expect.poll(() => shownTo('alice')).toContain('home:quiet')
    await slack.pressHome('alice', 'home:quiet')
    await expect.poll(() => slack.forms.length).toBe(1)
    const [form] = slack.forms
    if (!form) throw new Error('no form')
    await slack.submit('alice', form, { for: '2h' })
    await expect
      .poll(() => slack.home('alice')?.blocks[0])
      .toMatchObject({ text: { text: expect.stringMatching(/2 hours|quiet/) } })
    await slack.submit('alice', form, { for: 'until the cows come home' })
    await expect.poll(() => shownTo('alice')).toContain('I do not understand the time')
  })

  test('has rows that are orders, for those who may give orders, and rows that protect a person, for everybody', async () => {
    const { slack } = await withMemory({ call: 'nobody', orders: ['admins'] })
    slack.user('anna').isAdmin = true
    for (const person of ['anna', 'bob']) {
      await slack.openHome(person)
      await expect.poll(() => shownTo(person)).toContain('What I know about you')
      await slack.pressHome(person, 'home:quiet')
      const form = await vi.waitFor(() => slack.forms.at(person === 'anna' ? 0 : 1) ?? Promise.reject(new Error('no form')))
      await slack.submit(person, form, { for: '2h' })
      await expect
        .poll(() => shownTo(person))
        .toMatch(person === 'anna' ? /2 hours|quiet until/ : /You may not give me this order/)
    }
    await slack.pressHome('bob', 'home:opt-out')
    await expect.poll(() => shownTo('bob')).toMatch(/I do not listen to you/)
  })

  test('lets admins change an option of a channel or of the workspace, and nobody else', async () => {
    const { slack } = await withMemory()
    slack.user('anna').isAdmin = true
    slack.channel('general')
    for (const person of ['anna', 'bob']) await slack.openHome(person)
    await expect.poll(() => shownTo('anna')).toContain('home:settings')
    await expect.poll(() => shownTo('bob')).toContain('home:quiet')
    expect(shownTo('bob')).not.toContain('home:settings')
    await slack.pressHome('anna', 'home:settings')
    await expect.poll(() => slack.forms.length).toBe(1)
    const [form] = slack.forms
    if (!form) throw new Error('no form')
    const told = () => JSON.stringify(slack.home('anna')?.blocks[0])
    await slack.submit('anna', form, { option: 'reply.history', value: '7', channel: 'general', scope: 'here' })
    await expect.poll(told).toMatch(/reply\.history.*7/)
    await slack.submit('anna', form, { option: 'reply.history', value: 'many', channel: 'general' })
    await expect.poll(told).toContain('many')
    await slack.submit('anna', form, { option: 'reply.history', channel: 'general' })
    await expect.poll(told).toMatch(/default/)
    // Pressed or submitted by hand, by somebody who may not.
    await slack.pressHome('bob', 'home:settings')
    await slack.submit(
      'bob',
      { ...form, private_metadata: slack.channel('@bob').id },
      { option: 'reply.history', value: '1', channel: 'general' },
    )
    await expect.poll(() => shownTo('bob')).toContain('That is for those who may manage the whole workspace')
    // A direct message, where everybody may change options.
    await slack.submit('anna', form, { option: 'reply.history', value: '9', channel: '@anna' })
    await slack.openHome('anna')
    await expect.poll(told).toContain('I listen in the channels')
    expect(shownTo('anna')).not.toContain('9')
  })

  test('ignores presses that are not of it, forms that it does not know, and a form that comes too late', async () => {
    const { slack } = await withMemory()
    await slack.openHome('alice')
    await expect.poll(() => shownTo('alice')).toContain('home:talk')
    for (const action of ['home:', 'home:stop', 'home:no-such-command', 'home:forget-me now'])
      await slack.pressHome('alice', action)
    expect(await slack.submit('alice', { type: 'modal', callback_id: 'home:other', blocks: [] }, { for: '2h' })).toBe(true)
    expect(
      await slack.submit(
        'alice',
        { type: 'modal', callback_id: 'home:quiet', private_metadata: 'CGENERAL', blocks: [] },
        { for: '2h' },
      ),
    ).toBe(true)
    slack.fail('views.open', { error: 'expired_trigger_id' }, 1)
    await slack.pressHome('alice', 'home:quiet')
    await expect.poll(infos).toMatchObject([expect.stringContaining('expired_trigger_id')])
    expect(slack.forms).toEqual([])
  })
})
