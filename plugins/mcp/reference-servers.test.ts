/** The reference servers of the Model Context Protocol, through the whole bot. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from 'kikimimi/testing'
import { expect, test, vi } from 'vitest'
import { using } from './test-bot.ts'

const { resolve } = createRequire(import.meta.url)

/** A picture of one pixel, as base64. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The program of a package. */
function program(name: string, ...args: readonly string[]) {
  const manifest = resolve(`@modelcontextprotocol/${name}/package.json`)
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'))
  const [path = ''] = Object.values<string>(bin)
  return { command: process.execPath, args: [join(manifest, '..', path), ...args] }
}

test('server-everything over stdio and over HTTP: texts, pictures, structure, resources, prompts', async () => {
  const port = await freePort()
  const { command, args } = program('server-everything', 'streamableHttp')
  const child = spawn(command, args, { env: { ...process.env, PORT: `${port}` }, stdio: ['ignore', 'ignore', 'pipe'] })
  try {
    await once(child.stderr, 'data')
    const script = {
      'add over stdio': [{ tool: 'mcp_all_get_sum', args: { a: 2, b: 40 } }],
      'add over http': [{ tool: 'mcp_net_get_sum', args: { a: 20, b: 3 } }],
      picture: [{ tool: 'mcp_all_get_tiny_image' }, { tool: 'mcp_all_get_structured_content', args: { location: 'New York' } }],
      resource: [
        { tool: 'mcp_net_list_resources' },
        { tool: 'mcp_net_read_resource', args: { uri: 'demo://resource/dynamic/text/7' } },
      ],
    }
    const servers = { all: program('server-everything', 'stdio'), net: { url: `http://127.0.0.1:${port}/mcp` } }
    // The server marks no tool as read-only.
    await using kiki = await using({ servers, rules: [{ tools: ['*'], confirm: 'never' }], toolTokens: 10_000 }, script)
    expect(await kiki.ask('alice', '@kiki add over stdio')).toEqual(['done'])
    // A tool that the server runs as a task alone refuses every call.
    const offered = kiki.model.asked[0]?.tools?.map(({ name }) => name)
    expect(offered).toContain('mcp_all_get_tiny_image')
    expect(offered).not.toContain('mcp_all_simulate_research_query')
    expect(kiki.results()).toEqual([
      expect.stringMatching(/tool "get-sum" of the MCP server "all"[\s\S]*```\n[\s\S]*42[\s\S]*```$/),
    ])
    await kiki.ask('alice', '@kiki add over http')
    expect(kiki.results()).toEqual([expect.stringMatching(/tool "get-sum" of the MCP server "net"[\s\S]*23/)])
    await kiki.ask('alice', '@kiki picture')
    expect(kiki.model.asked.at(-1)?.messages.at(-1)).toMatchObject({
      role: 'user',
      images: [expect.stringMatching(/^data:image\/png;base64,/)],
    })
    expect(kiki.results()[1]).toContain('temperature')
    const { notes } = await kiki.bot.trace()
    expect(notes?.map(({ text }) => text).sort()).toEqual([
      expect.stringMatching(/^all\/get-structured-content: \d+ B of text, \d+ ms$/),
      expect.stringMatching(/^all\/get-tiny-image: \d+ B of text, 1 files, \d+ ms$/),
    ])
    await kiki.ask('alice', '@kiki resource')
    expect(kiki.results()[0]).toContain('demo://resource/')
    expect(kiki.results()[1]).toMatch(/\[demo:\/\/resource\/dynamic\/text\/7\]\nResource 7/)
    // A person chooses a prompt.
    expect(await kiki.bot.command('alice', 'prompt')).toMatch(/^all\/args-prompt city=… \[state=…\]/m)
    expect(await kiki.bot.command('alice', 'prompt all/args-prompt')).toContain('needs city')
    expect(await kiki.bot.command('alice', 'prompt all/args-prompt city=New York')).toBe('done')
    expect(kiki.model.asked.at(-1)?.messages).toEqual([{ role: 'user', text: expect.stringContaining('New York') }])
  } finally {
    child.kill()
  }
})

test('server-filesystem: reading needs no confirmation, writing does', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'mcp-'))
  const file = join(folder.path, 'a.txt')
  writeFileSync(file, 'the key is under the blue pot')
  const picture = join(folder.path, 'dot.png')
  writeFileSync(picture, Buffer.from(DOT, 'base64'))
  const script = {
    read: [{ tool: 'mcp_files_read_text_file', args: { path: file } }],
    outside: [{ tool: 'mcp_files_read_text_file', args: { path: '/etc/hostname' } }],
    write: [{ tool: 'mcp_files_write_file', args: { path: file, content: 'gone' } }],
    picture: [{ tool: 'mcp_files_read_media_file', args: { path: picture } }],
  }
  await using kiki = await using({ servers: { files: program('server-filesystem', folder.path) } }, script)
  await kiki.ask('alice', '@kiki read it')
  expect(kiki.results()[0]).toContain('the key is under the blue pot')
  await kiki.ask('alice', '@kiki show the picture')
  expect(kiki.model.asked.at(-1)?.messages.at(-1)).toMatchObject({ images: [`data:image/png;base64,${DOT}`] })
  expect(kiki.results()[0]).not.toContain(DOT.slice(0, 40))
  await kiki.ask('alice', '@kiki look outside')
  expect(kiki.results()[0]).toContain('Access denied')
  const [answer, question] = await kiki.ask('alice', '@kiki write it')
  expect(answer).toBe('done')
  expect(question).toMatch(/▸ files\/write_file\n```json\n[\s\S]*"content": "gone"[\s\S]*alice, may I do this\?/)
  expect(kiki.results()[0]).toMatch(/^Not run yet/)
  expect(readFileSync(file, 'utf8')).toContain('blue pot')
  await kiki.ask('alice', '@kiki yes')
  expect(readFileSync(file, 'utf8')).toBe('gone')
})

test('server-memory: values of the environment reach the server by name', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'mcp-'))
  const entities = [{ name: 'pot', entityType: 'thing', observations: ['blue'] }]
  const script = {
    keep: [{ tool: 'mcp_graph_create_entities', args: { entities } }],
    what: [{ tool: 'mcp_graph_read_graph' }],
  }
  vi.stubEnv('TEST_MCP_GRAPH', join(folder.path, 'graph.jsonl'))
  const servers = { graph: { ...program('server-memory'), env: { MEMORY_FILE_PATH: 'TEST_MCP_GRAPH' } } }
  await using kiki = await using({ servers, rules: [{ tools: ['graph'], confirm: 'never' }] }, script)
  await kiki.ask('alice', '@kiki keep it')
  await kiki.ask('alice', '@kiki what do you know?')
  expect(kiki.results()[0]).toContain('blue')
  expect(readFileSync(join(folder.path, 'graph.jsonl'), 'utf8')).toContain('blue')
})
