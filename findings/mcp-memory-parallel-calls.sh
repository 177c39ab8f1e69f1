#!/usr/bin/env bash
# @modelcontextprotocol/server-memory 2026.8.31 (the reference memory server), called with @modelcontextprotocol/sdk 1.32.2.
# A good guess: 20 calls of create_entities that one client sends without waiting between them are all kept. Models ask for several tool calls
# in one answer, and clients run these side by side.
# Seen: each of the 20 calls answers with the entity as created, and the graph holds a few of them, often 1. Every call reads the whole file,
# adds its part and writes the whole file. One call after the other keeps all 20.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @modelcontextprotocol/server-memory@2026.8.31 @modelcontextprotocol/sdk@1.32.2
cat >run.mjs <<'JS'
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const client = new Client({ name: 'finding', version: '1.0.0' })
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: ['node_modules/@modelcontextprotocol/server-memory/dist/index.js'],
    env: { ...process.env, MEMORY_FILE_PATH: join(process.cwd(), 'memory.jsonl') },
    stderr: 'ignore',
  }),
)
const call = async (name, given) => JSON.parse((await client.callTool({ name, arguments: given })).content[0].text)
const create = name => call('create_entities', { entities: [{ name, entityType: 'person', observations: ['likes tea'] }] })
const kept = async prefix => (await call('read_graph', {})).entities.filter(({ name }) => name.startsWith(prefix)).length
const numbers = Array.from({ length: 20 }, (_, number) => number)

for (const number of numbers) await create(`turn ${number}`)
const answers = await Promise.all(numbers.map(number => create(`together ${number}`)))
const result = { confirmed: answers.filter(([one]) => one).length, kept: await kept('together'), keptInTurn: await kept('turn') }
await client.close()
console.log(result)
assert.equal(result.keptInTurn, 20)
assert.equal(result.confirmed, 20)
assert(result.kept < 20)
JS
node run.mjs
