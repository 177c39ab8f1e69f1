import { type App, systemClock } from 'kikimimi'
import { type DiscordEmulator, startDiscord } from 'kikimimi/testing/discord'
import { expect, test } from 'vitest'
import { type ConnectionOptions, createConnection } from './connection.ts'

test('says why it hears nothing, while it does not', async () => {
  await using discord = await startDiscord()
  await using scope = new AsyncDisposableStack()
  const { connection, signal } = connect(discord, scope)
  expect(connection.unready()).toBe('not connected to Discord')
  await connection.open(signal)
  expect(connection.unready()).toBeUndefined()
  discord.down(true)
  await discord.until(() => connection.unready() !== undefined)
  expect(connection.unready()).toBe('no connection to Discord (shard 0)')
})

test('runs the shards it is told to', async () => {
  await using discord = await startDiscord({ shards: 4 })
  await using scope = new AsyncDisposableStack()
  const { connection, signal } = connect(discord, scope, { ids: [1, 3], count: 4 })
  await connection.open(signal)
  expect(discord.calls.flatMap(({ method, body }) => (method === 'IDENTIFY' ? [body] : []))).toMatchObject([
    { shard: [1, 4] },
    { shard: [3, 4] },
  ])
})

function connect(discord: DiscordEmulator, scope: AsyncDisposableStack, shards: ConnectionOptions['shards'] = 'auto') {
  const log: App['log'] = { debug() {}, info() {}, warn() {}, error() {}, child: () => log }
  const app = { clock: systemClock, random: Math.random, log, scope, fail() {}, bookmark: async () => async () => {} }
  const stopping = new AbortController()
  scope.defer(() => stopping.abort())
  const { token, apiUrl } = discord
  return { connection: createConnection(app, { token, apiUrl, shards, timeout: 1_000, listen() {} }), signal: stopping.signal }
}
