/**
 * Questions to the documents of this project and to debian-reference, in English and Japanese, through the whole bot with PGlite: whether the
 * passages of the answer are in the prompt, whether the answer cites the right place, whether the bot is told that the documents have nothing,
 * and how soon a changed file is answered from. `npm run bench:knowledge -- [--set questions|held|third] [--share /usr/share] [--show]`
 *
 * The sets `held` and `third` are about other documents, of Debian's packages debian-faq, developers-reference and maint-guide, each also `-ja`.
 */
import { copyFile, mkdir, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import knowledge from '@kikimimi/knowledge'
import reply from '@kikimimi/reply'
import { type Database, startBot, systemClock } from 'kikimimi'
import { openDatabase } from '../../core/storage/database/database.ts'
import { promptOf, scriptedModel } from '../../core/testing/scripted-model.ts'
import { latency, machine, progress } from '../base/measure.ts'
import { benchLog, deafPlatform, said } from '../base/talk.ts'
import { answers, holds, type Question, readQuestions, SETS } from './knowledge/questions.ts'

const { values } = parseArgs({
  options: {
    share: { type: 'string', default: '/usr/share' },
    set: { type: 'string', default: 'questions' },
    show: { type: 'boolean', default: false },
  },
})

const set = SETS.find(name => name === values.set)
if (!set) throw new Error(`--set takes ${SETS.join(', ')}`)
const isHeld = set !== 'questions'

/** The folders with the pages of a set, English and Japanese. Each is a Debian package. */
const PAGES = {
  held: [
    ['doc/debian/FAQ', 'doc/debian/FAQ/ja'],
    ['developers-reference', 'developers-reference/ja'],
  ],
  third: [['doc/maint-guide/html', 'doc/maint-guide-ja/html']],
} as const

const UNKNOWN = 'I do not know.'
const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url))

await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-knowledge-'))
await copyDocuments()
const titles = new Map<string, string>()
for (const name of await readdir(DOCS, { recursive: true })) {
  if (!name.endsWith('.md')) continue
  const [, title = ''] = /^# (.+)$/m.exec(await readFile(join(DOCS, name), 'utf8')) ?? []
  titles.set(name, title)
}
const questions = await readQuestions(set)
/** The question that the model answers now. */
let asked: Question | undefined

/** Answers with the words of the first passage that has the answer, cites it and one that was not given. It knows nothing else. */
const model = scriptedModel(request => {
  const words = asked?.words ?? []
  const passage = passagesIn(promptOf(request)).find(({ text }) => holds(words, text))
  const word = words.find(one => passage && holds([one], passage.text))
  return passage && word !== undefined ? `It is ${word.replace(/[`[\]]/g, '')} [${passage.number}] [19].` : UNKNOWN
})

const posted: string[] = []
const platform = {
  ...deafPlatform(),
  send: async (_conversation: unknown, { text = '' }: { text?: string }) => ({ id: `posted-${posted.push(text)}` }),
}
await using scope = new AsyncDisposableStack()
const db = scope.adopt(await openDatabase('memory', { clock: systemClock, log: benchLog }), opened => opened.close())
const source = (name: string, place: string) => ({
  folder: join(folder.path, name),
  name,
  audience: { places: [`#${place}`] as [string] },
})
const sources = isHeld
  ? [source('held-en', 'en'), source('held-ja', 'ja')]
  : [source('docs', 'en'), source('docs-ja', 'ja'), source('debian-en', 'en'), source('debian-ja', 'ja')]
const [first, ...others] = sources
const bot = scope.use(
  await startBot(
    {
      persona: { name: 'kiki' },
      plugins: [knowledge({ sources: first ? [first, ...others] : undefined }), reply()],
      models: { chat: model },
    },
    { db, clock: systemClock, log: benchLog, platforms: [platform], supervise: false, env: {} },
  ),
)
const indexed = await seconds(() => until(db, 'select 1 from knowledge.source where checked_at is not null', sources.length))
progress(`indexed in ${indexed} s`)

let count = 0
async function ask(question: Question, text = question.text) {
  asked = question
  const { length } = posted
  const prompts = model.asked.length
  const begun = performance.now()
  const more = { text: `@kiki ${text}`, mentions: [platform.me], at: new Date() }
  await bot.receive(platform, said(++count, question.language, more))
  while (posted.length === length) await new Promise(resolve => setTimeout(resolve, 2))
  return { prompt: promptOf(model.asked[prompts]), answer: posted.at(-1) ?? '', ms: performance.now() - begun }
}

interface Counts {
  questions: number
  /** Passages of the answer are in the prompt. */
  evidence: number
  /** The bot answered, and every place that it cites has the answer. */
  answered: number
  rightCitation: number
  /** The bot cites a number that was not given. */
  invented: number
  /** The prompt has no passage. */
  nothing: number
}

