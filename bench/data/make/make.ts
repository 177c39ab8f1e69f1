/**
 * Builds `../group-chat.ja.json` from the hand-written `scenes-*.txt`, `questions.txt` and `chatter.txt`.
 *
 * Run: `node scripts/run.mjs bench/data/make/make.ts`. The same sources give the same file. Exit code 1 with a line for each mistake.
 *
 * Scenes: `= MONTH/DAY HOUR:MINUTE CHANNEL`, then `SPEAKER[*ID] TEXT` lines. Questions: `?KIND QUESTION | ID… !STALE… | ANSWER`,
 * or `?u QUESTION | WORDS` with comma-separated words of possible answers, which no message may contain.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { seededRandom } from '../../../core/base/random.ts'

const TODAY = Date.parse('2026-10-01T12:00:00+09:00')
const FIRST = Date.parse('2026-04-01T00:00:00+09:00')
const DAY = 86_400_000
const MINUTE = 60_000
/** Messages of small talk. */
const CHATTER = 2_050

const PEOPLE: Record<string, string> = {
  h: 'はるな',
  k: 'ケンタ',
  m: 'みお',
  y: 'ゆうき',
  t: 'yuki_t',
  s: 'さくら',
  n: '野口',
  d: 'だいち',
}
const CHANNELS: Record<string, string> = { z: '雑談', d: '開発', r: '旅行・イベント', g: 'ゲーム' }
/** Who talks in small talk of a channel; more letters, more messages. */
const TALKERS: Record<string, string> = { z: 'hhkkmyytssnd', d: 'hkkmyyttsnddd', r: 'hhkmytsssnd', g: 'hkkyyytddhk' }
const KINDS: Record<string, string> = {
  s: 'single',
  x: 'multi-hop',
  t: 'time',
  c: 'change',
  w: 'who-said',
  n: 'negation',
  u: 'cannot-know',
  m: 'meaning',
}
/** Who is polite, and what they say for a casual reply. */
const POLITE = 'mn'
const POLITELY: Record<string, string> = {
  草: 'ふふ',
  りょ: '承知しました',
  おけ: '承知しました',
  うい: 'はい',
  わかる: 'わかります',
  それな: 'そうですよね',
  がんば: '頑張ってください',
  おつ: 'お疲れさまです',
  まじか: '本当ですか',
  いいな: 'いいですね',
  いいね: 'いいですね',
  えらい: '偉いです',
  どんまい: 'どんまいです',
  'おはよ〜': 'おはようございます',
  がんばれ: '頑張ってください',
  いってら: 'いってらっしゃい',
  みます: '拝見します',
  まだ: 'まだです',
  気圧かな: '気圧でしょうか',
  夕焼けすごい: '夕焼けがきれいです',
  いきたい: '行きたいです',
  助かる: '助かります',
  うまそう: 'おいしそうです',
  ねむい: '眠いです',
  気になる: '気になります',
  つらい: 'つらいですね',
  なし: 'ないです',
  水分だよ: '水分ですよ',
  寝ろ: '早めにお休みください',
}
/** The eighth person joins on July 1st. */
const JOINS = { who: 'd', at: Date.parse('2026-07-01T09:00:00+09:00') }

type Line = { at: number; channel: string; who: string; text: string; ref?: string | undefined }
type Asked = { kind: string; q: string; refs: string[]; stale: string[]; answer: string; absent: string[] }

const folder = new URL('./', import.meta.url)
const source = (name: string) => readFileSync(new URL(name, folder), 'utf8').split('\n')
const mistakes: string[] = []

const random = seededRandom(20_260_401)
const below = (n: number) => Math.floor(random() * n)
const pick = <T>(from: readonly T[]) => from[below(from.length)] as T

function question(line: string): Asked {
  const kind = KINDS[line[1] as string] ?? ''
  const [q = '', second = '', answer = ''] = line
    .slice(2)
    .split('|')
    .map(part => part.trim())
  if (!kind || !q || !second) mistakes.push(`not a question: ${line}`)
  if (kind === 'cannot-know') return { kind, q, refs: [], stale: [], answer: '', absent: second.split(',') }
  const refs = second.split(' ')
  return {
    kind,
    q,
    answer,
    absent: [],
    refs: refs.filter(ref => !ref.startsWith('!')),
    stale: refs.filter(ref => ref.startsWith('!')).map(ref => ref.slice(1)),
  }
}

