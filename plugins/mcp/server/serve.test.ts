/** `kikimimi mcp`, with the client of the SDK. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import facts, { Facts } from '@kikimimi/facts'
import replay from '@kikimimi/replay'
import reply from '@kikimimi/reply'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { conversationId, definePlugin } from 'kikimimi'
import { type TestBot, testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import mcp from '../index.ts'

/** A client of the command in the process of a bot. */
async function clientOf(bot: TestBot) {
  const input = new PassThrough()
  const transport: Transport = {
    async start() {},
    async send(message) {
      input.write(`${JSON.stringify(message)}\n`)
    },
    async close() {
      input.end()
    },
  }
  const ended = bot.bot.command('mcp', [], { json: false, input, print: line => transport.onmessage?.(JSON.parse(line)) })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return {
    client,
    input,
    async read(name: string, args: Record<string, unknown> = {}) {
      const { content, isError } = await client.callTool({ name, arguments: args })
      const [{ text }] = content as [{ text: string }]
      return isError ? text : JSON.parse(text)
    },
    async [Symbol.asyncDispose]() {
      await client.close()
      await ended
    },
  }
}

test('the owner reads messages, facts, people, channels and turns, and changes nothing', async () => {
  const town = { platform: 'test', workspace: 'team', channel: 'town', name: 'town', visibility: 'public' } as const
  const knowing = definePlugin({
    name: 'knowing',
    needs: [Facts],
    setup: ctx => ({
      onRecorded: async () => {
        const conversation = { ...town, id: conversationId(town) }
        await ctx.use(Facts).add({ conversation, content: 'the key is under the blue pot', people: ['alice'] })
      },
    }),
  })
  await using bot = await testBot({ plugins: [mcp(), facts(), knowing, replay(), reply()], model: 'Under the pot.' })
  await bot.say('alice', '@kiki where is the 100% key?', { channel: 'town' })
  await bot.say('bob', 'a secret key', { channel: 'bob', visibility: 'direct' })
  await bot.pass('1m')
  const deleted = await bot.say('carol', 'a deleted key', { channel: 'town' })
  await bot.remove(deleted, { channel: 'town' })
  await using owner = await clientOf(bot)

  const { tools } = await owner.client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'explain_turn',
    'list_channels',
    'list_people',
    'list_turns',
    'recall_facts',
    'replay_channel',
    'search_messages',
  ])
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
  const found = await owner.read('search_messages', { words: 'KEY' })
  expect(found.map(({ text }: { text: string }) => text)).toEqual(['a secret key', '@kiki where is the 100% key?'])
  expect(
    await owner.read('search_messages', { words: '0% key', channel: '#town', author: 'alice', before: found[0].seq }),
  ).toHaveLength(1)
  expect(await owner.read('search_messages', { words: '100_' })).toEqual([])
  expect(await owner.read('recall_facts', { text: 'blue pot' })).toMatchObject([{ content: 'the key is under the blue pot' }])
  expect(await owner.read('list_channels', { name: 'town' })).toMatchObject([{ id: 'test/team/town', visibility: 'public' }])
  expect(await owner.read('list_people')).toEqual(expect.arrayContaining([expect.objectContaining({ id: 'alice', messages: 1 })]))
  const turns = await owner.read('list_turns', { channel: 'town', outcome: 'replied' })
  expect(turns).toMatchObject([{ outcome: 'replied', channel: 'town' }])
  expect(await owner.read('explain_turn', { id: turns[0].trigger })).toMatchObject([
    { data: { turn: turns[0].turn, outcome: 'replied' } },
  ])
  expect(await owner.read('replay_channel', { channel: 'test/team/town', messages: 10 })).toMatchObject({ messages: 2 })
  // Wrong arguments and broken lines are errors of their calls.
  expect(await owner.read('search_messages', { limit: -1 })).toMatch(/limit/)
  owner.input.write('{"jsonrpc": \n\n[]\n')
  expect(await owner.read('list_channels', { name: 'nowhere' })).toEqual([])
})

test('a client reads the data of a running bot, whose folder no other process can open', { timeout: 120_000 }, async () => {
  const root = join(import.meta.dirname, '../../..')
  await mkdir(join(root, '.cache'), { recursive: true })
  await using files = new AsyncDisposableStack()
  // Inside the workspace, so that the config finds the packages.
  const folder = files.adopt(await mkdtemp(join(root, '.cache/mcp-')), path => rm(path, { recursive: true, force: true }))
  await writeFile(
    join(folder, 'bot.config.ts'),
    `import mcp from '@kikimimi/mcp'
     import reply from '@kikimimi/reply'
     import terminal from '@kikimimi/terminal'
     import { defineBot } from 'kikimimi'
     export default defineBot({ persona: { name: 'kiki' }, database: './data', plugins: [terminal(), mcp(), reply()] })`,
  )
  const cli = join(root, 'packages/cli/cli.ts')
  const bot: ChildProcess = files.adopt(
    spawn(process.execPath, [cli, 'start'], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] }),
    async child => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  )
  bot.stdin?.write('alice: @kiki hello there\n')
  for await (const chunk of bot.stdout ?? []) if (`${chunk}`.includes('kiki')) break
  const client = new Client({ name: 'test', version: '1' })
  files.defer(() => client.close())
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [cli, 'mcp'], cwd: folder, stderr: 'inherit' }),
  )
  const { content } = await client.callTool({ name: 'search_messages', arguments: { words: 'hello' } })
  expect(JSON.stringify(content)).toContain('hello there')
})
