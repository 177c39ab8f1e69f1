import { defineConfig } from 'vitest/config'

if (Number.parseInt(process.versions.node, 10) < 24)
  throw new Error(`The tests need Node 24 or newer. This is ${process.version}.`)

export default defineConfig({ test: { testTimeout: 30_000, expect: { poll: { timeout: 20_000 } } } })
