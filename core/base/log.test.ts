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
})
