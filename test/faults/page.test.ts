import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { callers } from './callers.ts'
import { models } from './models.ts'
import { parts } from './parts.ts'
import { stages } from './stages.ts'
import { type Table, toMarkdown } from './table.ts'
import { world } from './world.ts'

const PAGE = new URL('../../docs/faults.md', import.meta.url)

test('docs/faults.md describes these tests', async () => {
  const page = await readFile(PAGE, 'utf8')
  const told = [stages, callers, models, parts, world].reduce(withTable, page)
  const rewrite = 'docs/faults.md tells something else than the tests. Write it anew: npm test -- test/faults/page.test.ts -u'
  await expect(told, rewrite).toMatchFileSnapshot(PAGE.pathname)
})

/** The page with the table under its heading replaced. */
function withTable(page: string, table: Table): string {
  const [before, after, ...rest] = page.split(`\n## ${table.heading}\n`)
  if (after === undefined || rest.length > 0) throw new Error(`docs/faults.md needs the heading "## ${table.heading}", once.`)
  const written = after.replace(/^\|.*\n(?:\|.*\n)*/m, () => `${toMarkdown(table)}\n`)
  return `${before}\n## ${table.heading}\n${written}`
}
