import { setImmediate } from 'node:timers/promises'
import { VoiceUDPSocket } from '@discordjs/voice'
import { expect, test } from 'vitest'
import './call.ts'

test('a socket that is closed in the moment in which it was made does not end the process', async () => {
  const errors: unknown[] = []
  const socket = new VoiceUDPSocket({ ip: '127.0.0.1', port: 9 })
  socket.on('error', error => errors.push(error))
  socket.destroy()
  // Its first sign of life. The test run fails when it throws.
  await setImmediate()
  expect(() => socket.send(Buffer.alloc(8))).not.toThrow()
  expect(errors).toEqual([])
})
