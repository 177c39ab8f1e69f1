/** Pinned messages and shared files of a channel as a source, on both platforms. */
import discordPlugin from '@kikimimi/discord'
import { startDiscord } from '@kikimimi/discord/testing'
import reply from '@kikimimi/reply'
import slackPlugin from '@kikimimi/slack'
import { startSlack } from '@kikimimi/slack/testing'
import { type Plugin, startBot } from 'kikimimi'
import { collectLog, openTestDatabase, promptOf, scriptedModel } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import knowledge from './index.ts'

/** What people do on a platform. A message has the channel `handbook` unless another one is given. */
interface People extends AsyncDisposable {
  readonly platform: string
  readonly plugin: Plugin
  say(author: string, text: string, how?: { channel?: string; file?: string; unheard?: boolean }): Promise<string>
  ask(text: string, channel: string): Promise<unknown>
  pin(message: string): Promise<void>
  unpin(message: string): void
  edit(message: string, text: string): Promise<void>
  remove(message: string): Promise<void>
  answers(): readonly string[]
  /** The end of the address of a message of `handbook`. */
  link(message: string): string
}

async function onDiscord(): Promise<People> {
  const discord = await startDiscord({ guilds: [{ name: 'team', channels: ['general', 'handbook'] }] })
  discord.channel({ name: 'board', private: true })
  return {
    platform: 'discord',
    plugin: discordPlugin({ token: discord.token, apiUrl: discord.apiUrl }),
    async say(author, text, { channel = 'handbook', file, unheard = false } = {}) {
      const attachments = file === undefined ? [] : [{ name: file, type: 'text/markdown', data: Buffer.from(text) }]
      return discord.say({ author, text: file === undefined ? text : '', channel, unheard, attachments })
    },
    ask: async (text, channel) => discord.say({ author: 'bob', text: `@kiki ${text}`, channel }),
    pin: async message => discord.pin(message, 'carol'),
    unpin: message => discord.unpin(message),
    edit: async (message, text) => discord.edit(message, text),
    remove: async message => discord.delete(message),
    answers: () => discord.posted.map(({ text }) => text),
    link: message => `/${discord.id('handbook')}/${message}`,
    [Symbol.asyncDispose]: () => discord.close(),
  }
}

async function onSlack(): Promise<People> {
  const slack = await startSlack()
  slack.channel('board', 'private')
  const channels = new Map<string, string>()
  const placeOf = (message: string) => channels.get(message) ?? 'handbook'
  const { botToken, appToken, apiUrl } = slack
  return {
    platform: 'slack',
    plugin: slackPlugin({ botToken, appToken, apiUrl }),
    async say(author, text, { channel = 'handbook', file, unheard = false } = {}) {
      const files = file === undefined ? [] : [{ name: file, mimetype: 'text/markdown', content: Buffer.from(text) }]
      const message = { author, text: file === undefined ? text : '', channel, quietly: unheard }
      const { ts } = await slack.say({ ...message, ...(files.length > 0 && { files }) })
      channels.set(ts, channel)
      return ts
    },
    ask: (text, channel) => slack.say({ author: 'bob', text, channel, mention: true }),
    pin: message => slack.pin('carol', placeOf(message), message),
    unpin: message => slack.unpin(placeOf(message), message),
    edit: (message, text) => slack.edit(placeOf(message), message, text),
    remove: message => slack.delete(placeOf(message), message),
    answers: () => slack.posted.map(({ text }) => text),
    link: message => `${new URL(apiUrl).origin}/archives/${slack.channel('handbook').id}/p${message.replace('.', '')}`,
    [Symbol.asyncDispose]: () => slack.close(),
  }
}

