import { describe, expect, test } from 'vitest'
import {
  ChatCommands,
  definePlugin,
  type IncomingMessage,
  type Membership,
  MissedMessages,
  type PluginContext,
  Tools,
} from '../../api/index.ts'
import { explained } from '../../prompt/explain-trace.ts'
import { scriptedModel, type TestBot, testBot } from '../../testing/index.ts'

const RANKS: Readonly<Record<string, Membership['rank']>> = { olga: 'owner', ada: 'admin', alice: 'member', gus: 'guest' }
const TRUSTED = { id: 'R1', names: ['trusted'] }

/** The people of the platform. Others do not belong to it. */
function people(roles: Readonly<Record<string, readonly (typeof TRUSTED)[]>> = { alice: [TRUSTED] }) {
  const known = { roles, isBroken: false, lookups: 0 }
  const membership = async (_: unknown, { id }: { readonly id: string }): Promise<Membership | undefined> => {
    known.lookups++
    if (known.isBroken) throw new Error('the platform is down')
    const rank = RANKS[id]
    return rank && { rank, roles: () => known.roles[id] ?? [] }
  }
  return { known, membership }
}

const kiki = (options: Parameters<typeof testBot>[0] = {}) => {
  const { membership } = people()
  return testBot({
    plugins: [answers],
    pacing: { minWait: '4s', jitter: 0 },
    ...options,
    platform: { membership, ...options.platform },
  })
}

/** Answers each call, and joins every talk that it is asked about. */
const answers = definePlugin({
  name: 'answers',
  setup: () => ({
    address: ({ text }) => (/^kiki,/.test(text) ? 'name' : undefined),
    decide: ({ addressed }) => (addressed ? undefined : { kind: 'full', why: 'joins every talk' }),
    respond: ({ addressed }) => ({ kind: 'text', text: addressed ? 'answered' : 'joined' }),
  }),
})

async function said(bot: TestBot, author: string, text: string, how: Parameters<TestBot['say']>[2] = {}) {
  const before = bot.posted.length
  await bot.say(author, text, how)
  await bot.pass('10s')
  return bot.posted.slice(before).map(one => (one.kind === 'text' ? one.text : one.emoji))
}

