import { expect, test } from 'vitest'
import { tombstoneFile } from './tombstones.ts'

const project = new URL('file:///srv/bot/')

test('the file is beside the data, or beside bot.config.ts', () => {
  expect(tombstoneFile('/var/kiki', project)).toBe('/var/kiki.erased')
  expect(tombstoneFile('./data', project)).toBe('/srv/bot/data.erased')
  expect(tombstoneFile('postgres://server/kiki', project)).toBe('/srv/bot/kikimimi.erased')
})

test('another file takes its place, but a database in memory has none', () => {
  expect(tombstoneFile('postgres://server/kiki', project, '/backups/kikimimi.erased')).toBe('/backups/kikimimi.erased')
  expect(tombstoneFile('memory', project, '/backups/kikimimi.erased')).toBeUndefined()
  expect(tombstoneFile(false, project, '/backups/kikimimi.erased')).toBeUndefined()
})
