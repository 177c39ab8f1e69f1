/**
 * How many names `kikimimi` exports. An author of a plugin reads all of them. Part of `npm run lint`.
 *
 *   node scripts/public-names.ts
 */
import { readFileSync } from 'node:fs'
import { createSourceFile, isExportDeclaration, isNamedExports, ScriptTarget } from '@typescript/typescript6'

/** What only authors of platforms or models, or programs that run a bot, need has a place in platform.ts, model.ts or host.ts. */
const MOST = 150

/** The names that the text of an index exports. @throws Error for `export *`, because it hides its names, and for a declaration */
export function namesIn(text: string): readonly string[] {
  return createSourceFile('index.ts', text, ScriptTarget.Latest).statements.flatMap(statement => {
    if (!isExportDeclaration(statement) || !statement.exportClause || !isNamedExports(statement.exportClause))
      throw new Error(
        `core/index.ts has only lists of names: export { … } from '…'. It has ${text.slice(statement.pos, statement.end).trim()}`,
      )
    return statement.exportClause.elements.map(({ name }) => name.text)
  })
}

/** One line with the number, and whether it is small enough. */
export function checkNames(text: string): { readonly isSmall: boolean; readonly line: string } {
  const { length } = namesIn(text)
  const isSmall = length <= MOST
  const advice = isSmall
    ? ''
    : " Export what not every author needs from 'kikimimi/platform', 'kikimimi/model' or 'kikimimi/host'."
  return { isSmall, line: `'kikimimi' exports ${length} names; the limit is ${MOST}.${advice}` }
}

if (import.meta.main) {
  const { isSmall, line } = checkNames(readFileSync(new URL('../core/index.ts', import.meta.url), 'utf8'))
  console.log(line)
  process.exitCode = isSmall ? 0 : 1
}