describe('who may call', () => {
  test.each([
    ['everyone', ['olga', 'ada', 'alice', 'gus', 'stranger']],
    ['nobody', []],
    [[], []],
    [['owners'], ['olga']],
    [['admins'], ['olga', 'ada']],
    [['members'], ['olga', 'ada', 'alice']],
    [['guests'], ['gus']],
    [['role:trusted'], ['alice']],
    [['role:R1'], ['alice']],
    [['role:gone'], []],
    [
      ['person:stranger', 'owners'],
      ['olga', 'stranger'],
    ],
    ['owners, person:gus', ['olga', 'gus']],
  ])('%j', async (call, allowed) => {
    await using bot = await kiki({ access: { call } })
    const answered: string[] = []
    for (const person of ['olga', 'ada', 'alice', 'gus', 'stranger'])
      if ((await said(bot, person, '@kiki hello')).includes('answered')) answered.push(person)
    expect(answered).toEqual(allowed)
  })

  test('a refused call is talk: silent, recorded, and its trace names the rule', async () => {
    await using bot = await kiki({ access: { call: ['role:trusted'] } })
    expect(await said(bot, 'gus', '@kiki what do you think?')).toEqual([])
    const rule = 'access.call: only role:trusted, #general'
    const { addressed, decision, models, outcome } = await bot.trace()
    expect({ addressed, decision, models, outcome }).toMatchObject({
      addressed: undefined,
      decision: { kind: 'silent', why: rule, plugin: 'kikimimi-access' },
      models: [],
      outcome: 'silent',
    })
    expect(await bot.command('gus', 'why')).toContain(rule)
    // Other talk goes on.
    expect(await said(bot, 'gus', 'nice weather')).toEqual(['joined'])
    expect(await said(bot, 'alice', '@kiki hello')).toEqual(['answered'])
  })

  test('every way in', async () => {
    let lent: PluginContext | undefined
    const capturing = definePlugin({
      name: 'capturing',
      needs: [ChatCommands, MissedMessages],
      setup: ctx => {
        lent = ctx
      },
    })
    const past: IncomingMessage[] = []
    await using bot = await kiki({
      access: { call: ['role:trusted'] },
      plugins: [answers, capturing],
      platform: { membership: people().membership, past },
    })
    await bot.say('alice', '@kiki hello')
    const [answer] = bot.posted
    if (answer?.kind !== 'text') throw new Error('no answer')
    const direct = { channel: 'gus', visibility: 'direct' } as const
    expect(await said(bot, 'gus', '@kiki hello')).toEqual([])
    expect(await said(bot, 'gus', 'kiki, hello')).toEqual([])
    expect(await said(bot, 'gus', 'and?', { replyTo: { id: answer.id, author: 'bot' } })).toEqual([])
    expect(await said(bot, 'gus', 'hello', direct)).toEqual([])
    expect(await said(bot, 'gus', '@kiki hello', { thread: 't1' })).toEqual([])
    // An edit that adds a call.
    const talk = await bot.say('gus', 'hello')
    await bot.edit(talk, '@kiki hello')
    await bot.pass('10s')
    expect(bot.sent).toEqual(['answered'])
    expect((await bot.trace()).decision?.why).toBe('access.call: only role:trusted, #general')
    // Commands for an answer: by a button, and by a reaction.
    expect(await bot.command('gus', 'again', { message: answer.id })).toMatch(/^You may not call me here/)
    await bot.react('gus', answer.id, '🔁')
    await bot.pass('10s')
    expect(bot.sent).toEqual(['answered'])
    // A command whose text becomes a message.
    const conversation = {
      platform: 'test',
      workspace: 'team',
      channel: 'general',
      name: 'general',
      visibility: 'public',
    } as const
    const asked = (id: string, locale?: 'ja') =>
      lent?.use(ChatCommands).refusal({
        conversation,
        person: { id, name: id },
        text: locale ? '何がありましたか？' : 'what is new?',
        ...(locale && { locale }),
      })
    expect(await asked('gus')).toMatch(/^You may not call me here/)
    expect(await asked('gus', 'ja')).toMatch(/呼び出せません/)
    expect(await asked('alice')).toBeUndefined()
    // A call that was missed.
    const missed = {
      id: 'late',
      conversation,
      author: { id: 'gus', name: 'gus' },
      text: '@kiki hello',
      at: new Date(bot.clock.now()),
    }
    const catchUp = await lent?.use(MissedMessages).trackPosition(bot.platform)
    past.push({ ...missed, mentions: [bot.platform.me] })
    await catchUp?.()
    await bot.pass('10s')
    expect(bot.sent).toEqual(['answered'])
    expect((await lent?.history(conversation))?.find(({ id }) => id === 'late')).toMatchObject({
      text: '@kiki hello',
      missed: true,
    })
  })

  test.each([
    ['a command', 'call', undefined],
    ['a menu of messages', 'call', { at: 'message', label: { en: 'Explain' }, emoji: '📎' }],
    ['a button under an answer', 'call', { at: 'answer', label: { en: 'Explain' }, emoji: '🔎' }],
    ['a command that is an order', 'order', undefined],
    ['a menu that is an order', 'order', { at: 'message', label: { en: 'Explain' }, emoji: '📎' }],
    ['a button that is an order', 'order', { at: 'answer', label: { en: 'Explain' }, emoji: '🔎' }],
    ['a command that protects a person', 'always', undefined],
    ['a menu that protects a person', 'always', { at: 'message', label: { en: 'Explain' }, emoji: '📎' }],
  ] as const)('%s (%s)', async (_, access, on) => {
    const explaining = definePlugin({
      name: 'explaining',
      setup: () => ({
        commands: [
          {
            name: 'explain',
            does: { en: 'explains' },
            permission: 'everyone',
            access,
            ...(on && { on }),
            run: () => 'It is so.',
          },
        ],
      }),
    })
    await using bot = await kiki({ access: { call: ['role:trusted'], orders: ['admins'] }, plugins: [answers, explaining] })
    await bot.say('alice', '@kiki hello')
    const [answer] = bot.posted
    if (answer?.kind !== 'text') throw new Error('no answer')
    const told = (person: string) => bot.command(person, 'explain', on ? { message: answer.id } : {})
    const refusal = access === 'order' ? /^You may not give me this order/ : /^You may not call me here/
    for (const [person, isTrusted, isAdmin] of [
      ['gus', false, false],
      ['alice', true, false],
      ['ada', false, true],
    ] as const) {
      const may = access === 'always' || (access === 'order' ? isAdmin : isTrusted)
      expect([person, await told(person)]).toEqual([person, may ? 'It is so.' : expect.stringMatching(refusal)])
      if (!on) continue
      const before = bot.posted.length
      await bot.react(person, answer.id, on.emoji)
      await bot.pass('10s')
      if (!may) expect(bot.posted.length).toBe(before)
    }
  })

  test('an edit by a person who may call is answered, and takes a refusal back', async () => {
    const { known, membership } = people({})
    await using bot = await kiki({ access: { call: ['role:trusted'] }, platform: { membership } })
    const id = await bot.say('gus', '@kiki hello')
    await bot.pass('10s')
    known.roles = { gus: [TRUSTED] }
    await bot.edit(id, '@kiki hello!')
    await bot.pass('10s')
    expect(bot.sent).toEqual(['answered'])
  })

  test('in a channel, and as it is set in the chat', async () => {
    await using bot = await kiki({ access: { call: ['admins'], channels: { help: { call: 'everyone' } } } })
    expect(await said(bot, 'gus', '@kiki hello', { channel: 'help' })).toEqual(['answered'])
    expect(await said(bot, 'gus', '@kiki hello')).toEqual([])
    expect(await bot.command('ada', 'settings access.call role:trusted, owners here', { admin: true })).toContain('access.call')
    expect(await said(bot, 'alice', '@kiki hello')).toEqual(['answered'])
    expect(await said(bot, 'ada', '@kiki hello')).toEqual([])
    expect(await bot.command('ada', 'settings call member here', { admin: true })).toContain('Did you mean "members"?')
    expect(await bot.command('ada', 'settings access.tools {"gone":"nobody"}', { admin: true })).toContain('no tool of this name')
  })

  test('nobody opens the bot for a direct conversation in that conversation', async () => {
    await using bot = await kiki({ access: { call: ['owners'] } })
    const direct = { channel: 'gus', visibility: 'direct' } as const
    await bot.command('gus', 'settings call everyone', { ...direct, admin: true })
    expect(await said(bot, 'gus', 'hello', direct)).toEqual([])
  })

  test('a reload applies other rules', async () => {
    await using bot = await kiki({ access: { call: 'nobody' } })
    expect(await said(bot, 'alice', '@kiki hello')).toEqual([])
    expect(await bot.reload({ access: { call: 'everyone' } })).toMatchObject({ applied: ['access'] })
    expect(await said(bot, 'alice', '@kiki hello')).toEqual(['answered'])
  })

  test('a lookup that fails is a refusal, and the log says it once', async () => {
    const { known, membership } = people()
    await using bot = await kiki({ access: { call: ['role:trusted', 'person:gus'] }, platform: { membership } })
    known.isBroken = true
    expect(await said(bot, 'alice', '@kiki hello')).toEqual([])
    expect((await bot.trace()).decision?.why).toBe(
      'access.call: only role:trusted, one person, #general (what the person is could not be looked up)',
    )
    expect(await said(bot, 'alice', '@kiki hello')).toEqual([])
    expect(bot.log.filter(line => line.includes('could not be looked up'))).toHaveLength(1)
    // Nothing has to be looked up for a person who is named.
    expect(await said(bot, 'gus', '@kiki hello')).toEqual(['answered'])
    known.isBroken = false
    expect(await said(bot, 'alice', '@kiki hello')).toEqual(['answered'])
  })

  test('a platform without ranks and roles refuses what they allow, and another bot has no rank', async () => {
    await using bot = await testBot({ plugins: [answers], access: { call: ['members', 'person:gus'] } })
    expect(await said(bot, 'alice', '@kiki hello')).toEqual([])
    expect(await said(bot, 'gus', '@kiki hello')).toEqual(['answered'])
    await using other = await kiki({ access: { call: ['members'] }, listen: { bots: true } })
    expect(await said(other, 'alice', '@kiki hello', { bot: true })).toEqual([])
  })

  test('a message that is no call is looked up for nobody', async () => {
    const { known, membership } = people()
    await using bot = await kiki({
      access: { call: ['admins'], orders: ['admins'], tools: ['admins'] },
      platform: { membership },
    })
    await said(bot, 'alice', 'nice weather')
    expect(known.lookups).toBe(0)
  })

  test('a person can ask what they may do', async () => {
    await using bot = await kiki({ access: { call: ['admins'], orders: ['admins', 'person:gus'], callsPerHour: 5 } })
    expect(await bot.command('gus', 'access')).toBe(
      'Call me: no (access.call: only admins, #general)\nGive me orders: yes\nCalls in an hour: 5',
    )
    expect(await bot.command('ada', '権限', { locale: 'ja' })).toBe(
      '呼び出し：できます\n指示：できます\n1時間の呼び出し：5回まで',
    )
  })

  test('an admin can always stop the bot, and everybody can ask why', async () => {
    await using bot = await kiki({ access: { call: 'nobody', orders: 'nobody' } })
    expect(await bot.command('ada', 'stop', { admin: true })).toContain('I am stopped')
    expect(await bot.command('ada', 'settings call everyone', { admin: true })).toMatch(/^You may not give me this order/)
    expect(await bot.command('gus', 'help')).toContain('What you can tell me')
  })
})

