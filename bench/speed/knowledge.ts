/**
 * Ten thousand documents in the index of the plugin knowledge, on PGlite in a folder: the time of indexing, what a turn waits for meanwhile,
 * the time of a search, the size of the database and the memory. `npm run bench:documents -- [--documents 10000] [--searches 200]`
 */
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from 'kikimimi'
import { seededRandom } from '../../core/base/random.ts'
import { openDatabase } from '../../core/storage/database/database.ts'
import { migrate } from '../../core/storage/database/migrate.ts'
import { syncSource } from '../../plugins/knowledge/index/sync.ts'
import { search } from '../../plugins/knowledge/search/search.ts'
import { folderSource } from '../../plugins/knowledge/sources/folder.ts'
import { heapStep, latency, machine, progress } from '../base/measure.ts'
import { benchLog } from '../base/talk.ts'

const { values } = parseArgs({
  options: { documents: { type: 'string', default: '10000' }, searches: { type: 'string', default: '200' } },
})
const DOCUMENTS = Number(values.documents)
const VOCABULARY = 40_000
const PER_FOLDER = 100

const random = seededRandom(1)

/** Words whose frequency falls with their number, as those of a language do. Every third document is Japanese. */
function wordAt(isJapanese: boolean): string {
  const number = Math.floor(VOCABULARY ** random())
  if (!isJapanese) return `word${number.toString(36)}`
  return String.fromCharCode(0x4e00 + (number % 2_000), 0x4e00 + ((number * 7) % 2_000)) + (number % 3 === 0 ? 'を' : 'の')
}

function textOf(words: number, isJapanese: boolean): string {
  return Array.from({ length: words }, () => wordAt(isJapanese)).join(isJapanese ? '' : ' ')
}

function documentOf(number: number): string {
  const isJapanese = number % 3 === 0
  const sections = Array.from(
    { length: 3 },
    (_, at) => `## Section ${at} ${textOf(3, isJapanese)}\n\n${textOf(isJapanese ? 80 : 150, isJapanese)}`,
  )
  return `# Document ${number}\n\n${sections.join('\n\n')}\n`
}

await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-documents-'))
const docs = join(folder.path, 'docs')
for (let number = 0; number < DOCUMENTS; number++) {
  const place = join(docs, String(Math.floor(number / PER_FOLDER)))
  if (number % PER_FOLDER === 0) await mkdir(place, { recursive: true })
  await writeFile(join(place, `${number}.md`), documentOf(number))
}
progress(`${DOCUMENTS} documents`)

await using scope = new AsyncDisposableStack()
const db = scope.adopt(await openDatabase(join(folder.path, 'data'), { clock: systemClock, log: benchLog }), opened =>
  opened.close(),
)
await migrate(db, 'kikimimi', new URL('../../core/storage/migrations/', import.meta.url), systemClock)
await migrate(db, 'knowledge', new URL('../../plugins/knowledge/migrations/', import.meta.url), systemClock)
const source = folderSource({ name: 'docs', folder: docs })
const { signal } = new AbortController()
const before = heapStep(0)

/** How long a statement of a turn waits while documents are indexed. */
const waits: number[] = []
const waiting = setInterval(async () => {
  const begun = performance.now()
  await db.query('select 1')
  waits.push(performance.now() - begun)
}, 50)
const cpuBefore = cpuMs()
const indexSeconds = await seconds(sync)
const indexCpuSeconds = Math.round((cpuMs() - cpuBefore) / 1_000)
clearInterval(waiting)
progress(`indexed in ${indexSeconds} s`)
const againSeconds = await seconds(sync)
const during = heapStep(0)

const times: number[] = []
const cpuSearches = cpuMs()
for (let count = 0; count < Number(values.searches); count++) {
  const text = textOf(6, count % 3 === 0)
  const begun = performance.now()
  await search(db, undefined, { text, sources: ['docs'], limit: 5 })
  times.push(performance.now() - begun)
}
const searchesCpuMs = cpuMs() - cpuSearches
const { rows } = await db.query<{ passages: number; mb: number; indexMb: number }>(
  `select (select sum(passages)::int from knowledge.source) as passages,
     round(pg_database_size(current_database()) / 1048576.0)::int as mb,
     round(pg_relation_size('knowledge.passage_tokens') / 1048576.0)::int as "indexMb"`,
)
const results = {
  machine: machine(),
  documents: DOCUMENTS,
  ...rows[0],
  indexSeconds,
  indexCpuSeconds,
  unchangedSeconds: againSeconds,
  waitMs: latency(waits),
  searchMs: latency(times),
  searchCpuMs: Math.round(searchesCpuMs / Number(values.searches)),
  memory: { before, during, after: heapStep(1) },
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)

/** Processor time of this process and its threads, which a busy machine hardly changes. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

async function sync(): Promise<void> {
  const since = new Date()
  for (let result = 'more'; result === 'more'; ) {
    result = await syncSource({ db, clock: systemClock, log: benchLog }, source, since, signal)
    const { rows } = await db.query<{ read: number }>('select count(*)::int as read from knowledge.document')
    const { rss, heapTotal, external } = process.memoryUsage()
    const mb = (bytes: number) => Math.round(bytes / 1_048_576)
    progress(
      `${rows[0]?.read} read; MB in all ${mb(rss)}, of the heap ${mb(heapTotal)}, of buffers and the database ${mb(external)}`,
    )
  }
}

async function seconds(run: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await run()
  return Math.round((performance.now() - begun) / 100) / 10
}
