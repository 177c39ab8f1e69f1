import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const page = '**/*.page.test.ts'
const tests = ['*.test.ts', '{core,packages,plugins,docs,scripts,test}/**/*.test.ts']
const pages = `{plugins,test}/${page}`
const scenes = join(import.meta.dirname, 'test/')

/** The tests of the whole bot and of several processes are the longest. They begin first, so that no worker is left alone with one at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) =>
      Number(moduleId.startsWith(scenes) || moduleId.endsWith('/shards.test.ts'))
    return sorted.toSorted((a, b) => isLong(b) - isLong(a))
  }
}

/** The test files that are repeated on a server begin with `// postgres: REASON`. `npm run test:postgres` is the mode "postgres". */
function onPostgres(patterns: readonly string[]): string[] {
  if (!process.env.TEST_DATABASE_URL) throw new Error('Set TEST_DATABASE_URL: these tests run on a Postgres server.')
  return globSync(patterns, { cwd: import.meta.dirname, exclude: ['**/node_modules/**'] }).filter(file =>
    readFileSync(join(import.meta.dirname, file), 'utf8').startsWith('// postgres: '),
  )
}

export default defineConfig(({ mode }) => {
  const filesOf = (patterns: string[]) => (mode === 'postgres' ? onPostgres(patterns) : patterns)
  return {
    test: {
      // `npm run test:long` is the mode "long": see testRounds in core/testing/rounds.ts.
      env: mode === 'long' ? { TEST_ROUNDS: 'all' } : {},
      globalSetup: ['scripts/prepare-tests.ts'],
      reporters: ['default', './scripts/test-budget.ts'],
      setupFiles: ['scripts/test-file.ts'],
      pool: 'forks',
      isolate: false,
      // The embedded Postgres is optimised early, because a worker uses it for minutes: a fifth of the processor time of its tests.
      execArgv: ['--wasm-tiering-budget=300000'],
      sequence: { sequencer: LongestFirst },
      // More than most machines have cores for, because tests wait for a real clock, and on a server for other processes. A worker with PGlite
      // takes up to 2.5 GB.
      maxWorkers: mode === 'postgres' ? 4 : 3,
      // The longest anything may take on a busy machine. No test is passed or failed by how fast it is.
      testTimeout: mode === 'long' ? 3_600_000 : 600_000,
      hookTimeout: 600_000,
      expect: { poll: { timeout: 120_000 } },
      unstubEnvs: true,
      projects: [
        {
          extends: true,
          test: {
            name: 'main',
            include: filesOf(tests),
            exclude: ['**/node_modules/**', page],
          },
        },
        {
          extends: true,
          // The dashboard in a browser: `npm test -- --project page` runs these alone, `--project main` all others.
          test: { name: 'page', include: filesOf([pages]), globalSetup: ['scripts/prepare-browser.ts'] },
        },
      ],
    },
  }
})
