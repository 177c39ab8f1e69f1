import { expect, it } from 'vitest'
import { VirtualClock } from './clock.ts'
import { createLogger, secretsOf } from './log.ts'

const written = (secrets: readonly string[], format: 'lines' | 'json', text: string) => {
  const lines: string[] = []
  createLogger({ level: 'info', format, write: line => void lines.push(line), clock: new VirtualClock(), secrets }).info('said', {
    text,
  })
  return lines.join('')
}

it('secrets of the environment never appear in any form', () => {
  const secrets = secretsOf({
    GOOGLE_API_KEY: 'abc"def\\ghi',
    DATABASE_URL: 'postgres://kiki:p%40ssword@127.0.0.1/bot',
    HOME: '/home/kiki',
  })
  for (const format of ['lines', 'json'] as const) {
    expect(written(secrets, format, 'key abc"def\\ghi')).not.toContain('def')
    expect(written(secrets, format, 'postgres://kiki:p%40ssword@127.0.0.1 p@ssword')).not.toMatch(/ssword/)
    expect(written(secrets, format, '/home/kiki')).toContain('/home/kiki')
  }
})

it('a password with a stray percent sign is a secret too, and no error', () => {
  expect(secretsOf({ DATABASE_URL: 'postgres://kiki:50%off-today@127.0.0.1/bot' }).join(' ')).toContain('off-today')
  // The name of a file of a secret is none.
  expect(secretsOf({ PGPASSWORD_FILE: '/run/kikimimi/password' })).toEqual([])
})

it('a field with a name of the log itself never replaces what the log says', () => {
  const fields = JSON.parse('{ "at": 1, "level": 2, "plugin": 3, "message": 4, "channel": "c" }')
  const lines: string[] = []
  const options = { level: 'info', write: (line: string) => void lines.push(line), clock: new VirtualClock() } as const
  const log = createLogger({ ...options, format: 'json' })
  log.child('discord').warn('could not be taken in', fields)
  log.warn('no plugin', fields)
  const common = { level: 'warn', channel: 'c', at_: 1, level_: 2, plugin_: 3, message_: 4 }
  const at = new Date(options.clock.now()).toISOString()
  expect(lines.map(line => JSON.parse(line))).toEqual([
    { ...common, at, plugin: 'discord', message: 'could not be taken in' },
    { ...common, at, message: 'no plugin' },
  ])

  // @ts-expect-error a field is not called `message`
  log.info('typed', { message: '1' })
})