test.each([
  ['Discord', onDiscord],
  ['Slack', onSlack],
])('pins and files of a channel on %s answer those who may read it, until they are gone', async (_name, open) => {
  await using people = await open()
  const code = await people.say('alice', 'The code of the archive door is 4711.', { unheard: true })
  await people.pin(code)
  const budget = await people.say('alice', 'The board has a budget of 900 euros.', { channel: 'board', unheard: true })
  await people.pin(budget)

  await using scope = new AsyncDisposableStack()
  const db = scope.adopt(await openTestDatabase(), opened => opened.close())
  const log: string[] = []
  const model = scriptedModel(request => {
    const passage = /^> (.+)$/m.exec(promptOf(request).split('From the documents')[1] ?? '')?.[1]
    return passage ? `${passage} [1]` : 'I do not know.'
  })
  const sources = [{ channel: '#handbook' }, { channel: 'board', files: false }]
  const bot = scope.use(
    await startBot(
      {
        persona: { name: 'kiki' },
        plugins: [people.plugin, knowledge({ sources, every: '1s' }), reply()],
        models: { chat: model },
      },
      { db, env: {}, log: collectLog(log), serves: false },
    ),
  )
  /** Waits until the index has these texts and no others. The time limit of the test ends the wait. */
  async function indexed(...texts: readonly RegExp[]): Promise<void> {
    for (;;) {
      const { rows } = await db.query<{ text: string }>('select text from knowledge.passage')
      if (rows.length === texts.length && texts.every(one => rows.some(({ text }) => one.test(text)))) return
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
  async function answerTo(text: string, channel: string): Promise<string> {
    const { length } = people.answers()
    await people.ask(text, channel)
    while (people.answers().length === length) await new Promise(resolve => setTimeout(resolve, 5))
    return people.answers().at(-1) ?? ''
  }

  await indexed(/4711/, /900 euros/)
  const answer = await answerTo('what is the code of the archive door?', 'general')
  expect(answer).toMatch(/^The code of the archive door is 4711\. \[1\]\n\n\[1\] handbook, \d{4}-\d\d-\d\d <?https?:\S+$/)
  expect(answer).toContain(people.link(code))
  expect(await answerTo('what budget does the board have?', 'board')).toContain('900 euros')
  expect(await answerTo('what budget does the board have?', 'general')).toBe('I do not know.')

  // A file that is shared, and a message that is heard and pinned.
  const file = await people.say('alice', '# Trains\n\nThe first train to Ueno leaves at 06:15.', { file: 'trains.md' })
  const room = await people.say('dora', 'The room Fuji has twelve chairs.')
  await people.pin(room)
  await indexed(/4711/, /900 euros/, /06:15/, /twelve chairs/)
  const train = await answerTo('when does the first train to Ueno leave?', 'general')
  expect(train).toMatch(/06:15\. \[1\]\n\n\[1\] trains\.md › Trains/)
  expect(train).toContain(people.link(file))

  await people.edit(room, 'The room Fuji has thirty chairs.')
  await people.edit(code, 'The code of the archive door is 5822.')
  await indexed(/5822/, /900 euros/, /06:15/, /thirty chairs/)
  await people.remove(file)
  people.unpin(budget)
  await indexed(/5822/, /thirty chairs/)

  // Whoever is forgotten stays it, although the messages are still pinned.
  const { rows } = await db.query<{ author: string; text: string }>(
    'select d.author, p.text from knowledge.document d join knowledge.passage p on p.document = d.id',
  )
  const authors = new Map(rows.map(({ author, text }) => [/\d{4}|thirty/.exec(text)?.[0], author]))
  await bot.forget({ platform: people.platform, id: authors.get('5822') ?? '' })
  await indexed(/thirty chairs/)
  const looked = async () => (await db.query<{ at: Date }>('select min(checked_at) as at from knowledge.source')).rows[0]?.at
  const before = await looked()
  while (String(await looked()) === String(before)) await new Promise(resolve => setTimeout(resolve, 20))
  await indexed(/thirty chairs/)
  await bot.forget({ platform: people.platform, id: authors.get('thirty') ?? '' })
  await indexed()
  // The first look may come before the connection; no document of a channel that was found is unreadable.
  expect(log.join('\n')).not.toMatch(/(?:#handbook|#board): .* cannot be read/)
})