/** The hand-written lines and questions. */
function scenes() {
  const lines: Line[] = []
  const asked: Asked[] = []
  const names = readdirSync(folder)
    .filter(name => /^(scenes-\d|questions)\.txt$/.test(name))
    .sort()
  let at = 0
  let channel = ''
  for (const text of names.flatMap(source)) {
    const head = /^= (\d+)\/(\d+) (\d+):(\d+) ([zdrg])$/.exec(text)
    if (head) {
      const [, month, day, hour, minute] = head.map(Number) as [number, number, number, number, number]
      at = Date.UTC(2026, month - 1, day, hour - 9, minute)
      channel = head[5] as string
    } else if (text.startsWith('?')) asked.push(question(text))
    else if (text && !text.startsWith('#')) {
      const line = /^([hkmytsnd])(?:\*(\w+))? (.+)$/.exec(text)
      if (!line) mistakes.push(`not a line: ${text}`)
      else {
        lines.push({ at, channel, who: line[1] as string, text: line[3] as string, ref: line[2] })
        at += 4_000 + below(40_000)
      }
    }
  }
  return { lines, asked }
}

const isPolite = (text: string) => text in POLITELY || /(です|ます|した|ません|さい|しょうか|よね|しょう)[？！!。か]*$/.test(text)

/** Small talk between the scenes: each dialogue at most 7 times, no opening line twice in three weeks. */
function chatter(written: readonly Line[]): Line[] {
  const blocks = source('chatter.txt')
    .filter(line => !line.startsWith('#'))
    .join('\n')
    .split(/\n\n+/)
    .map(block => block.trim())
  const lists = new Map(
    (blocks.shift() ?? '').split('\n').map(line => {
      const [, name = '', values = ''] = /^\{(\w+)\} (.+)$/.exec(line) ?? []
      return [name, values.split('|')] as const
    }),
  )
  const used = new Map<string, number>()
  const opened = new Map<string, number[]>()
  const lines: Line[] = []
  while (lines.length < CHATTER) {
    const block = pick(blocks)
    const [channel = 'z', ...parts] = block.split('\n')
    const hour = pick(
      channel === 'd'
        ? [9, 10, 11, 13, 14, 15, 16, 17]
        : channel === 'g'
          ? [20, 21, 22, 23, 23]
          : [7, 8, 9, 12, 12, 15, 18, 19, 20, 21, 22, 23],
    )
    let at = FIRST + below(183) * DAY + hour * 3_600_000 + below(60) * MINUTE
    if ((used.get(block) ?? 0) >= 7) continue
    if (written.some(line => line.channel === channel && Math.abs(line.at - at) < 12 * MINUTE)) continue
    const chosen = new Map<string, string>()
    const said = parts.map(part => {
      const text = part.slice(2).replace(/\{(\w+)\}/g, (_, name: string) => {
        const value = chosen.get(name) ?? pick(lists.get(name) ?? [''])
        chosen.set(name, value)
        return value
      })
      return { role: part[0] as string, text: text.replace(/\(([^()]*\|[^()]*)\)/g, (_, of: string) => pick(of.split('|'))) }
    })
    const cast = new Map<string, string>()
    while (cast.size < 3) {
      const role = 'ABC'[cast.size] as string
      const who = pick([...(TALKERS[channel] as string)])
      const fits = !POLITE.includes(who) || said.every(line => line.role !== role || isPolite(line.text))
      if (fits && (who !== JOINS.who || at >= JOINS.at) && ![...cast.values()].includes(who)) cast.set(role, who)
    }
    const opening = said[0]?.text as string
    const before = opened.get(opening) ?? []
    if (before.some(time => Math.abs(time - at) < 21 * DAY)) continue
    opened.set(opening, [...before, at])
    used.set(block, (used.get(block) ?? 0) + 1)
    for (const { role, text } of said) {
      const who = cast.get(role) as string
      lines.push({ at, channel, who, text: (POLITE.includes(who) && POLITELY[text]) || text })
      at += 5_000 + below(90_000)
    }
  }
  return lines
}

