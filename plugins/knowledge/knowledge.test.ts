// postgres: the statements of knowledge
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import reply from '@kikimimi/reply'
import { promptOf, scriptedModel, testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import knowledge from './index.ts'
import { indexed, until } from './testing/indexed.ts'
import { tempFolder } from './testing/temp-folder.ts'

const TRAINS = `# Travel

## Trains

The first train to Ueno leaves at 06:15 from platform 3.

## Busses

The bus to the airport takes forty minutes.
`

/** Answers with the first passage alone, cites it, and cites one that was not given. */
const quoting = () =>
  scriptedModel(request => {
    const passage = /^> (.+)$/m.exec(promptOf(request).split('From the documents')[1] ?? '')?.[1]
    return passage ? `${passage} [1] [7]` : 'I do not know.'
  })

test('answers from a passage, cites its place, and tells when the documents have nothing', async () => {
  await using docs = await tempFolder({ 'travel.md': TRAINS, 'deep/rooms.txt': 'The meeting room Fuji has twelve chairs.' })
  const model = quoting()
  const plugin = knowledge({ sources: [{ folder: docs.path, name: 'handbook', link: 'https://docs.example/' }] })
  await using bot = await testBot({ plugins: [plugin, reply], model })
  await indexed(bot, 1)
  await bot.say('alice', '@kiki when does the first train to Ueno leave?')
  expect(bot.sent.at(-1)).toBe(
    'The first train to Ueno leaves at 06:15 from platform 3. [1]\n\n[1] travel.md › Trains https://docs.example/travel.md#trains',
  )
  expect((await bot.trace()).sections).toMatchObject([{ title: 'From the documents', plugin: 'knowledge', kept: true }])
  await bot.say('alice', '@kiki how many moons does Jupiter have?')
  expect(bot.sent.at(-1)).toBe('I do not know.')
  expect(promptOf(model.asked.at(-1))).toContain('The documents have nothing about this (handbook).')

  // A changed file is read anew, in its changed parts alone; a deleted one is gone.
  const ids = () => bot.db.query<{ id: number; text: string }>('select id, text from knowledge.passage order by id')
  const before = (await ids()).rows
  await writeFile(join(docs.path, 'travel.md'), TRAINS.replace('06:15', '06:40'))
  await rm(join(docs.path, 'deep/rooms.txt'))
  await indexed(bot, 1)
  await bot.say('alice', '@kiki when does the first train to Ueno leave?')
  expect(bot.sent.at(-1)).toContain('leaves at 06:40')
  const after = (await ids()).rows
  expect(after.map(({ text }) => text.slice(0, 12))).toEqual(['The bus to t', 'The first tr'])
  expect(after[0]).toEqual(before.find(({ text }) => text.startsWith('The bus')))
  const { rows } = await bot.db.query(
    'select passages::int, (select count(*)::int from knowledge.token) as tokens from knowledge.source',
  )
  expect(rows).toEqual([{ passages: 2, tokens: expect.any(Number) }])
})

/** A PDF of one line, whose title holds a NUL. */
function pdfWithNul(line: string): string {
  const content = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Title (Gar\\000den) >>',
  ].map((body, at) => `${at + 1} 0 obj\n${body}\nendobj\n`)
  return `%PDF-1.4\n${objects.join('')}trailer\n<< /Root 1 0 R /Info 6 0 R /Size 7 >>\n%%EOF\n`
}

test('a NUL in the title of a PDF is left out, one in a text file is no text, and the files after them are read', async () => {
  await using docs = await tempFolder({
    'a.pdf': pdfWithNul('The garden opens at nine.'),
    'b.md': '# Ro\0oms\n\nThe room Fuji has twelve\0 chairs.',
    'c.md': '# Pets\n\nThe parrot is called Xenophon.',
  })
  await using bot = await testBot({
    plugins: [knowledge({ sources: [{ folder: docs.path, name: 'docs' }] }), reply],
    model: quoting(),
  })
  await indexed(bot, 1)
  const { rows } = await bot.db.query('select path, title, problem from knowledge.document order by path')
  expect(rows).toMatchObject([
    { path: 'a.pdf', title: 'Garden', problem: null },
    { path: 'b.md', problem: 'it is no text' },
    { path: 'c.md', problem: null },
  ])
  await bot.say('alice', '@kiki how is the parrot called?')
  expect(bot.sent.at(-1)).toContain('Xenophon')
  await bot.say('alice', '@kiki when does the garden open?')
  expect(bot.sent.at(-1)).toContain('opens at nine')
})

