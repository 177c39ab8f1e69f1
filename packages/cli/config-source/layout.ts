/** Lines and indentation: where an entry of a list is put into the text, and what is taken out with it. */
import type MagicString from 'magic-string'
import type { List, Place } from './listed.ts'

/** The line break of the file. */
export function lineBreakOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

export function startOfLine(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

/** What follows on the same line. */
export interface Rest {
  /** Whether it is nothing but comments. */
  readonly isComment: boolean
  /** In front of the line break. */
  readonly end: number
  /** Behind the line break. */
  readonly next: number
}

export function restOfLine(text: string, at: number): Rest {
  const [, rest = '', breaks = ''] = /^([^\r\n]*)(\r?\n)?/.exec(text.slice(at)) ?? []
  const end = at + rest.length
  return {
    isComment: /^\s*(?:\/\*(?:(?!\*\/).)*\*\/\s*)*(?:\/\/.*)?$/.test(rest),
    end,
    next: end + breaks.length,
  }
}

/** Puts an entry behind another one: on a line of its own, if the other one ends its line. */
export function insertAfter(out: MagicString, text: string, { list, entry }: Place, call: string): void {
  const rest = restOfLine(text, entry.comma ?? entry.end)
  if (!rest.isComment || rest.end >= list.end) {
    out.appendLeft(entry.end, `, ${call}`)
    return
  }
  if (entry.comma === undefined) out.appendLeft(entry.end, ',')
  const comma = entry.comma === undefined ? '' : ','
  out.appendLeft(rest.end, `${lineBreakOf(text)}${indentOf(text, entry.start)}${call}${comma}`)
}

/** Puts an entry at the start of a list. */
export function insertFirst(out: MagicString, text: string, list: List, call: string): void {
  const [first] = list.entries
  const rest = restOfLine(text, list.start + 1)
  if (!rest.isComment || rest.end >= list.end) {
    out.appendLeft(list.start + 1, first ? `${call}, ` : call)
    return
  }
  const outer = indentOf(text, list.end - 1)
  const indent = first ? indentOf(text, first.start) : outer + (outer.startsWith('\t') ? '\t' : '  ')
  out.appendLeft(rest.end, `${lineBreakOf(text)}${indent}${call},`)
}

/** Takes an entry out: with its lines, and with the comment above it if that is about this entry alone. */
export function cut(out: MagicString, text: string, { list, entry }: Place): void {
  const index = list.entries.indexOf(entry)
  const before = list.entries[index - 1]
  const next = list.entries[index + 1]
  const rest = restOfLine(text, entry.comma ?? entry.end)
  const line = startOfLine(text, entry.start)
  if (text.slice(line, entry.start).trim() !== '' || !rest.isComment || rest.end >= list.end) {
    if (next) out.remove(entry.start, next.start)
    else out.remove(before?.end ?? entry.start, entry.end)
    return
  }
  // In a list without a comma at its end.
  if (entry.comma === undefined && before?.comma !== undefined) out.remove(before.end, before.comma)
  let start = line
  if (isBreak(lineAt(text, rest.next))) {
    while (start > list.start && isCommentLine(lineAt(text, startOfLine(text, start - 1)))) start = startOfLine(text, start - 1)
  }
  const above = startOfLine(text, start - 1)
  const isBlank = above > list.start && lineAt(text, above).trim() === ''
  const below = lineAt(text, rest.next).trim()
  out.remove(isBlank && (below === '' || below.startsWith(']')) ? above : start, rest.next)
}

function lineAt(text: string, start: number): string {
  return text.slice(start, restOfLine(text, start).end)
}

/** What ends a group of entries. */
function isBreak(line: string): boolean {
  return line.trim() === '' || isCommentLine(line) || line.trim().startsWith(']')
}

function isCommentLine(line: string): boolean {
  return /^\s*\/\//.test(line)
}

function indentOf(text: string, at: number): string {
  const line = startOfLine(text, at)
  return /^[ \t]*/.exec(text.slice(line))?.[0] ?? ''
}
