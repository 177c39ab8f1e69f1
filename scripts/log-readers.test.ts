/** The check of SQL that reads the log, with planted queries. */
import { expect, test } from 'vitest'
import { isChecked, refusals } from './log-readers.ts'

const OLD = 'plugins/old/read.ts'
const texts = (more: Readonly<Record<string, string>>) =>
  new Map(Object.entries({ [OLD]: 'select 1 from kikimimi_v1.message', ...more }))

test.each([
  ['kikimimi_v1.message', `db.query('select text from kikimimi_v1.message m')`],
  ['kikimimi.message', `db.query('select text from kikimimi.message m')`],
  ['told_to', 'const SQL = `\n  cross join lateral kikimimi_v1.told_to(a.workspace, a.places, a.closed, t.place, t.visibility)`'],
  ['being_forgotten', '`where not m.being_forgotten`'],
])('SQL that names %s is refused', (name, planted) => {
  const line = planted.split('\n').length
  expect(refusals(texts({ 'plugins/new/read.ts': planted }), [OLD])).toEqual([
    `plugins/new/read.ts:${line} names ${name}. Read messages with ctx.use(MessageLog).read.`,
  ])
})

test('other views and functions are allowed', () => {
  const sql = `select kikimimi_v1.lock_message($1, $2, $3), kikimimi_v1.is_being_forgotten($1, $2) from kikimimi_v1.conversation, kikimimi.message_part, kikimimi.message-log`
  expect(refusals(texts({ 'plugins/new/read.ts': sql }), [OLD])).toEqual([])
})

test('a file that is moved, or that is gone, leaves the list', () => {
  const line = `${OLD} is moved. Remove it from EXCEPTIONS in scripts/log-readers.ts.`
  expect(refusals(texts({ [OLD]: '' }), [OLD])).toEqual([line])
  expect(refusals(new Map(), [OLD])).toEqual([line])
})

test('migrations and tests are not checked', () => {
  const paths = ['plugins/a/read.ts', 'packages/a/sql/read.sql', 'plugins/a/page/read.js']
  const others = ['plugins/a/a.test.ts', 'plugins/a/test-a.ts', 'plugins/a/testing/a.ts', 'plugins/a/migrations/001-a.sql']
  expect([...paths, ...others, 'plugins/a/schema.sql', 'core/a.ts'].filter(isChecked)).toEqual(paths)
})
