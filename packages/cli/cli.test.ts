import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Call, called, cli, spawned } from './testing/command.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

let folder: string
beforeAll(async () => {
  // Inside the workspace, so that a config there finds the packages.
  await mkdir(join(root, '.cache'), { recursive: true })
  folder = await mkdtemp(join(root, '.cache/cli-'))
})
afterAll(() => rm(folder, { recursive: true }))

const run = (args: readonly string[], call: Omit<Call, 'cwd'> = {}) => called(args, { cwd: folder, ...call })
const runProcess = (args: readonly string[], call: Omit<Call, 'cwd'> = {}) => spawned(args, { cwd: folder, ...call })

let count = 0
async function withConfig(config: string): Promise<string> {
  const file = `bot-${++count}.config.ts`
  await writeFile(join(folder, file), config)
  return file
}

const HEAD = `
import terminal from '@kikimimi/terminal'
import judgeRules from '@kikimimi/judge-rules'
import reply from '@kikimimi/reply'
import { defineBot, definePlugin, service, StoredSettings } from 'kikimimi'
import { definePlatform } from 'kikimimi/platform'
import { z } from 'zod'
`
const botWith = (plugins: string, rest = `database: './data-${Math.random()}'`) =>
  withConfig(
    `${HEAD}\nexport default defineBot({ persona: { name: 'kiki' }, ${rest}, plugins: [terminal(), reply(), ${plugins}] })\n`,
  )

/** Checks not only the database but all content of its files. */
async function filesWith(data: string, words: string): Promise<string[]> {
  const files = await readdir(join(folder, data), { recursive: true, withFileTypes: true })
  const paths = files.filter(file => file.isFile()).map(file => join(file.parentPath, file.name))
  const found = await Promise.all(paths.map(async path => ((await readFile(path)).includes(words) ? [path] : [])))
  return found.flat()
}

/** The start ends with only this message, without a stack. */
async function expectRefusal(config: string, message: string | RegExp, start = run): Promise<void> {
  const { code, out, err } = await start(['start', '--config', config])
  const told = err.replace(/^This is the offline model.*\n/, '')
  expect(told).toMatch(message)
  expect(told).not.toMatch(/^\s+at /m)
  expect(out).toBe('')
  expect(code).toBe(1)
}

function listening({ stderr }: ChildProcessWithoutNullStreams): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  stderr.on('data', chunk => String(chunk).includes('listening') && resolve())
  return promise
}

