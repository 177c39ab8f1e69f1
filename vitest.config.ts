import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const page = '**/*.page.test.ts'
const scenes = join(import.meta.dirname, 'test/')

/** The tests of the whole bot are the longest. They begin first, so that no worker is left alone with one at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => Number(b.moduleId.startsWith(scenes)) - Number(a.moduleId.startsWith(scenes)))
  }
}

export default defineConfig(({ mode }) => ({
  test: {
    // `npm run test:long` is the mode "long": see testRounds in core/testing/rounds.ts.
    env: mode === 'long' ? { TEST_ROUNDS: 'all' } : {},
    globalSetup: ['scripts/prepare-tests.ts'],
    setupFiles: ['scripts/test-file.ts'],
    pool: 'forks',
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // One more than most machines have cores for: some tests wait for a real clock. A worker takes up to 2.5 GB.
    maxWorkers: 3,
    // The longest anything may take on a busy machine. No test is passed or failed by how fast it is.
    testTimeout: mode === 'long' ? 3_600_000 : 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    unstubEnvs: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'main',
          include: ['*.test.ts', '{core,packages,plugins,docs,scripts,test}/**/*.test.ts'],
          exclude: ['**/node_modules/**', page],
        },
      },
      {
        extends: true,
        // The dashboard in a browser: `npm test -- --project page` runs these alone, `--project main` all others.
        test: { name: 'page', include: [`{plugins,test}/${page}`], globalSetup: ['scripts/prepare-browser.ts'] },
      },
    ],
  },
}))
