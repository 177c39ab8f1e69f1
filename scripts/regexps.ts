/**
 * Refuses regular expressions that can take exponential time, or a power of the length of a text. Part of `npm run lint`.
 *
 *   node scripts/regexps.ts           checks the repository in the current folder
 *
 * It reads the literals of core, packages and plugins with the compiler, and imports their modules to collect what they build with
 * `new RegExp`. Expressions that are built later, from names of people, are not seen: test/text measures the functions that use them.
 * scslre finds where two repetitions, or a repetition and the search for its start, match the same text.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { analyse } from 'scslre'
import { BOUNDED } from './bounded-regexps.ts'

const ts: typeof import('@typescript/typescript6') = createRequire(import.meta.url)('@typescript/typescript6')

interface Found {
  /** The file and the line. */
  readonly at: string
  readonly source: string
  readonly flags: string
}

const root = process.cwd()

const files = globSync('{core,packages,plugins}/**/*.ts', { cwd: root })
  .filter(file => !/node_modules|\.test\.ts$|\.d\.ts$|\/testing\/|\/test-[^/]+$|\/fixtures\/|\/templates\//.test(file))
  .sort()

const found = [...files.flatMap(literalsIn), ...(await builtBy(files))]
const refused = new Map(found.map(regexp => [`${regexp.source}/${regexp.flags}`, regexp])).values().flatMap(refusal)
const lines = [...refused]
if (lines.length > 0) {
  process.stdout.write(
    `${lines.join('\n')}\n\n${lines.length} regular expressions can take too long.\n` +
      'Let a repetition begin only where it can: (?<!\\s)\\s+$ instead of \\s+$. Let neighbours match different characters. If the text is bounded by its caller, add the file with the bound to scripts/bounded-regexps.ts.\n',
  )
  process.exitCode = 1
} else process.stdout.write(`${found.length} regular expressions take linear time, or read bounded texts.\n`)
// Modules that were imported may keep the process alive.
process.exit()

function refusal({ at, source, flags }: Found): string[] {
  const { reports } = analyse({ source, flags }, { reportTypes: { Move: true, Self: true, Trade: true } })
  const isExponential = reports.some(({ exponential }) => exponential)
  const isBounded = Object.keys(BOUNDED).some(path => at.startsWith(path))
  if (reports.length === 0 || (isBounded && !isExponential)) return []
  const short = source.length > 160 ? `${source.slice(0, 160)}…` : source
  return [`${at}: ${isExponential ? 'exponential' : 'polynomial'} time: /${short}/${flags}`]
}

function literalsIn(file: string): Found[] {
  const literals: Found[] = []
  const text = readFileSync(join(root, file), 'utf8')
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const visit = (node: import('@typescript/typescript6').Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1
      literals.push({ at: `${file}:${line}`, source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return literals
}

/** What the modules build while they are imported. */
async function builtBy(files: readonly string[]): Promise<Found[]> {
  const built: Found[] = []
  const record = (regexp: RegExp): RegExp => {
    const frames = new Error('the place of an expression').stack?.split('\n') ?? []
    // A function that joins patterns of languages builds for its caller.
    const place = frames.map(placeOf).find(at => at !== undefined && !at.startsWith('core/base/text/texts.ts'))
    if (place !== undefined) built.push({ at: place, source: regexp.source, flags: regexp.flags })
    return regexp
  }
  const Original = globalThis.RegExp
  globalThis.RegExp = new Proxy(Original, {
    construct: (target, [pattern, flags]) => record(new target(pattern, flags)),
    apply: (target, _self, [pattern, flags]) => record(target(pattern, flags)),
  })
  try {
    for (const file of files.filter(file => !/\/page\/|\/(?:cli|bin)\.ts$|\/measure\//.test(file)))
      await import(pathToFileURL(join(root, file)).href)
  } finally {
    globalThis.RegExp = Original
  }
  return built
}

/** The file and the line of a frame of a stack, if it is one of these modules. */
function placeOf(frame: string): string | undefined {
  const [, path, line] = /(?:file:\/\/)?(\/[^:()]+\.ts):(\d+):\d+\)?$/.exec(frame) ?? []
  if (path === undefined || !existsSync(path)) return undefined
  const file = relative(root, path)
  return /^(?:core|packages|plugins)\//.test(file) ? `${file}:${line}` : undefined
}
