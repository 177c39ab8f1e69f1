/** docs/errors.md, from the table of error codes. */
import { ERROR_CODES } from '../../core/base/error-codes.ts'

export function errorsPage(command: string): string {
  const groups = Object.entries(ERROR_CODES).map(([title, codes]) => {
    const entries = Object.entries(codes).map(
      ([code, { cause, remedy }]) => `### ${code}\n\n**Cause.** ${cause}\n\n**Remedy.** ${remedy}`,
    )
    return `## ${title}\n\n${entries.join('\n\n')}`
  })
  return `<!-- Written by \`${command}\` from core/base/error-codes.ts. Change that file. -->
# Error codes

A \`KikimimiError\` has a \`code\` that stays the same across versions, a \`message\` that says who refuses, what was given and what to do,
and the original error as its \`cause\`. The command line prints the message; \`--stack\` adds the stack and the cause. A plugin reads the
code:

\`\`\`ts
import { KikimimiError, splitText } from 'kikimimi'

export function partsOf(text: string, limit: number): string[] {
  try {
    return splitText(text, limit)
  } catch (error) {
    if (error instanceof KikimimiError && error.code === 'ARGUMENT_INVALID') return [text]
    throw error
  }
}
\`\`\`

${groups.join('\n\n')}
`
}
