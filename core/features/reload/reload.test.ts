import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ChatCommands, definePlugin, type PluginHooks, service, Tools } from '../../api/index.ts'
import { scriptedModel } from '../../testing/scripted-model.ts'
import { testBot } from '../../testing/test-bot.ts'

/** A plugin that gives one answer, and records each set-up and end. */
const parrot = (name: string, lives: string[] = []) =>
  definePlugin({
    name,
    options: z.strictObject({ says: z.string().min(1).default('first') }).prefault({}),
    scoped: ['says'],
    setup: (ctx, { says }) => {
      lives.push(`${name} ${says} begins`)
      ctx.scope.defer(() => void lives.push(`${name} ${says} ends`))
      return { respond: turn => ({ kind: 'text', text: ctx.optionsFor(turn.conversation).says }) }
    },
  })

describe('a changed bot.config.ts', () => {
  it('restarts plugins with other options, and no others', async () => {
    const lives: string[] = []
    const [one, two] = [parrot('one', lives), parrot('two', lives)]
    await using bot = await testBot({ plugins: [one(), two({ says: 'zwei' })] })
    await bot.say('alice', '@kiki hello')
    expect(await bot.reload({ plugins: [one({ says: 'second' }), two({ says: 'zwei' })] })).toEqual({
      started: [],
      restarted: ['one'],
      stopped: [],
      applied: [],
      later: [],
    })
    await bot.say('alice', '@kiki hello again')
    expect(bot.sent).toEqual(['first', 'second'])
    expect(lives).toEqual(['one first begins', 'two zwei begins', 'one first ends', 'one second begins'])
  })

  it('restarts plugins with other options for one place', async () => {
    const one = parrot('one')
    await using bot = await testBot({ plugins: [one({}, { channels: { dev: { says: 'dev' } } })] })
    const { restarted } = await bot.reload({ plugins: [one({}, { channels: { dev: { says: 'developers' } } })] })
    await bot.say('alice', '@kiki hello', { channel: 'dev' })
    expect({ restarted, sent: bot.sent }).toEqual({ restarted: ['one'], sent: ['developers'] })
  })

  it('restarts plugins with a new definition, such as one in bot.config.ts itself', async () => {
    await using bot = await testBot({ plugins: [parrot('one')] })
    expect(await bot.reload({ plugins: [parrot('one')] })).toMatchObject({ restarted: ['one'] })
  })

  it('changes nothing when it is equal', async () => {
    const lives: string[] = []
    const one = parrot('one', lives)
    await using bot = await testBot({ plugins: [one({ says: 'eins' })] })
    expect(await bot.reload({ plugins: [one({ says: 'eins' })] })).toEqual({
      started: [],
      restarted: [],
      stopped: [],
      applied: [],
      later: [],
    })
    expect(lives).toEqual(['one eins begins'])
  })

  it('applies a new order of plugins without a restart', async () => {
    const lives: string[] = []
    const [one, two] = [parrot('one', lives)({ says: 'eins' }), parrot('two', lives)({ says: 'zwei' })]
    await using bot = await testBot({ plugins: [one, two] })
    expect(await bot.reload({ plugins: [two, one] })).toMatchObject({ restarted: [], applied: ['order of plugins'] })
    await bot.say('alice', '@kiki hello')
    expect(bot.sent).toEqual(['zwei'])
    expect(lives).toHaveLength(2)
  })

  it('restarts plugins that need a service of a restarted plugin, and no others', async () => {
    const Words = service<() => string>('words')
    const Loud = service<() => string>('loud')
    const lives: string[] = []
    const words = definePlugin({
      name: 'words',
      options: z.strictObject({ word: z.string() }),
      provides: [Words],
      setup: (ctx, { word }) => ctx.provide(Words, () => word),
    })
    const loud = definePlugin({
      name: 'loud',
      needs: [Words],
      provides: [Loud],
      setup: ctx => {
        const word = ctx.use(Words)
        ctx.provide(Loud, () => word().toUpperCase())
      },
    })
    const answer = definePlugin({
      name: 'answer',
      needs: [Loud],
      setup: ctx => {
        const word = ctx.use(Loud)
        return { respond: () => ({ kind: 'text', text: word() }) }
      },
    })
    const other = parrot('other', lives)
    await using bot = await testBot({ plugins: [answer, loud, other, words({ word: 'moin' })] })
    const { restarted } = await bot.reload({ plugins: [answer, loud, other, words({ word: 'servus' })] })
    await bot.say('alice', '@kiki hello')
    expect(restarted).toEqual(['words', 'loud', 'answer'])
    expect(bot.sent).toEqual(['SERVUS'])
    expect(lives).toEqual(['other first begins'])
  })

  it('removes everything that a removed plugin had added', async () => {
    const Lent = service<string>('lent')
    const ran: string[] = []
    const rich = definePlugin({
      name: 'rich',
      provides: [Lent],
      cli: [{ name: 'rich', usage: [], run: () => void ran.push('command') }],
      setup(ctx) {
        ctx.provide(Lent, 'lent')
        ctx.every('tick', '1m', () => void ran.push('tick'))
        ctx.scope.adopt(
          ctx.clock.setInterval(() => ran.push('timer'), 60_000),
          timer => ctx.clock.clearInterval(timer),
        )
        return {
          tools: [{ name: 'search', description: '', schema: {}, invoke: async () => '' }],
          commands: [{ name: 'rich', does: { en: '', ja: '' }, permission: 'everyone', run: () => 'rich' }],
          forget: () => void ran.push('forget'),
          filter: () => 'rich hears nobody',
        } satisfies PluginHooks
      },
    })
    const seen: unknown[] = []
    const watch = definePlugin({
      name: 'watch',
      needs: [ChatCommands, Tools],
      setup: ctx => ({
        respond: () => {
          seen.push(
            ctx.use(Tools).all.map(({ name }) => name),
            ctx.use(Lent, 'optional'),
            ctx.use(ChatCommands).all.some(({ name }) => name === 'rich'),
          )
          return { kind: 'text', text: 'ok' }
        },
      }),
    })
    await using bot = await testBot({ plugins: [rich, watch] })
    await bot.say('alice', '@kiki hello')
    await bot.pass('90s')
    expect(bot.sent).toEqual([])
    expect(ran.toSorted()).toEqual(['tick', 'timer'])

    expect(await bot.reload({ plugins: [watch] })).toMatchObject({ stopped: ['rich'], restarted: [] })
    await bot.say('alice', '@kiki hello again')
    await bot.pass('5m')
    await bot.bot.command('rich', [], { json: false, print: () => {} })
    expect(await bot.command('alice', 'rich')).toBeUndefined()
    await bot.bot.forget({ platform: 'test', id: 'alice' })
    expect(bot.sent).toEqual(['ok'])
    expect(seen).toEqual([[], undefined, false])
    expect(ran.toSorted()).toEqual(['tick', 'timer'])
  })

  it('starts an added plugin, with its tables and its repeating work', async () => {
    const reminders = definePlugin({
      name: 'ticks',
      migrations: new URL('../../testing/reload/', import.meta.url),
      setup: ctx => ctx.every('tick', '1m', async () => void (await ctx.db.query('insert into ticks.tick default values'))),
    })
    const one = parrot('one')
    await using bot = await testBot({ storage: 'pglite', plugins: [one] })
    expect(await bot.reload({ plugins: [one, reminders] })).toMatchObject({ started: ['ticks'], restarted: [] })
    await bot.pass('3m')
    expect((await bot.db.query('select 1 from ticks.tick')).rowCount).toBe(3)
  })

  it('restarts plugins that can have read the persona, and answers to its new name', async () => {
    const lives: string[] = []
    const one = parrot('one', lives)
    await using bot = await testBot({ plugins: [one] })
    const persona = { name: 'kiki', names: ['Momo'] }
    expect(await bot.reload({ persona })).toMatchObject({ restarted: ['one'], applied: ['persona'] })
    expect(bot.bot.persona.names).toEqual(['kiki', 'Momo'])
    expect(lives).toHaveLength(3)
  })

  it('uses other models', async () => {
    const asks = definePlugin({
      name: 'asks',
      setup: ctx => ({
        respond: async () => ({ kind: 'text', text: await ctx.models.text('chat', { system: '', messages: [] }) }),
      }),
    })
    await using bot = await testBot({ plugins: [asks], model: 'old' })
    await bot.say('alice', '@kiki hello')
    expect(await bot.reload({ model: scriptedModel('new') })).toMatchObject({ restarted: [], applied: ['models'] })
    await bot.say('alice', '@kiki hello')
    expect(bot.sent).toEqual(['old', 'new'])
    expect(bot.bot.modelUsage()).toMatchObject([{ role: 'chat', calls: 2 }])
  })

  it('applies settings without a restart', async () => {
    const seen: unknown[] = []
    const sees = definePlugin({
      name: 'sees',
      setup: () => ({
        context: () => ({ place: 'facts', title: 'Long', text: 'word '.repeat(200) }),
        respond: ({ history }, _decision, { sections }) => {
          seen.push([history.length, sections.length])
          throw new Error('no answer')
        },
      }),
    })
    await using bot = await testBot({ plugins: [sees] })
    for (const text of ['one', 'two', '@kiki three']) await bot.say('alice', text)
    const changed = { listen: { except: ['dev'] }, memory: { size: 2 }, apology: 'Oh.', contextTokens: 10 }
    expect(await bot.reload({ ...changed, pacing: { minWait: 0 }, concurrency: 2 })).toMatchObject({
      restarted: [],
      applied: expect.arrayContaining(['listen', 'memory', 'apology', 'contextTokens', 'pacing', 'concurrency']),
    })
    await bot.say('alice', '@kiki four')
    await bot.say('alice', '@kiki not here', { channel: 'dev' })
    await bot.say('alice', 'five')
    expect(seen).toEqual([
      [3, 1],
      [2, 0],
    ])
    expect(bot.sent).toEqual(['Sorry, I could not come up with an answer just now.', 'Oh.'])
    expect((await bot.trace()).decision?.why).toBe('no plugin decided to speak')
  })

  it('applies a budget and a retention', async () => {
    const asks = definePlugin({
      name: 'asks',
      setup: ctx => ({
        respond: async () => ({ kind: 'text', text: await ctx.models.text('chat', { system: '', messages: [] }) }),
      }),
    })
    await using bot = await testBot({ storage: 'pglite', plugins: [asks], model: 'yes' })
    await bot.say('alice', '@kiki one')
    const changed = { budget: { hour: { tokens: 1 } }, retention: { messages: '1h', traces: '1h' } } as const
    expect(await bot.reload(changed)).toMatchObject({ restarted: [], applied: ['retention', 'budget'] })
    await bot.say('alice', '@kiki two')
    expect((await bot.trace()).why).toBe('the budget is spent')
    expect(await bot.reload({ budget: { hour: { tokens: 100_000 } } })).toMatchObject({ applied: ['budget'] })
    await bot.say('alice', '@kiki three')
    expect(bot.sent).toEqual(['yes', expect.stringContaining('used up'), 'yes'])
    await bot.pass('2d')
    expect((await bot.db.query('select 1 from kikimimi.message')).rowCount).toBe(0)
  })

  it('reports settings that need a restart, and changes the rest', async () => {
    await using bot = await testBot({ plugins: [parrot('one')] })
    const changed = { http: '127.0.0.1:1', apology: 'Oh.' }
    expect(await bot.reload(changed)).toMatchObject({ applied: ['apology'], later: ['http'] })
    const config = { persona: { name: 'kiki' }, plugins: [parrot('one')], apology: 'Oh.' }
    expect(await bot.bot.reload({ ...config, ...changed, database: './elsewhere' })).toMatchObject({
      applied: [],
      later: expect.arrayContaining(['database', 'http']),
    })
    // Reported until the restart.
    expect(await bot.bot.reload(config)).toMatchObject({ applied: [], later: [] })
  })
})

