import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import { systemClock } from 'kikimimi'
import type { PlatformContext } from 'kikimimi/platform'
import { expect, test } from 'vitest'
import { type Connection, type ConnectionOptions, connect } from './connection.ts'

test('reports which shards are disconnected', async () => {
  await using discord = await startDiscord({ shards: 2 })
  await using scope = new AsyncDisposableStack()
  const connection = await connected(discord, scope, 'auto')
  expect(connection.lost()).toEqual([])
  discord.down(true)
  await discord.until(() => connection.lost().length === 2)
  expect(connection.lost()).toEqual([0, 1])
})

test.each<[string, ConnectionOptions['shards'], number[][]]>([
  [
    'as many as Discord recommends',
    'auto',
    [
      [0, 3],
      [1, 3],
      [2, 3],
    ],
  ],
  [
    'as many as it is told to',
    2,
    [
      [0, 2],
      [1, 2],
    ],
  ],
  ['the one that it is told to', { id: 3, count: 4, mayIdentify: async () => {} }, [[3, 4]]],
])('runs %s', async (_, shards, identified) => {
  await using discord = await startDiscord({ shards: 3 })
  await using scope = new AsyncDisposableStack()
  await connected(discord, scope, shards)
  expect(discord.calls.flatMap(({ method, body }) => (method === 'IDENTIFY' ? [body] : []))).toMatchObject(
    identified.map(shard => ({ shard })),
  )
})

async function connected(
  { token, apiUrl }: DiscordEmulator,
  scope: AsyncDisposableStack,
  shards: ConnectionOptions['shards'],
): Promise<Connection> {
  const log: PlatformContext['log'] = { debug() {}, info() {}, warn() {}, error() {}, child: () => log }
  const ctx = { clock: systemClock, random: Math.random, log, scope, fail() {}, trackPosition: async () => async () => {} }
  const stopping = new AbortController()
  scope.defer(() => stopping.abort())
  const connection = await connect(
    ctx,
    { token, apiUrl, shards, timeout: 1_000, listen() {}, usesVoice: () => false },
    stopping.signal,
  )
  scope.defer(connection.close)
  return connection
}