test('a file that cannot be read is told, and stops no other', async () => {
  await using docs = await tempFolder({
    'broken.pdf': 'no pdf',
    'empty.md': '',
    'good.md': '# Rooms\n\nThe room Fuji has twelve chairs.',
  })
  await using place = await tempFolder({})
  const missing = join(place.path, 'missing')
  const plugin = knowledge({
    sources: [
      { folder: docs.path, name: 'docs' },
      { folder: missing, name: 'missing' },
    ],
  })
  await using bot = await testBot({ plugins: [plugin, reply], model: quoting() })
  await indexed(bot, 2)
  await bot.say('alice', '@kiki how many chairs has the room Fuji?')
  expect(bot.sent.at(-1)).toMatch(/\n\n\[1\] good\.md$/)
  expect(bot.log.join('\n')).toMatch(/docs: broken\.pdf cannot be read: /)
  expect(bot.log.join('\n')).toMatch(/docs: empty\.md cannot be read: it has no text/)
  expect(bot.log.join('\n')).toMatch(/missing cannot be read, and what was read before is kept: there is no folder \/.+missing/)
  const told = bot.log.length
  await writeFile(join(docs.path, 'good.md'), '# Rooms\n\nThe room Fuji has twelve chairs.')
  await indexed(bot, 1)
  await indexed(bot, 1, '1h')
  expect(bot.log.slice(told).filter(line => line.includes('broken.pdf'))).toEqual([])
  const lines: string[] = []
  await bot.bot.command('knowledge', [], { print: line => void lines.push(line), json: false })
  expect(lines).toEqual([
    'docs  1 documents  1 passages  2 unreadable',
    expect.stringMatching(/^missing {2}0 documents {2}0 passages {2}0 unreadable {2}there is no folder /),
    expect.stringMatching(/^ {2}docs: broken\.pdf: /),
    '  docs: empty.md: it has no text',
  ])
  lines.length = 0
  await bot.bot.command('knowledge', ['search', 'chairs', 'in', 'Fuji'], { print: line => void lines.push(line), json: false })
  expect(lines).toEqual([expect.stringMatching(/^\d+ % {2}good\.md\n {4}The room Fuji has twelve chairs\.$/)])
  await bot.bot.command('knowledge', ['reindex'], { print: line => void lines.push(line), json: false })
  expect(lines[1]).toBe('docs  1 documents  1 passages  2 unreadable')

  // A folder that appears is read within the hour.
  await mkdir(missing)
  await writeFile(join(missing, 'late.md'), 'The room Aso has no chairs.')
  await bot.pass('1h')
  await until(bot, 1, `select 1 from knowledge.source where name = 'missing' and passages = 1`)

  // A source that is no longer listed goes.
  await bot.reload({ plugins: [knowledge({ sources: [{ folder: docs.path, name: 'other' }] }), reply] })
  await indexed(bot, 1)
  const { rows } = await bot.db.query('select name, passages::int from knowledge.source')
  expect(rows).toEqual([{ name: 'other', passages: 1 }])
})

test('the offline model answers from a passage, in English and in Japanese', async () => {
  await using docs = await tempFolder({
    'travel.md': TRAINS,
    'ja.md': '# 社内規程\n\n## 経費\n\n出張の経費は翌月の五日までに申請します。\n\n## 休暇\n\n夏の休暇は三日です。',
  })
  await using bot = await testBot({ plugins: [knowledge({ sources: [{ folder: docs.path }] }), reply] })
  await indexed(bot, 1)
  await bot.say('alice', '@kiki how long does the bus to the airport take?')
  expect(bot.sent.at(-1)).toBe('“The bus to the airport takes forty minutes.” [1]\n\n[1] travel.md › Busses')
  await bot.say('花子', '@kiki 出張の経費はいつまでに申請しますか？')
  expect(bot.sent.at(-1)).toBe('“出張の経費は翌月の五日までに申請します。” [1]\n\n[1] ja.md › 経費')
  await bot.say('alice', '@kiki how many moons does Jupiter have?')
  expect(bot.sent.at(-1)).not.toContain('[1]')
})
