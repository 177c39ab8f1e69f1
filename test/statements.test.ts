import { expect, test } from 'vitest'
import { testBot } from 'kikimimi/testing'
import config from '../bot.config.ts'

function countStatements(db: any): Map<string, number> {
  const counts = new Map<string, number>()
  const note = (sql: string) => {
    const key = sql.replace(/\s+/g, ' ').trim().slice(0, 140)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const spy = (run: any, on: any) => (...args: any[]) => (note(args[0]), run.apply(on, args))
  Object.assign(db, { query: spy(db.query, db), script: spy(db.script, db) })
  if (db.kind === 'pglite') Object.assign(db.lite, { query: spy(db.lite.query, db.lite), exec: spy(db.lite.exec, db.lite) })
  return counts
}
function show(counts: Map<string, number>, n: number) {
  const rows = [...counts].sort((a, b) => b[1] - a[1])
  let sum = 0
  for (const [, c] of rows) sum += c
  console.log(`total ${(sum / n).toFixed(2)}\n` + rows.slice(0, 40).map(([s, c]) => `${(c / n).toFixed(3)} ${s}`).join('\n'))
}
for (const storage of ['pglite', 'postgres'] as const) {
  if (storage === 'postgres' && !process.env.TEST_DATABASE_URL) continue
test('count ' + storage, async () => {
  const { database: _, ...rest } = config as any
  await using bot = await testBot({ ...rest, storage })
  await bot.pass('1m')
  for (let i = 0; i < 20; i++) { await bot.say('alice', `the train number ${i} is late`, {channel: 'busy'}); await bot.pass('1s') }
  await bot.pass('10m')
  const counts = countStatements(bot.db)
  const n = 60
  for (let i = 0; i < n; i++) { await bot.say('alice', `the train number ${i} is late`, {channel: 'busy'}); await bot.pass('1s') }
  await bot.pass('2m')
  console.log('BUSY'); show(counts, n)
  await bot.pass('10m')
  counts.clear()
  for (let i = 0; i < 50; i++) { await bot.say('alice', `the train number ${i} is late`, {channel: 'sparse' + i}); await bot.pass('100ms') }
  await bot.pass('2m')
  console.log('SPARSE new'); show(counts, 50)
  await bot.pass('10m')
  counts.clear()
  for (let i = 0; i < 50; i++) { await bot.say('alice', `the bus number ${i} is late`, {channel: 'sparse' + i}); await bot.pass('100ms') }
  await bot.pass('2m')
  console.log('SPARSE known'); show(counts, 50)
  expect(1).toBe(1)
}, 300000)
}
