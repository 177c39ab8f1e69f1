#!/usr/bin/env bash
# chromadb 3.5.0 (the JavaScript client) with a Chroma server 1.0.1 (the npm package of its binding, Linux x64, glibc 2.34 or newer).
# A good guess: update({ metadatas: [{ colour: null }] }) removes the key "colour". The types allow null, and the call resolves.
# Seen: the client drops keys whose value is null before it sends the request, so the server gets {} and keeps the old value. The record is
# still found by where: { colour: 'red' }. The server itself removes a key that it gets as null, so only a request without the client can.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund chromadb@3.5.0
mkdir server && cd server && npm init -y >/dev/null
npm install --silent --no-audit --no-fund chromadb-js-bindings-linux-x64-gnu@1.0.1
cd ..
cat >run.mjs <<'JS'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { ChromaClient } from 'chromadb'

const free = await new Promise(done => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port } = probe.address()
    probe.close(() => done(port))
  })
})
const serve = 'require("chromadb-js-bindings-linux-x64-gnu").cli(["chroma", "run", ...process.argv.slice(1)])'
const server = spawn(process.execPath, ['-e', serve, '--', '--path', './data', '--host', '127.0.0.1', '--port', String(free)], {
  cwd: 'server',
  stdio: 'ignore',
})
try {
  const client = new ChromaClient({ host: '127.0.0.1', port: free })
  for (let tries = 0; !(await client.heartbeat().catch(() => 0)); tries++) {
    assert(tries < 150, 'the server answers within 30 s')
    await new Promise(done => setTimeout(done, 200))
  }
  const shirts = await client.createCollection({ name: 'shirts', embeddingFunction: null })
  await shirts.add({ ids: ['one'], embeddings: [[1, 0]], metadatas: [{ colour: 'red', size: 40 }] })
  await shirts.update({ ids: ['one'], metadatas: [{ colour: null, size: 41 }] })
  const [byClient] = (await shirts.get({ ids: ['one'] })).metadatas
  console.log('after update() with colour: null', byClient)
  assert.deepEqual({ ...byClient }, { colour: 'red', size: 41 })
  assert.deepEqual((await shirts.get({ where: { colour: 'red' } })).ids, ['one'])

  const path = `/api/v2/tenants/default_tenant/databases/default_database/collections/${shirts.id}/update`
  const answer = await fetch(`http://127.0.0.1:${free}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ids: ['one'], metadatas: [{ colour: null }] }),
  })
  assert.equal(answer.status, 200)
  const [byRequest] = (await shirts.get({ ids: ['one'] })).metadatas
  console.log('after the same as a plain request', byRequest)
  assert.deepEqual({ ...byRequest }, { size: 41 })
} finally {
  server.kill('SIGKILL')
}
JS
node run.mjs