describe('an invalid bot.config.ts', () => {
  it('changes nothing, and reports all mistakes', async () => {
    const lives: string[] = []
    const [one, two] = [parrot('one', lives), parrot('two', lives)]
    await using bot = await testBot({ plugins: [one, two] })
    await expect(bot.reload({ plugins: [one({ says: '' }), two({ says: '' })] })).rejects.toThrow(/\[one\] .*\n {2}- \[two\] /)
    await expect(bot.reload({ memory: { size: 0 } })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    await expect(bot.reload({ budget: { day: { money: 1 } }, model: 'priceless' })).rejects.toThrow('no price for "scripted"')
    await bot.say('alice', '@kiki hello')
    expect(bot.sent).toEqual(['first'])
    expect(lives).toEqual(['one first begins', 'two first begins'])
  })

  it('leaves the bot unchanged when a setup throws', async () => {
    const lives: string[] = []
    const [one, two] = [parrot('one', lives), parrot('two', lives)]
    const broken = definePlugin({
      name: 'broken',
      setup(ctx) {
        ctx.every('tick', '1m', () => void lives.push('tick'))
        throw new Error('no rules today')
      },
    })
    await using bot = await testBot({ plugins: [one, two({ says: 'zwei' })] })
    const persona = { name: 'kiki', names: ['Momo'] }
    await expect(bot.reload({ persona, plugins: [two({ says: 'deux' }), broken] })).rejects.toMatchObject({
      code: 'SETUP_FAILED',
      message: '[broken] failed to set up: no rules today',
    })
    expect(bot.bot.persona.names).toEqual(['kiki'])
    await bot.say('alice', '@kiki hello')
    await bot.pass('5m')
    expect(bot.sent).toEqual(['first'])
    expect(lives).toEqual([
      'one first begins',
      'two zwei begins',
      'two zwei ends',
      'one first ends',
      'two deux begins',
      'two deux ends',
      'one first begins',
      'two zwei begins',
    ])
    // The next valid one is applied.
    expect(await bot.reload({ plugins: [two({ says: 'deux' })] })).toMatchObject({ stopped: ['one'], restarted: ['two'] })
    await bot.say('alice', '@kiki hello')
    expect(bot.sent).toEqual(['first', 'deux'])
  })

  it('ends the bot when the previous plugins cannot be set up again', async () => {
    let isWell = true
    const frail = definePlugin({
      name: 'frail',
      options: z.strictObject({ at: z.number() }),
      setup() {
        if (!isWell) throw new Error('the port is taken')
      },
    })
    await using bot = await testBot({ plugins: [frail({ at: 1 })] })
    isWell = false
    await expect(bot.reload({ plugins: [frail({ at: 2 })] })).rejects.toMatchObject({ code: 'SETUP_FAILED' })
    await expect(bot.bot.failed).rejects.toMatchObject({
      code: 'RELOAD_FAILED',
      message: expect.stringContaining('[frail] failed to set up: the port is taken. Correct it'),
    })
  })

  it('continues although a plugin cannot close its resources', async () => {
    const messy = definePlugin({
      name: 'messy',
      setup: ctx =>
        ctx.scope.defer(() => {
          throw new Error('it is open for ever')
        }),
    })
    await using bot = await testBot({ plugins: [messy, parrot('one')] })
    expect(await bot.reload({ plugins: [parrot('one')] })).toMatchObject({ stopped: ['messy'] })
    expect(bot.log.join('')).toContain('[messy] could not close all its resources: it is open for ever')
  })
})

describe('during a reload', () => {
  /** Answers when the test releases it, with its number. */
  function slow() {
    const begun = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const plugin = definePlugin({
      name: 'slow',
      options: z.strictObject({ life: z.int(), hangs: z.boolean().default(false) }),
      setup: (ctx, { life, hangs }) => ({
        respond: async () => {
          begun.resolve()
          if (hangs) await new Promise(() => {})
          if (life === 1) await go.promise
          return { kind: 'text', text: `life ${life}, ${ctx.scope.disposed ? 'after' : 'before'} its end` }
        },
      }),
    })
    return { plugin, begun: begun.promise, go: go.resolve }
  }

  it('a running turn ends with its plugins, and messages that arrive meanwhile wait for the new ones', async () => {
    const { plugin, begun, go } = slow()
    await using bot = await testBot({ plugins: [plugin({ life: 1 })] })
    const first = bot.say('alice', '@kiki one', { id: 'one' })
    await begun
    const reloading = bot.reload({ plugins: [plugin({ life: 2 })] })
    await setImmediate()
    const second = bot.say('bob', '@kiki two', { id: 'two', channel: 'dev' })
    const again = bot.say('bob', '@kiki two', { id: 'two', channel: 'dev' })
    await setImmediate()
    expect(bot.sent).toEqual([])
    go()
    await Promise.all([reloading, first, second, again])
    expect(bot.sent).toEqual(['life 1, before its end', 'life 2, before its end'])
  })

  it('a turn that does not end is aborted and runs again, and answers once', async () => {
    const { plugin, begun } = slow()
    await using bot = await testBot({ plugins: [plugin({ life: 1, hangs: true })] })
    const asked = bot.say('alice', '@kiki one')
    await begun
    const reloading = bot.reload({ plugins: [plugin({ life: 2 })] })
    await setImmediate()
    await bot.pass('1m')
    expect(await reloading).toMatchObject({ restarted: ['slow'] })
    await asked
    await bot.pass('1m')
    expect(bot.sent).toEqual(['life 2, before its end'])
  })

  it('waiting jobs run in the new plugin, and jobs of other plugins continue', async () => {
    const ran: string[] = []
    const worker = (name: string) =>
      definePlugin({
        name,
        options: z.strictObject({ life: z.int() }),
        setup(ctx, { life }) {
          const later = ctx.job<string>('later', text => void ran.push(`${text}, ${name} ${life}`))
          return {
            after: async ({ message }) => later.schedule(message.text, { at: new Date(ctx.clock.now() + 60_000) }),
          }
        },
      })
    const [a, b] = [worker('a'), worker('b')]
    await using bot = await testBot({ plugins: [a({ life: 1 }), b({ life: 1 })] })
    await bot.say('alice', '@kiki hello')
    await bot.reload({ plugins: [a({ life: 2 }), b({ life: 1 })] })
    await bot.pass('2m')
    expect(ran.toSorted()).toEqual(['@kiki hello, a 2', '@kiki hello, b 1'])
  })

  it('waits for a long job, and the bot answers meanwhile', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const worker = definePlugin({
      name: 'worker',
      options: z.strictObject({ life: z.int() }),
      setup(ctx) {
        const long = ctx.job<null>('long', async () => {
          begin()
          await ended
        })
        return { after: async () => long.schedule(null, { key: 'once' }) }
      },
    })
    const one = parrot('one')
    await using bot = await testBot({ plugins: [worker({ life: 1 }), one()] })
    const asked = [bot.say('alice', '@kiki one')]
    await begun
    const reloading = bot.reload({ plugins: [worker({ life: 2 }), one()] })
    asked.push(bot.say('alice', '@kiki two'))
    await expect.poll(() => bot.sent).toEqual(['first', 'first'])
    end()
    expect(await reloading).toMatchObject({ restarted: ['worker'] })
    await Promise.all(asked)
  })

  it('a message that is recorded then is shown to the new plugin', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const seen: string[] = []
    const worker = definePlugin({
      name: 'worker',
      options: z.strictObject({ life: z.int() }),
      setup(ctx, { life }) {
        const long = ctx.job<null>('long', async () => {
          begin()
          await ended
        })
        return {
          onRecorded: ({ text }) => void seen.push(`${text}, ${life}`),
          after: () => long.schedule(null, { key: 'once' }),
        }
      },
    })
    const one = parrot('one')
    await using bot = await testBot({ plugins: [worker({ life: 1 }), one()] })
    const asked = [bot.say('alice', '@kiki 1')]
    await begun
    const reloading = bot.reload({ plugins: [worker({ life: 2 }), one()] })
    // Until the reload waits for the job: then a message is answered, and no plugin sees it yet.
    while (seen.length === asked.length) {
      asked.push(bot.say('alice', `@kiki ${asked.length + 1}`))
      await expect.poll(() => bot.sent.length).toBe(asked.length)
    }
    end()
    await Promise.all([reloading, ...asked])
    const last = asked.length
    expect([seen.length, seen.slice(-2)]).toEqual([last, [`@kiki ${last - 1}, 1`, `@kiki ${last}, 2`]])
  })

  it('another reload waits for it, and the end of the bot cancels both, but not the turn', async () => {
    const { plugin, begun, go } = slow()
    const bot = await testBot({ plugins: [plugin({ life: 1 })] })
    const asked = bot.say('alice', '@kiki one')
    await begun
    const reloads = [2, 3].map(life => bot.bot.reload({ persona: { name: 'kiki' }, plugins: [plugin({ life })] }))
    await setImmediate()
    const stopped = bot.bot.stop()
    const refused = { status: 'rejected', reason: { code: 'STOPPED' } }
    expect(await Promise.allSettled(reloads)).toMatchObject([refused, refused])
    go()
    await asked
    await stopped
  })
})

it('frees the memory of fifty earlier configs', async () => {
  const kept: WeakRef<object>[] = []
  const heavy = definePlugin({
    name: 'heavy',
    options: z.strictObject({ life: z.int() }),
    setup(ctx, { life }) {
      const ballast = { life, bytes: new Uint8Array(1_000_000) }
      kept.push(new WeakRef(ballast))
      ctx.job('work', () => void ballast.life)
      ctx.every('tick', '1h', () => void ballast.life)
      ctx.scope.defer(() => void ballast.life)
      return {
        tools: [{ name: 'tool', description: '', schema: {}, invoke: async () => String(ballast.life) }],
        forget: () => void ballast.life,
        respond: () => ({ kind: 'text', text: `life ${ballast.life}` }),
      }
    },
  })
  await using bot = await testBot({ plugins: [heavy({ life: 0 })] })
  for (let life = 1; life <= 50; life++) {
    await bot.reload({ plugins: [heavy({ life })] })
    await bot.say('alice', '@kiki hello')
  }
  expect(bot.sent.at(-1)).toBe('life 50')
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  await expect
    .poll(() => {
      if (typeof gc === 'function') gc()
      return kept.filter(ref => ref.deref() !== undefined).length
    })
    .toBe(1)
})
