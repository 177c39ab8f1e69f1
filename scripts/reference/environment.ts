/** The environment variables that the code reads, and where each is declared. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export interface Variable {
  readonly name: string
  readonly usual: string
  readonly does: string
}

/** The variables of .env.example, each with the comment above it. */
export function declaredVariables(): Variable[] {
  const blocks = readFileSync(join(root, '.env.example'), 'utf8').split(/\n{2,}/)
  return blocks.flatMap(block => {
    const does = Array.from(block.matchAll(/^# (.*)$/gm), ([, line]) => line).join(' ')
    return Array.from(block.matchAll(/^#([A-Z_]+)=(.*)$/gm), ([, name = '', usual = '']) => ({ name, usual, does }))
  })
}

/** Variables of the shell and of tests. They are not read from .env. */
export const OF_THE_SHELL: readonly Variable[] = [
  { name: 'USER', usual: '', does: 'Terminal: the author of a line without a name.' },
  { name: 'NO_COLOR', usual: '', does: 'Any value switches colours off in the terminal and in the log.' },
  { name: 'LANG', usual: '', does: 'The language of a new bot: Japanese if it begins with `ja`.' },
  { name: 'LC_MESSAGES', usual: '', does: 'The same, with priority over `LANG`.' },
  { name: 'LC_ALL', usual: '', does: 'The same, with priority over both.' },
  {
    name: 'TEST_DATABASE_URL',
    usual: '',
    does: 'Tests: a Postgres server on which tests create and drop databases.',
  },
  {
    name: 'TEST_MATRIX_URL',
    usual: '',
    does: 'Tests: a Matrix homeserver with open registration and without rate limits, such as Synapse.',
  },
  {
    name: 'PGPASSWORD_FILE',
    usual: '',
    does: 'A file with the password of the database, in the place of `PGPASSWORD`. Docker Compose sets it.',
  },
  { name: 'PGPASSWORD', usual: '', does: 'Password of the database, if `DATABASE_URL` has none.' },
  {
    name: 'KIKIMIMI_PACKAGES',
    usual: '',
    does: 'A folder with `node_modules`: bot.config.ts outside of it uses the packages there. The image sets it, for a bot.config.ts in a mounted folder.',
  },
  { name: 'NODE_COMPILE_CACHE', usual: '`node_modules/.cache/compiled`', does: 'Tests: the folder of compiled modules.' },
  { name: 'CHROMIUM', usual: '', does: 'Tests: the browser for the dashboard. Default: one in `/usr/bin`.' },
  { name: 'CI', usual: '', does: 'Tests: any value lets them install Chromium.' },
  {
    name: 'TEST_ROUNDS',
    usual: 'few',
    does: 'Tests: number of rounds of each random test. `all`, which `npm run test:long` sets, plays the number that each test has for it.',
  },
  {
    name: 'TEST_BROWSER',
    usual: '',
    does: 'Tests: the address of a browser that several processes share. `npm test` serves one.',
  },
  { name: 'TEST_SEED', usual: '1', does: 'Tests: the first seed of random tests.' },
]

/** Variables of every process. */
const EVERYWHERE = 'PATH'

/**
 * The files that read each variable, by name. Tests set variables freely for their processes, so only those meant for tests
 * count.
 */
export function variablesRead(): Map<string, string[]> {
  const files = globSync('{*,{core,docs,plugins,packages,scripts,test}/**/*}.{ts,mjs,yml}', {
    cwd: root,
    exclude: path => path === 'node_modules' || path.endsWith('/node_modules'),
  })
  const found = new Map<string, string[]>()
  for (const file of files.sort()) {
    const source = readFileSync(join(root, file), 'utf8')
    for (const name of file.endsWith('.yml') ? namesInYaml(source) : namesIn(source)) {
      const isMeant = !(file.endsWith('.test.ts') || file.startsWith('test/')) || /^(KIKIMIMI|TEST)_/.test(name)
      if (isMeant && name !== EVERYWHERE) found.set(name, [...(found.get(name) ?? []), file])
    }
  }
  return found
}

function namesIn(source: string): Set<string> {
  const single = Array.from(source.matchAll(/\benv\.([A-Z][A-Z_]+)/g), ([, name = '']) => name)
  const several = Array.from(
    source.matchAll(/\{([^{}]+)\}(?:: NodeJS\.ProcessEnv| = (?:process\.)?env\b)/g),
    ([, names = '']) => names,
  )
  return new Set([...single, ...several.flatMap(names => names.match(/\b[A-Z][A-Z_]+(?=\s*[,=:}]|\s*$)/g) ?? [])])
}

function namesInYaml(source: string): Set<string> {
  return new Set(Array.from(source.matchAll(/\$\{([A-Z_]+)/g), ([, name = '']) => name))
}
