import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'

/** The changed lines of a file with two lines around them, as `git diff` shows them. */
export function diffOf(file: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(file, file, before, after, '', '', { context: 2, headerOptions: FILE_HEADERS_ONLY })
  return patch.replace(/[\t\r ]+$/gm, '').trimEnd()
}
