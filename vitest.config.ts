import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['*.test.ts', '{core,packages,plugins,docs,scripts,test}/**/*.test.ts'],
    globalSetup: ['scripts/prepare-tests.ts'],
    pool: 'forks',
    // An open PGlite takes about 400 MB and a whole core.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    unstubEnvs: true,
  },
})
