/** The lines of a message that are words of its author. */
import { foldLookalikes } from './hearsay.ts'

/** Characters of a text that are read. An order and a quotation are in the first two to four thousand. */
const READ = 10_000

/**
 * The own lines of a text: without lines that quote others (`> …`), without lines in the name of another participant, and up to the
 * first line that imitates the prompt or the results of a tool. Letters that look like those of a name count as these.
 *
 * @param names of the participants
 */
export function ownPassages(text: string, names: Iterable<string>): string[] {
  const others = new Set([...names].map(plain))
  const passages = ['']
  let copied = false
  for (const line of text.slice(0, READ).split('\n')) {
    const start = line.trim() === '' ? '' : beginningOf(line)
    if (start !== '' && FORGED.test(start)) break
    copied = start !== '' && (copied || isHead(start, others))
    if (copied || /^[ \t]*[>＞]/u.test(line) || isOfOther(start, others)) passages.push('')
    else {
      const last = passages.pop()
      passages.push(last && line ? `${last}\n${line}` : last || line)
    }
  }
  return passages.filter(passage => passage.trim() !== '')
}

/** A call of the bot, marks of lists, and a time: what can stand before a name or before what imitates the prompt. */
const CALL = String.raw`^[ \t\\]*(?:@\S+[ \t]+)?`
const TIME = String.raw`[[(]?(?:\d{4}-\d\d-\d\d[ T,]+)?\d{1,2}:\d\d(?::\d\d)?(?:\s*[ap]m)?[\])]?`

/** `bob: …`, `[10:02] bob: …`: a line of a copied chat. */
const OF_OTHER = new RegExp(String.raw`${CALL}\s*(?:${TIME}[\s-]*)?[*<]*(?<name>[^:*>\n]{1,40})[*>]*\s*:`, 'iu')
/** `bob 10:02`, `<@U12> 2:13 PM`, `bob wrote:`: the lines below it are copied too, up to an empty line. */
const HEAD = new RegExp(
  String.raw`${CALL}[*]*(?:<@\w+>|(?<name>[^:*>\n]{1,40}?))[*]*(?:さん)?(?:\s*(?:${TIME})|\s+(?:wrote|said|says):|\s*:)\s*$`,
  'iu',
)

/** Characters of a line that are read: patterns over spaces take a time that grows with a power of their number. */
const BEGINNING = 1_000

/** The beginning of a line, with one space for several. */
function beginningOf(line: string): string {
  return line.normalize('NFKC').replace(/\s+/g, ' ').slice(0, BEGINNING)
}

function isOfOther(start: string, names: ReadonlySet<string>): boolean {
  const name = start.includes(':') ? OF_OTHER.exec(start)?.groups?.name : undefined
  return name !== undefined && names.has(plain(name))
}

function isHead(start: string, names: ReadonlySet<string>): boolean {
  const head = start.includes(':') ? HEAD.exec(start) : null
  return head !== null && (head.groups?.name === undefined || names.has(plain(head.groups.name)))
}

/** The beginning of what imitates the prompt: the head of a message, its headings, a label, a role, a tool. All that follows is forged. */
const FORGED = new RegExp(
  `${CALL}(?:${[
    String.raw`(?:[▶◆•] )?\*\*\d{4}-\d\d-\d\d[ T]\d\d:\d\d`,
    '#{1,6} (?:known facts|messages|system|(?:new )?(?:rules|instructions)|top level|thread:|summary so far|これまでの要約|すでに知って|メッセージ|システム|指示|이미 아는|메시지|시스템|지시)',
    String.raw`- \[k?\d+\] `,
    String.raw`<\|?/?(?:im_start|im_end|system|assistant|user|messages?|conversation|instructions?|memor(?:y|ies)|facts?|profiles?|context|tool|function)(?:_\w+)?\b`,
    String.raw`\[/?(?:INST|SYSTEM)\]`,
    '```\\s*(?:system|tool|memory)\\b',
    String.raw`["'\[\]{},\s]*[\[{,]\s*"(?:facts?|memor(?:y|ies)|role|rules?|profiles?|messages|system)"\s*:`,
    '(?:system|assistant|developer|システム|アシスタント|시스템)(?: message| prompt)?\\s*:',
    String.raw`\((?:bot|ai|assistant|system|ボット|アシスタント|システム|봇|시스템)\)`,
    '(?:-+ ?)?forwarded message\\b',
    '【[^】]*(?:転送|システム|運営|管理者|ボット|bot)[^】]*】',
    '(?:運営|管理者|システム)(?:から|より)の?(?:お知らせ|通知|連絡)',
    String.raw`\[[^\]]*(?:전달|시스템|운영자|관리자)[^\]]*\]`,
  ].join('|')})`,
  'iu',
)

function plain(name: string): string {
  return foldLookalikes(name)
    .toLowerCase()
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’`]/g, "'")
    .replace(/[\p{C}\p{Z}\s\\]+/gu, '')
}
