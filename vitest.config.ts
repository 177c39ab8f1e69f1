import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['*.test.ts', '{core,packages,plugins,docs,scripts,test}/**/*.test.ts'],
    globalSetup: ['scripts/prepare-tests.ts'],
    setupFiles: ['scripts/test-file.ts'],
    pool: 'forks',
    isolate: false,
    // One more than most machines have cores for: some tests wait for a real clock. A worker takes up to 1 GB.
    maxWorkers: 3,
    // The longest anything may take on a busy machine. No test is passed or failed by how fast it is.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    unstubEnvs: true,
  },
})