test.each([
  [{ call: 'member' }, 'access.call: expected .* got "member". Did you mean "members"'],
  [{ call: ['everyone'] }, 'access.call: expected'],
  [{ orders: ['role:'] }, 'access.orders: expected'],
  [{ tools: { poll: ['somebody'] } }, 'access.tools'],
  [{ callsPerHour: 0 }, 'access.callsPerHour'],
  [{ channels: { dev: { calls: 'nobody' } } }, 'access.channels.dev: unknown option'],
])('%j is refused at the start', async (access, message) => {
  await expect(testBot({ access: access as never })).rejects.toThrow(new RegExp(message))
})

describe('tools', () => {
  const tool = (name: string, isOrder = false) => ({ name, description: name, schema: {}, isOrder, invoke: async () => 'done' })
  const withTools = definePlugin({
    name: 'with-tools',
    needs: [Tools],
    setup: ctx => ({
      tools: [tool('look'), tool('erase'), tool('keep', true)],
      decide: () => ({ kind: 'full', why: 'always' }),
      respond: async turn => {
        const messages = [{ role: 'user' as const, text: 'go' }]
        return { kind: 'text', text: await ctx.models.text('chat', { system: '', messages, tools: ctx.use(Tools).all, turn }) }
      },
    }),
  })
  const offered = async (bot: TestBot, model: ReturnType<typeof scriptedModel>, ...authors: string[]) => {
    for (const author of authors) await bot.say(author, authors.length === 1 ? '@kiki go' : 'go')
    await bot.pass('10s')
    return model.asked.at(-1)?.tools?.map(({ name }) => name)
  }

  test.each([
    [{}, 'gus', ['look', 'erase', 'keep']],
    [{ tools: 'nobody' }, 'ada', []],
    [{ tools: ['admins'] }, 'ada', ['look', 'erase', 'keep']],
    [{ tools: ['admins'] }, 'alice', []],
    [{ tools: { erase: ['admins'] } }, 'alice', ['look', 'keep']],
    [{ tools: { '*': 'nobody', look: 'everyone' } }, 'ada', ['look']],
    [{ orders: ['admins'] }, 'alice', ['look', 'erase']],
  ])('%j for %s', async (access, person, expected) => {
    const model = scriptedModel('done')
    await using bot = await kiki({ plugins: [withTools], access, model })
    expect(await offered(bot, model, person)).toEqual(expected)
  })

  test('that a person may not use are in the trace, each with the rule', async () => {
    const model = scriptedModel('done')
    const access = { orders: ['admins'], tools: { erase: ['role:trusted', 'person:gus'] } }
    await using bot = await kiki({ plugins: [withTools], access, model })
    expect(await offered(bot, model, 'ada')).toEqual(['look', 'keep'])
    const rule = 'access.tools.erase: only role:trusted, one person, #general'
    expect((await bot.trace()).withheld).toEqual([{ tool: 'erase', why: rule }])
    expect(await offered(bot, model, 'gus')).toEqual(['look', 'erase'])
    expect((await bot.trace()).withheld).toEqual([{ tool: 'keep', why: 'access.orders: only admins, #general' }])
    expect(explained(await bot.trace()).join('\n')).toContain('withheld   keep (access.orders: only admins, #general)')
  })

  test('with people of their own', async () => {
    const model = scriptedModel('done')
    const shared = definePlugin({
      name: 'shared',
      setup: () => ({
        tools: [{ ...tool('deploy'), allows: ({ name }: { name: string }) => (name === 'ops' ? 'everyone' : ['admins']) }],
      }),
    })
    await using bot = await kiki({ plugins: [withTools, shared], access: { tools: { '*': 'everyone', erase: [] } }, model })
    expect(await offered(bot, model, 'ada')).toEqual(['look', 'keep', 'deploy'])
    expect(await offered(bot, model, 'alice')).toEqual(['look', 'keep'])
    expect((await bot.trace()).withheld).toEqual([
      { tool: 'erase', why: 'access.tools.erase: nobody, #general' },
      { tool: 'deploy', why: 'tool deploy: only admins, #general' },
    ])
    await bot.say('alice', '@kiki go', { channel: 'ops' })
    expect(model.asked.at(-1)?.tools?.map(({ name }) => name)).toEqual(['look', 'keep', 'deploy'])
  })

  test('of a turn for several people are those that each of them may use', async () => {
    const model = scriptedModel('done')
    await using bot = await kiki({ plugins: [withTools], access: { tools: { erase: ['admins'] } }, model })
    expect(await offered(bot, model, 'ada', 'olga')).toEqual(['look', 'erase', 'keep'])
    expect(await offered(bot, model, 'ada', 'gus')).toEqual(['look', 'keep'])
  })

  test('with a rule that names no tool of the bot are refused at the start', async () => {
    await expect(kiki({ plugins: [withTools], access: { tools: { ersae: ['admins'] } } })).rejects.toThrow(
      'access.tools names the tool "ersae", but the bot has no tool of this name. Did you mean "erase"?',
    )
  })
})
