/** The example alerts for Prometheus. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { metrics } from '../scripts/reference/running.ts'

const rule = z.strictObject({
  alert: z.string().regex(/^[A-Z][A-Za-z]+$/),
  expr: z.string().min(1),
  for: z
    .string()
    .regex(/^\d+m$/)
    .optional(),
  annotations: z.strictObject({ summary: z.string().min(1) }),
})
const file = z.strictObject({ groups: z.array(z.strictObject({ name: z.string(), rules: z.array(rule).min(1) })).min(1) })

/** Of prom-client, in a bot with an HTTP server. */
const OF_NODE = 'nodejs_eventloop_lag_p99_seconds'

test('the alerts parse, and name only metrics and labels that exist', async () => {
  const { groups } = file.parse(parse(await readFile(new URL('./prometheus-alerts.yaml', import.meta.url), 'utf8')))
  const known = new Map((await metrics()).map(({ name, labels }) => [name, labels]))
  known.set(OF_NODE, [])
  const rules = groups.flatMap(({ rules }) => rules)
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const { alert, expr } of rules) {
    const used = [...expr.matchAll(/\b((?:kikimimi|nodejs)_\w+)(?:\{([^}]*)\})?/g)]
    expect(used.length, alert).toBeGreaterThan(0)
    for (const [, name = '', labels = ''] of used) {
      expect([...known.keys()], alert).toContain(name)
      for (const [, label] of labels.matchAll(/(\w+)\s*(?:=|!)/g)) expect(known.get(name), `${alert}: ${name}`).toContain(label)
    }
  }
})