const groups: Record<string, Counts> = {}
const times: number[] = []
for (const question of questions) {
  const { prompt, answer, ms } = await ask(question)
  times.push(ms)
  const passages = passagesIn(prompt)
  const places = [...answer.matchAll(/^\[\d+\] (.+)$/gm)].map(([, place = '']) => place)
  const isAnswer = !answer.startsWith(UNKNOWN)
  const isRight = isAnswer && places.length > 0 && places.every(place => isPlaceOf(question, place))
  const hasEvidence = passages.some(({ place, text }) => isPlaceOf(question, place) && holds(question.words, text))
  for (const name of ['all', question.about === 'none' ? 'none' : `${question.about}-${question.language}`]) {
    groups[name] ??= { questions: 0, evidence: 0, answered: 0, rightCitation: 0, invented: 0, nothing: 0 }
    const counts = groups[name]
    counts.questions++
    counts.evidence += Number(hasEvidence)
    counts.answered += Number(isAnswer)
    counts.rightCitation += Number(isRight)
    counts.invented += Number(answer.includes('[19]'))
    counts.nothing += Number(passages.length === 0)
  }
  if (values.show && question.about !== 'none' && !hasEvidence)
    progress(`missed: ${question.heading} ${question.text} → ${passages.map(({ place }) => place).join(' ¦ ')}`)
  if (values.show && isAnswer && !isRight) progress(`wrong place: ${question.heading} ${question.text} → ${places}`)
  if (values.show && question.about === 'none' && passages.length > 0) progress(`not recognised: ${question.text}`)
}

const told = (groups.all?.questions ?? 0) - (groups.none?.questions ?? 0)
const share = (part = 0, whole = 0) => Math.round((1_000 * part) / Math.max(1, whole)) / 10
const { rows } = await db.query<{ passages: number; mb: number }>(
  `select sum(passages)::int as passages, round(pg_database_size(current_database()) / 1048576.0)::int as mb from knowledge.source`,
)
const results = {
  machine: machine(),
  passages: rows[0]?.passages,
  indexedSeconds: indexed,
  evidencePercent: share(groups.all?.evidence, told),
  rightCitationPercent: share(groups.all?.rightCitation, groups.all?.answered),
  nothingRecognisedPercent: share(groups.none?.nothing, groups.none?.questions),
  groups,
  answerMs: latency(times),
  ...(!isHeld && { changedFile: await changedFile() }),
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
if (results.evidencePercent < 85 || results.rightCitationPercent < 95 || results.nothingRecognisedPercent < 90)
  process.exitCode = 1

/** Seconds from the change of a file to an answer that has the change. */
async function changedFile(): Promise<{ seconds: number }> {
  const file = join(folder.path, 'docs/access.md')
  const text = await readFile(file, 'utf8')
  const question: Question = {
    text: 'How many calls may a zebra make in an hour?',
    language: 'en',
    about: 'docs',
    file: 'access.md',
    heading: '',
    words: ['seventeen calls'],
  }
  await writeFile(file, `${text}\n\n## Zebras\n\nA zebra may make seventeen calls in an hour.\n`)
  return {
    seconds: await seconds(async () => {
      while (!(await ask(question)).answer.includes('seventeen calls')) await new Promise(resolve => setTimeout(resolve, 100))
    }),
  }
}

function passagesIn(prompt: string): { number: number; place: string; text: string }[] {
  return [...prompt.matchAll(/^\[(\d+)\] (.+)\n((?:> .*\n?|>\n?)+)/gm)].map(([, number, place = '', text = '']) => ({
    number: Number(number),
    place,
    text: text.replace(/^> ?/gm, ''),
  }))
}

/** A place is `FILE › HEADING › …`. */
function isPlaceOf(question: Question, place: string): boolean {
  const [path = '', ...headings] = place.replace(/ https?:\S+$/, '').split(' › ')
  // The title of a page stands for its first heading.
  return answers(
    { ...question, words: [''] },
    { path, headings: [...headings, question.about === 'docs' ? titleOf(path) : ''], text: '' },
  )
}

function titleOf(path: string): string {
  return titles.get(path) ?? ''
}

async function copyHeld(name: keyof typeof PAGES): Promise<void> {
  for (const folders of PAGES[name]) {
    for (const [at, language] of (['en', 'ja'] as const).entries()) {
      const from = join(values.share, folders[at] ?? '')
      const to = join(folder.path, `held-${language}`, basename(folders[0]))
      await mkdir(to, { recursive: true })
      for (const page of await readdir(from)) {
        const [, title, of] = /^([\w-]+?)(?:\.(en|ja))?\.html$/.exec(page) ?? []
        // No text: the whole book in one page, the index, the search.
        const isText = title !== undefined && !['developers-reference', 'index', 'search', 'genindex'].includes(title)
        if (isText && (of === undefined || of === language)) await copyFile(join(from, page), join(to, `${title}.html`))
      }
    }
  }
}

async function copyDocuments(): Promise<void> {
  if (set === 'held' || set === 'third') return copyHeld(set)
  for (const name of ['docs', 'docs-ja/ja', 'debian-en', 'debian-ja']) await mkdir(join(folder.path, name), { recursive: true })
  for (const [from, to] of [
    [DOCS, 'docs'],
    [join(DOCS, 'ja'), 'docs-ja/ja'],
  ] as const) {
    for (const name of await readdir(from))
      if (name.endsWith('.md')) await copyFile(join(from, name), join(folder.path, to, name))
  }
  const reference = join(values.share, 'debian-reference')
  for (const name of await readdir(reference)) {
    const [, language] = /\.(en|ja)\.html$/.exec(name) ?? []
    if (language) await copyFile(join(reference, name), join(folder.path, `debian-${language}`, name))
  }
}

async function until(db: Database, sql: string, rows: number): Promise<void> {
  while ((await db.query(sql)).rowCount < rows) await new Promise(resolve => setTimeout(resolve, 100))
}

async function seconds(run: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await run()
  return Math.round((performance.now() - begun) / 100) / 10
}
