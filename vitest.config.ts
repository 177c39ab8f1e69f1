import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['*.test.ts', '{core,packages,plugins,docs,scripts,test}/**/*.test.ts'],
    globalSetup: ['scripts/prepare-tests.ts'],
    pool: 'forks',
    // An open PGlite takes about 400 MB and a whole core.
    maxWorkers: 2,
    // The longest anything may take on a busy machine. No test is passed or failed by how fast it is.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    unstubEnvs: true,
  },
})