/** The words of content: runs of at least two kanji, of katakana, or of Latin letters. */
const runs = (text: string) => text.match(/\p{Script=Han}{2,}|[\p{Script=Katakana}ー]{2,}|[A-Za-z]{2,}/gu) ?? []
const shares = (q: string, text: string) =>
  runs(q)
    .flatMap(run => Array.from({ length: run.length - 1 }, (_, i) => run.slice(i, i + 2)))
    .filter(pair => runs(text).some(run => run.toLowerCase().includes(pair.toLowerCase())))
/** A question without its names and content words. */
const pattern = (q: string) =>
  q
    .replace(
      /[\p{Script=Han}\p{Script=Katakana}ーA-Za-z0-9_/.:]+|はるな|みお|ゆうき|さくら|だいち|むぎ|きなこ|さん|くん|ちゃん/gu,
      '_',
    )
    .replace(/[_、。？?！!\s…]+/gu, '_')

const { lines: written, asked } = scenes()
const lines = [...written, ...chatter(written)].sort((a, b) => a.at - b.at)
const ids = new Map<string, string>()
const turns = lines.map((line, index) => {
  const id = `m${String(index + 1).padStart(4, '0')}`
  if (line.ref && ids.has(line.ref)) mistakes.push(`two lines are ${line.ref}`)
  if (line.ref) ids.set(line.ref, id)
  if (line.who === JOINS.who && line.at < JOINS.at) mistakes.push(`not here yet: ${line.text}`)
  const ageDays = Number(((TODAY - line.at) / DAY).toFixed(5))
  return { id, speaker: PEOPLE[line.who] as string, channel: CHANNELS[line.channel] as string, text: line.text, ageDays }
})
const textOf = new Map(lines.map(line => [line.ref, line.text]))

const questions = asked.map(({ kind, q, refs, stale, answer, absent }) => {
  for (const ref of [...refs, ...stale]) if (!ids.has(ref)) mistakes.push(`no line ${ref}: ${q}`)
  if (kind === 'multi-hop' && refs.length < 2) mistakes.push(`one message is enough: ${q}`)
  if (kind === 'meaning')
    for (const ref of refs)
      for (const pair of shares(q, textOf.get(ref) ?? '')) mistakes.push(`said in these words (${pair}): ${q}`)
  for (const word of absent)
    for (const line of lines)
      if (new RegExp(word, 'i').test(line.text)) mistakes.push(`is answered (${word}): ${q} — ${line.text}`)
  for (const old of stale)
    for (const ref of refs) if ((ids.get(old) ?? '') > (ids.get(ref) ?? '')) mistakes.push(`changed before it was said: ${q}`)
  const evidence = refs.map(ref => ids.get(ref) ?? ref)
  return {
    q,
    kind,
    evidence,
    ...(answer && { answer }),
    ...(stale.length && { stale: stale.map(ref => ids.get(ref) ?? ref) }),
    ...(absent.length && { absent }),
  }
})
const counted = (values: readonly string[]) =>
  values.reduce((counts, value) => counts.set(value, (counts.get(value) ?? 0) + 1), new Map<string, number>())
for (const [q, count] of counted(questions.map(({ q }) => q.replace(/[\s？?]/g, ''))))
  if (count > 1) mistakes.push(`asked twice: ${q}`)
for (const [of, count] of counted(questions.map(({ q }) => pattern(q))))
  if (count > 3) mistakes.push(`${count} questions of one pattern: ${of}`)

const file = {
  licence: 'MIT',
  today: '2026-10-01T12:00:00+09:00',
  conversations: [{ id: 'group-chat-ja', turns, questions }],
}
writeFileSync(new URL('../group-chat.ja.json', folder), `${JSON.stringify(file)}\n`)
console.log(`${turns.length} messages, ${written.length} of them written by hand`)
console.log(`${questions.length} questions:`, Object.fromEntries(counted(questions.map(({ kind }) => kind))))
for (const mistake of mistakes) console.error(mistake)
process.exitCode = mistakes.length ? 1 : 0
