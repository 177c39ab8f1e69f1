/** The example alerts for Prometheus. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { STATES } from '../core/features/alerts/states.ts'
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

const rules = async () =>
  file
    .parse(parse(await readFile(new URL('./prometheus-alerts.yaml', import.meta.url), 'utf8')))
    .groups.flatMap(({ rules }) => rules)

test('the alerts parse, and name only metrics and labels that exist', async () => {
  const known = new Map((await metrics()).map(({ name, labels }) => [name, labels]))
  known.set(OF_NODE, [])
  const all = await rules()
  expect(new Set(all.map(({ alert }) => alert)).size).toBe(all.length)
  for (const { alert, expr } of all) {
    const used = [...expr.matchAll(/\b((?:kikimimi|nodejs)_\w+)(?:\{([^}]*)\})?/g)]
    expect(used.length, alert).toBeGreaterThan(0)
    for (const [, name = '', labels = ''] of used) {
      expect([...known.keys()], alert).toContain(name)
      for (const [, label] of labels.matchAll(/(\w+)\s*(?:=|!)/g)) expect(known.get(name), `${alert}: ${name}`).toContain(label)
    }
  }
})

test('the bot itself tells of the same states, with the same limits and after the same time', async () => {
  const byName = new Map((await rules()).map(rule => [rule.alert, rule]))
  const shared = Object.values(STATES).flatMap(state => ('rule' in state ? [state] : []))
  expect(shared.length).toBeGreaterThan(5)
  for (const { rule, holdMs, ...state } of shared) {
    const found = byName.get(rule)
    expect([rule, found?.for ?? '0m']).toEqual([rule, `${holdMs / 60_000}m`])
    if ('limit' in state)
      expect([rule, found?.expr]).toEqual([rule, expect.stringMatching(new RegExp(`> ${state.limit}(?: |$)`))])
  }
})