describe('kikimimi start', () => {
  it('answers on a pipe and ends with the input', async () => {
    const { code, out } = await runProcess(['start', '--config', await botWith('')], { input: 'alice: @kiki what is up?\n' })
    expect(out.trimEnd().split('\n')).toEqual([expect.stringMatching(/^kiki: ./)])
    expect(code).toBe(0)
  })

  it('answers each of ten people on a pipe, then ends', async () => {
    const people = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi', 'ivan', 'judy']
    const lines = people.map((author, index) => `${author}: @kiki what is number ${index}?`)
    const { code, out } = await runProcess(['start', '--config', await botWith('')], { input: lines.join('\r\n') })
    expect(out.split('\n').filter(line => line.startsWith('kiki: '))).toHaveLength(lines.length)
    expect(code).toBe(0)
  })

  it('judges the last messages after the end of the input', async () => {
    const keen = `definePlugin({ name: 'keen', setup: () => ({ decide: () => ({ kind: 'full', why: 'keen' }), respond: () => ({ kind: 'text', text: 'me!' }) }) })`
    const config = await withConfig(
      `${HEAD}\nexport default defineBot({ persona: { name: 'kiki' }, database: 'memory', pacing: { minWait: '1s' }, plugins: [terminal(), ${keen}] })\n`,
    )
    const { code, out } = await run(['start', '--config', config], { input: 'alice: anybody?\n' })
    expect(out).toBe('kiki: me!\n')
    expect(code).toBe(0)
  })

  it('ends with one message when the config is missing, has a mistake in its syntax, or exports nothing', async () => {
    await expectRefusal(
      'none.config.ts',
      /^There is no .*none\.config\.ts\. Run this in the folder of your bot, or name the file with --config\.\n$/,
    )
    await expectRefusal(
      await withConfig('export default {{{'),
      /^bot-\d+\.config\.ts has a mistake:\n {2}bot-\d+\.config\.ts:1:17 {2}.+\n$/,
      runProcess,
    )
    await expectRefusal(
      await withConfig(`import x from 'no-such-package'\nexport default x\n`),
      /^bot-\d+\.config\.ts has a mistake:\n {2}bot-\d+\.config\.ts:1:15 {2}the package "no-such-package" is not installed\. Add it: npm install no-such-package\n$/,
      runProcess,
    )
    await expectRefusal(await withConfig('export const bot = 1\n'), /must export a bot: export default defineBot/)
  })

  it('ends with one message when a plugin throws, an option is wrong, a service is missing', async () => {
    await expectRefusal(
      await botWith(`definePlugin({ name: 'bad', setup: () => { throw new Error('no rules today') } })`),
      /^\[bad\] failed to set up: no rules today\n$/,
    )
    await expectRefusal(
      await botWith(`definePlugin({ name: 'bad', needs: [service('facts', '@kikimimi/facts')], setup: () => {} })`),
      /^bot-\d+\.config\.ts has a mistake:\n {2}bot-\d+\.config\.ts:9:\d+ {2}\[bad\] needs the service "facts".*\n$/,
    )
    await expectRefusal(
      await withConfig(
        `${HEAD}\nexport default defineBot({ persona: { name: 'kiki' }, plugins: [reply({ maxTokens: '60' })] })\n`,
      ),
      /^bot-\d+\.config\.ts has a mistake:\n {2}bot-\d+\.config\.ts:9:\d+ {2}\[reply\] maxTokens: expected number, got "60"\n$/,
    )
  })

  it('ends with one message when another process uses the data folder', async () => {
    const config = await botWith('', `database: './shared-data'`)
    const { NO_COLOR, FORCE_COLOR, ...env } = process.env
    const first = spawn(process.execPath, [...cli, 'start', '--config', config], { cwd: folder, env })
    try {
      await listening(first)
      await expectRefusal(config, /^Another process uses the data folder .*shared-data\..*\n$/)
    } finally {
      first.stdin.end()
      await once(first, 'exit')
    }
  })

  it('prints the stack of an error with --stack', async () => {
    const config = await botWith(`definePlugin({ name: 'bad', setup: () => { throw new Error('no rules today') } })`)
    const { err } = await run(['start', '--config', config, '--stack'])
    expect(err).toMatch(/^\s+at /m)
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('stops without an error on %s', async signal => {
    const { NO_COLOR, FORCE_COLOR, ...env } = process.env
    const child = spawn(process.execPath, [...cli, 'start', '--config', await botWith('')], { cwd: folder, env })
    await listening(child)
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

describe('kikimimi', () => {
  it('exports its messages, for a replay', async () => {
    const config = await botWith('')
    await run(['start', '--config', config], { input: 'alice: good morning\nbob: is anyone here?\n' })
    const { code, out, err } = await runProcess(['export', '--config', config, '--since', '1h', '--channel', 'terminal'])
    expect([code, err]).toEqual([0, '2 messages\n'])
    await writeFile(join(folder, 'chat.jsonl'), out)
    const replayed = await run(['replay', 'chat.jsonl', '--config', config, '--json'])
    expect(JSON.parse(replayed.out)).toMatchObject({ messages: 2 })
    const never = await run(['export', '--config', config, '--channel', 'cellar'])
    expect(never).toMatchObject({ code: 1, out: '', err: 'The bot has never received a message in a channel "cellar".\n' })
  })

  it('exports all data into a new folder', async () => {
    const config = await botWith('')
    await run(['start', '--config', config], { input: 'alice: good morning\n' })
    // A leftover of a killed export, or a file of a person: it stays, and does not disturb.
    await mkdir(join(folder, 'kept.part/messages'), { recursive: true })
    await writeFile(join(folder, 'kept.part/messages/terminal-terminal.jsonl'), 'mine')
    const { code, out, err } = await run(['export', 'kept', '--config', config])
    expect({ code, out, err }).toEqual({ code: 0, err: '', out: expect.stringMatching(/^Exported \d+ files to kept\. .*\n$/) })
    expect(await readFile(join(folder, 'kept/messages/terminal-terminal.jsonl'), 'utf8')).toContain('"text":"good morning"')
    expect((await stat(join(folder, 'kept'))).mode & 0o777).toBe(0o700)
    expect(await readFile(join(folder, 'kept.part/messages/terminal-terminal.jsonl'), 'utf8')).toBe('mine')
    expect((await readdir(folder)).filter(name => name.startsWith('kept')).toSorted()).toEqual(['kept', 'kept.part'])
    const listed = await run(['export', 'kept-too', '--config', config, '--json'])
    expect(listed.out).toContain('{"path":"messages/terminal-terminal.jsonl","lines":1}')
    const again = await run(['export', 'kept', '--config', config])
    expect(again).toMatchObject({ code: 1, out: '', err: 'kept exists already. Choose another name.\n' })
    const nowhere = await run(['export', 'no/such/kept', '--config', config, '--since', '1h'])
    expect(nowhere).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('An export into a folder contains everything'),
    })
  })

  it.each([
    [['bot', 'My_Bot'], 1, /^"My_Bot" is not a valid name\./],
    [['bot', 'zod'], 1, /^"zod" is the name of a package/],
    [['bot', 'fine', '--locale', 'fr'], 1, /^--locale must be one of en, ja, ko, got "fr"\.$/m],
    [['plugin', 'delete'], 1, /^"delete" cannot be a variable/],
    [['plugin', '../elsewhere'], 1, /"\.\.\/elsewhere" is not/],
    [['horse', 'fine'], 2, /not "horse"/],
    [['bot'], 2, /^Missing required argument 'NAME'\nUsage: kikimimi new bot\|plugin NAME\. Try kikimimi help new\.$/m],
  ])('refuses to create %j', async (words, code, err) => {
    expect(await run(['new', ...words])).toMatchObject({ code, out: '', err: expect.stringMatching(err) })
  })

  it('creates nothing in a folder that is not empty', async () => {
    await mkdir(join(folder, 'full'))
    await writeFile(join(folder, 'full/notes.txt'), '')
    expect(await run(['new', 'bot', 'full'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/full exists already/),
    })
    expect(await readdir(join(folder, 'full'))).toEqual(['notes.txt'])
  })

  it('explains one message and the latest turns, without texts of messages', async () => {
    const config = await botWith('judgeRules()')
    const said = ['{"author":"alice","text":"xyzzy","id":"m1"}', '{"author":"alice","text":"@kiki plugh?","id":"m2"}']
    await run(['start', '--config', config], { input: `${said.join('\n')}\n` })
    const { code, out } = await run(['why', '--config', config])
    expect(code).toBe(0)
    expect(out).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}#terminal {2}replied/m)
    expect(out).toMatch(/^ {2}score {6}\d+: judge-rules: mentions the bot \+100/m)
    expect(out).not.toMatch(/xyzzy|plugh|alice/)
    const one = await run(['why', 'm2', '--config', config, '--json'])
    expect(JSON.parse(one.out)).toMatchObject({ trigger: 'm2', outcome: 'replied' })
    expect(await run(['why', 'm9', '--config', config])).toMatchObject({ code: 2, out: '', err: expect.stringContaining('"m9"') })
  })

  it('explains each option, and where its value comes from', async () => {
    const config = await botWith(
      `definePlugin({
        name: 'loud', options: z.object({ volume: z.number().default(3), token: z.string().optional(), headers: z.any(), server: z.any(), url: z.string() }), scoped: ['volume'], setup: () => {},
      })({ token: 'hunter2', headers: { 'x-chroma': 'hunter2' }, server: { host: 'a', apiKey: 'hunter2' }, url: 'https://me:hunter2@a.test/' }, { channels: { dev: { volume: 11 } } })`,
    )
    const { out } = await run(['explain', '--config', config, '--channel', '#dev'])
    expect(out).toMatch(/^loud\.volume +11 +channel dev$/m)
    expect(out).not.toContain('hunter2')
    expect(out).toMatch(/^loud\.token +a value that is not shown +bot\.config\.ts$/m)
    expect(out).toMatch(/^loud\.server +a value that is not shown +bot\.config\.ts$/m)
    expect(out).toMatch(/^terminal\.format +"auto" +default$/m)
    const elsewhere = await run(['explain', '--config', config, '--json'])
    expect(elsewhere.out).toContain('{"plugin":"loud","option":"volume","value":"3","from":"default"}')
  })

  it('explains who may call, in a place, and what a person has used of the quotas', async () => {
    // A platform that is no console: people there have quotas.
    const radio = `definePlatform({ name: 'radio', setup: ctx => {
      const answered = Promise.withResolvers()
      const me = { id: 'bot', name: 'kiki' }
      return { platform: {
        name: 'radio', me, limits: { textLength: 100 }, closed: answered.promise,
        start: () => ctx.receive({
          id: '1', conversation: { platform: 'radio', workspace: 'w', channel: 'dev', name: 'dev', visibility: 'public' },
          author: { id: 'U1', name: 'alice' }, text: 'kiki?', mentions: [me], at: new Date(),
        }),
        send: async () => { answered.resolve(); return { id: '2' } },
      } }
    } })`
    const rules = `access: { call: ['members'], callsPerHour: 30, channels: { dev: { call: 'everyone', tokensPerHour: 5000 } } }, budget: { channel: { hour: { tokens: 90000 } } }, pacing: { minWait: '10ms', jitter: 0 }`
    const config = await botWith(radio, `database: './data-access', ${rules}`)
    await run(['start', '--config', config], { input: '{"author":"bob","channel":"dev","text":"hello"}\n' })
    const { out } = await run(['explain', '--config', config, '--channel', 'dev', '--person', 'U1'])
    expect(out).toMatch(/^kikimimi-access\.call +"everyone" +channel dev$/m)
    expect(out).toMatch(/^kikimimi-access\.callsPerHour +30 +bot\.config\.ts$/m)
    expect(out).toMatch(/^kikimimi-access\.tokensPerHour +5000 +channel dev$/m)
    expect(out).toMatch(/^budget\.channel\.share +0\.1 +default$/m)
    expect(out).toMatch(/^U1 has used in this hour on radio: 1 calls, \d+ tokens$/m)
    const elsewhere = await run(['explain', '--config', config, '--channel', 'ops', '--person', 'U2'])
    expect(elsewhere.out).toMatch(/^kikimimi-access\.call +\["members"\] +bot\.config\.ts$/m)
    expect(elsewhere.out).not.toContain('U2 has used')
  })

  it('explains settings made in the chat', async () => {
    const plugin = `definePlugin({
      name: 'loud', options: z.object({ volume: z.number().default(3) }), scoped: ['volume'], needs: [StoredSettings],
      setup: ctx => ({
        commands: [{
          name: 'volume', does: { en: '', ja: '' }, usage: 'N', permission: 'moderator',
          async run({ conversation, person, text }) {
            await ctx.use(StoredSettings).set({ place: conversation.id, plugin: 'loud', key: 'volume', value: Number(text), by: person })
            return 'It is done.'
          },
        }],
      }),
    })({}, { channels: { dev: { volume: 11 } } })`
    const config = await botWith(plugin, `database: './data-set'`)
    const started = await run(['start', '--config', config], {
      input: '{"author":"alice","channel":"dev","text":"/kiki volume 5"}\n',
    })
    expect(started).toMatchObject({
      code: 0,
      out: expect.stringContaining('"type":"answer","channel":"dev","text":"It is done."'),
    })
    const { out } = await run(['explain', '--config', config, '--channel', 'dev'])
    expect(out).toMatch(/^loud\.volume +5 +set in the channel by alice on \d{4}-\d\d-\d\d$/m)
    expect((await run(['explain', '--config', config, '--channel', 'ops'])).out).toMatch(/^loud\.volume +3 +default$/m)
  })

  it('backs up, restores and moves all data', async () => {
    const config = await botWith('', `database: './data-1'`)
    const other = await botWith('', `database: './data-2'`)
    // U+2028 ends a line for some programs, and appears in pasted text.
    await run(['start', '--config', config], { input: '{"author":"alice","text":"the train leaves\\u2028 at ten"}\n' })
    await symlink('/dev/full', join(folder, 'full.backup.part'))
    expect(await run(['backup', 'full.backup', '--config', config])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Could not write full\.backup: ENOSPC/),
    })
    expect(await run(['backup', '--config', config])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^kikimimi backup needs a FILE, --stdout, or --new-key\./),
    })
    const backup = await run(['backup', 'all.backup', '--config', config])
    expect(backup).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^Backed up \d+ rows to all\.backup\./) })
    expect((await stat(join(folder, 'all.backup'))).mode & 0o777).toBe(0o600)
    expect(await run(['backup', 'all.backup', '--config', config])).toMatchObject({
      code: 1,
      err: expect.stringContaining('exists already'),
    })
    const broken = await botWith(
      `definePlugin({ name: 'bad', setup: () => { throw new Error('no rules today') } })`,
      `database: './data-2'`,
    )
    expect(await run(['restore', 'all.backup', '--config', broken])).toMatchObject({
      code: 1,
      err: '[bad] failed to set up: no rules today\n',
    })
    expect(await run(['restore', 'all.backup', '--config', other])).toMatchObject({ code: 0, err: '' })
    const asked = await run(['start', '--config', other], { input: 'bob: @kiki when does the train leave?\n' })
    expect(asked.out).toMatch(/the train leaves\s+at ten/)
    const moved = await run(['move', '--to', './data-3', '--config', other])
    expect(moved).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^Moved: \d+ rows, \d+ waiting jobs/) })
    const left = await run(['export', '--config', await botWith('', `database: './data-3'`)])
    expect(left.err).toBe('3 messages\n')
    await writeFile(join(folder, 'left.jsonl'), left.out)
    expect(JSON.parse((await run(['replay', 'left.jsonl', '--config', config, '--json'])).out)).toMatchObject({ messages: 3 })
    await writeFile(join(folder, 'cut.backup'), (await readFile(join(folder, 'all.backup'))).subarray(0, -20))
    const cut = await run(['restore', 'cut.backup', '--config', await botWith('', `database: './data-4'`)])
    expect(cut).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^Could not read cut\.backup: .*\n$/) })
    expect(await run(['restore', 'none.backup', '--config', config])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Could not read none\.backup: /),
    })
  })

  it('refuses a plugin with a command name of kikimimi', async () => {
    const config = await botWith(`definePlugin({ name: 'a', cli: [{ name: 'replay', usage: [], run() {} }], setup: () => {} })`)
    const refusal = '[a] has a command "replay", and so has kikimimi itself. Give it another name.\n'
    await expectRefusal(config, refusal)
    expect((await run(['check', '--config', config])).out).toMatch(/^!! bot-\d+\.config\.ts:9:\d+: \[a\] has a command "replay"/m)
  })

  it('runs commands of plugins, and erases a person', async () => {
    const own = `definePlatform({
      name: 'tea',
      cli: [{
        name: 'tea',
        usage: [{ call: 'tea KIND', does: 'make tea' }],
        run: async (ctx, args, out) => {
          const { rowCount } = await ctx.db.query('select 1 from kikimimi.message where deleted_at is null')
          out.print(JSON.stringify({ args, json: out.json, messages: rowCount }))
        },
      }, { name: 'kettle', usage: [], run: (_ctx, _args, out) => out.print('for tea alone') }],
      setup: ctx => ({
        platform: {
          name: 'radio',
          me: { id: 'bot', name: 'kiki' },
          limits: { textLength: 100 },
          closed: Promise.resolve(),
          send: async () => ({ id: 'sent' }),
          start: () => ctx.receive({
            id: 'one',
            conversation: { platform: 'radio', workspace: '', channel: 'radio', name: 'radio', visibility: 'public' },
            author: { id: 'R1', name: 'Alice' },
            text: 'I am another one',
            at: new Date(),
          }),
        },
      }),
    })`
    const config = await botWith(`(await import('@kikimimi/facts')).default(), ${own}`, `database: './forgetful'`)
    const lines = ['alice: the key lies under the mat', 'bob: alice says "the key lies under the mat" and knows where it is']
    await run(['start', '--config', config], { input: lines.map(line => `${line}\n`).join('') })

    const help = await run(['help', '--config', config])
    expect(help.out).toMatch(/^Commands of the plugins in bot-\d+\.config\.ts:\n(?: .*\n)*? {2}tea KIND +make tea$/m)
    expect(help.out).toMatch(/^ {2}facts list /m)
    expect((await run(['--help', '--config', config])).out).toContain(
      `The plugins in ${config} can add commands. List them with: kikimimi help`,
    )
    expect((await run(['help', 'tea', '--config', config])).out).toMatch(
      /^Usage: kikimimi tea \[ARGUMENT…\] \[options\]\n(?:.*\n)*? {2}tea KIND +make tea$/m,
    )
    expect(await run(['tea', '--help', '--config', config])).toEqual(await run(['help', 'tea', '--config', config]))
    expect((await run(['tee', '--config', config])).err).toContain('Did you mean tea?')
    // A command without a usage is for other commands.
    expect((await run(['kettle', '--config', config])).err).toContain("Unknown command 'kettle'")
    const typed = ['tea', 'green', '--json', '--channel', 'dev', 'tea', '-x', '--', '--json']
    expect(await run(['--config', config, ...typed])).toEqual({
      code: 0,
      out: '{"args":["green","--channel","dev","tea","-x","--","--json"],"json":true,"messages":3}\n',
      err: '',
    })
    expect((await run(['tea', `--config=${config}`, 'green', '--hot'])).out).toBe(
      '{"args":["green","--hot"],"json":false,"messages":3}\n',
    )

    expect(await filesWith('forgetful', 'under the mat')).not.toEqual([])
    const unsure = await run(['forget', 'ALICE', '--config', config])
    expect(unsure).toMatchObject({ code: 2, out: '' })
    expect(unsure.err).toMatch(
      /^"ALICE" fits several people\. Use one of these ids:\n {2}radio:R1 {2}Alice, 1 messages\n {2}terminal:alice {2}alice, 1 messages\n$/,
    )
    const { code, out, err } = await run(['forget', 'terminal:alice', '--config', config])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(
      /^Deleted the data of terminal:alice\.\n {2}1 of their messages, .*\n {2}their words and mentions in 1 messages of others\n.*facts\n$/,
    )
    expect(await filesWith('forgetful', 'under the mat')).toEqual([])
    expect(await filesWith('forgetful', 'knows where it is')).not.toEqual([])
  })

  it('prints invitations of all plugins, and the errors of others', async () => {
    const inviting = (name: string, invite: string) => `definePlugin({ name: '${name}', invite: ${invite}, setup: () => ({}) })()`
    const config = await botWith(
      `[${inviting('here', "() => 'Open https://here.test/invite'")}, ${inviting('there', "() => { throw new Error('no answer') }")}]`,
    )
    expect(await run(['invite', '--config', config])).toEqual({
      code: 1,
      out: 'Open https://here.test/invite\n',
      err: '[there] no answer\n',
    })
    const nowhere = await run(['invite', '--config', await botWith('')])
    expect(nowhere).toMatchObject({ code: 1, out: '', err: expect.stringContaining('docs/discord.md and docs/slack.md') })
  })

  it('checks what a start needs, and has an exit code for problems', async () => {
    const well = await run(['check', '--config', await botWith('judgeRules()')])
    expect(well).toMatchObject({ code: 0, err: '' })
    expect(well.out).toMatch(/^(?:ok .+\n| ! .+ does not recognize its name, .+\n)+$/)
    expect(well.out).toMatch(/^ok database: \.\/data-.*, will be created by the next start$/m)
    const ill = await runProcess([
      'check',
      '--json',
      '--config',
      await botWith('', `database: 'postgres://kiki:hunter2@127.0.0.1:1/bot'`),
    ])
    expect(ill).toMatchObject({ code: 1, err: '' })
    expect(ill.out).not.toContain('hunter2')
    const findings = ill.out.trim().split('\n')
    expect(findings.map(line => JSON.parse(line)).filter(({ ok }) => !ok)).toEqual([
      { ok: false, what: 'database', problem: expect.stringContaining('nothing listens there') },
    ])
  })

  it('helps', async () => {
    expect(await run(['--help'])).toMatchObject({ code: 0, out: expect.stringMatching(/^ {2}replay FILE… /m) })
    expect(await run([])).toMatchObject({ code: 0, out: expect.stringMatching(/^ {2}start \[FILE…\] +start the bot/m) })
    expect(await run(['help', 'why'])).toEqual(await run(['why', '--help']))
    expect(await run(['help', 'replay'])).toMatchObject({ code: 0, out: expect.stringContaining('--seats <N>') })
    expect(await runProcess(['--version'])).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  })

  it.each([[['dance']], [['replay']]])('%j is an unknown command, with exit code 2', async args => {
    const { code, err, out } = await run(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).not.toMatch(/^\s+at /m)
  })

  it.each([
    [['strat'], "Unknown command 'strat'\n(Did you mean start?)\nTry kikimimi --help."],
    [['help', 'strat'], "Unknown command 'strat'\n(Did you mean start?)\nTry kikimimi --help."],
    [['strat', '--help'], "Unknown command 'strat'\n(Did you mean start?)\nTry kikimimi --help."],
    [
      ['why', '--chanel', 'dev'],
      "Unknown option '--chanel'\n(Did you mean --channel?)\nUsage: kikimimi why [MESSAGE]. Try kikimimi help why.",
    ],
    [['start', '--seats', '2'], "Unknown option '--seats'\nUsage: kikimimi start [FILE…]. Try kikimimi help start."],
    [
      ['invite', 'now'],
      "Too many arguments for 'invite'. Expected 0 arguments but got 1: now.\nUsage: kikimimi invite. Try kikimimi help invite.",
    ],
    [['--verson'], "Unknown option '--verson'\n(Did you mean --version?)\nTry kikimimi --help."],
    [['start', '--config'], "Option '--config <FILE>' argument missing\nTry kikimimi --help."],
    [['move'], "Required option '--to <DATABASE>' not specified\nUsage: kikimimi move --to DATABASE. Try kikimimi help move."],
  ])('%j is a usage error with a hint', async (args, told) => {
    expect(await run(args)).toEqual({ code: 2, out: '', err: `${told}\n` })
  })

  it('refuses an unknown log level', async () => {
    expect(await runProcess(['start'], { env: { LOG_LEVEL: 'loud' } })).toMatchObject({
      code: 2,
      err: expect.stringContaining('LOG_LEVEL must be one of'),
    })
  })
})
