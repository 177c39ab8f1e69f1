import { createTwoFilesPatch } from 'diff'

/** The changed lines of a file with two lines around them, as `git diff` shows them. */
export function diffOf(file: string, before: string, after: string): string {
  const [, ...lines] = createTwoFilesPatch(file, file, before, after, '', '', { context: 2 }).trimEnd().split('\n')
  return lines.map(line => line.trimEnd()).join('\n')
}
