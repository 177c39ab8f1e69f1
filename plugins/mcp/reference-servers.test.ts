/** The reference servers of the Model Context Protocol, through the whole bot. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from 'kikimimi/testing'
import { expect, test, vi } from 'vitest'
import { using } from './testing/bot.ts'

const { resolve } = createRequire(import.meta.url)

/** The program of a package. */
function program(name: string, ...args: readonly string[]) {
  const manifest = resolve(`@modelcontextprotocol/${name}/package.json`)
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'))
  const [path = ''] = Object.values<string>(bin)
  return { command: process.execPath, args: [join(manifest, '..', path), ...args] }
}

test('server-everything over stdio', async () => {
  await using kiki = await using({ servers: { all: program('server-everything', 'stdio') } }, { echo: [{ tool: 'mcp_all_echo', args: { message: 'hi' } }] })
  expect(await kiki.ask('alice', '@kiki echo')).toEqual(['done'])
  expect(kiki.results()).toEqual([])
  expect(kiki.offered()).toEqual([])
})
