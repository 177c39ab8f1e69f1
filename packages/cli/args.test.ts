import { expect, test } from 'vitest'
import { commandIn, splitArgs } from './args.ts'

test('the command is the first word that is no option, nor the value of one', () => {
  expect(commandIn(['--config', 'my.config.ts', 'facts', 'list'])).toBe('facts')
  expect(commandIn(['--json', 'facts'])).toBe('facts')
  expect(commandIn(['--help'])).toBeUndefined()
})

test('what is the kernel’s is taken, and what is the command’s is left as it was typed', () => {
  const typed = ['--config=my.config.ts', 'facts', 'search', '--json', '--channel', 'dev', 'facts', '-x', '--', '--json']
  expect(splitArgs(typed, 'facts')).toEqual({
    config: 'my.config.ts',
    json: true,
    help: false,
    args: ['search', '--channel', 'dev', 'facts', '-x', '--', '--json'],
  })
  expect(splitArgs(['facts', '--config', 'my.config.ts', 'list', '--help'], 'facts')).toEqual({
    config: 'my.config.ts',
    json: false,
    help: true,
    args: ['list'],
  })
  expect(() => splitArgs(['facts', '--config'], 'facts')).toThrow('--config needs a file')
})
