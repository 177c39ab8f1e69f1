import { mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { spooled } from './spool.ts'

test('the source ends although its reader waits, and the reader gets all of it', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-spool-'))
  const ended = Promise.withResolvers<void>()
  async function* source() {
    for (let count = 0; count < 100; count++) yield Buffer.alloc(10_000, count)
    ended.resolve()
  }
  const reader = spooled(source(), join(folder.path, 'spool'))
  const first = await reader.next()
  await ended.promise
  // The file has no name: it is gone with the process.
  expect(await readdir(folder.path)).toEqual([])
  const parts = [first.value ?? Buffer.of(), ...(await Array.fromAsync(reader))]
  expect(Buffer.concat(parts)).toEqual(Buffer.concat(Array.from({ length: 100 }, (_, count) => Buffer.alloc(10_000, count))))
})

test('an error of the source reaches the reader, and a reader that leaves ends the source', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-spool-'))
  const failing = spooled(
    (async function* () {
      yield Buffer.from('a')
      throw new Error('no more')
    })(),
    join(folder.path, 'spool'),
  )
  await expect(Array.fromAsync(failing)).rejects.toThrow('no more')
  let left = false
  const endless = spooled(
    (async function* () {
      try {
        for (;;) yield await new Promise<Buffer>(resolve => setImmediate(resolve, Buffer.from('more')))
      } finally {
        left = true
      }
    })(),
    join(folder.path, 'spool'),
  )
  await endless.next()
  await endless.return()
  expect(left).toBe(true)
})
