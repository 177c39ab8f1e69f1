import { expect, test } from 'vitest'
import { pinOption, renameOption } from './options.ts'

const HEAD = `import judgeRules from '@kikimimi/judge-rules'\nimport { defineBot } from 'kikimimi'\n`
const FOOT = `\nexport default defineBot({ persona: { name: 'kiki' }, plugins: [`

/** The entry of the plugin before and after; `rest` stands above the bot. */
const renamed: readonly (readonly [before: string, after: string | undefined, rest?: string])[] = [
  ['judgeRules({ old: 1 })', 'judgeRules({ fresh: 1 })'],
  ["judgeRules({ /* why */ 'old': [old] }, {})", 'judgeRules({ /* why */ fresh: [old] }, {})'],
  [
    "judgeRules({}, { channels: { dev: { old: 2 }, '#b': { other: 1, old } } })",
    "judgeRules({}, { channels: { dev: { fresh: 2 }, '#b': { other: 1, fresh: old } } })",
  ],
  ['NIGHT && judgeRules({ a: { old: 1 }, old: 2 } as never)', 'NIGHT && judgeRules({ a: { old: 1 }, fresh: 2 } as never)'],
  ['judgeRules({ ...common })', undefined],
  ['judgeRules', undefined],
]

test('an option gets its present name in the call of its plugin, and all other text stays', () => {
  for (const [before, after] of renamed) {
    const text = (entry: string) => `${HEAD}${FOOT}other({ old: 1 }), ${entry}] })\n`
    expect(renameOption(text(before), ['plugins', 1], 'old', 'fresh'), before).toBe(after && text(after))
  }
  const above = (name: string) => `${HEAD}const mine = { ${name}: 1 }\n${FOOT}judgeRules({ ...mine })] })\n`
  expect(renameOption(above('old'), ['plugins', 0], 'old', 'fresh')).toBe(above('fresh'))
})

const pinned: readonly (readonly [before: string, after: string | undefined])[] = [
  ['judgeRules', 'judgeRules({ threshold: 60 })'],
  ['judgeRules()', 'judgeRules({ threshold: 60 })'],
  ['judgeRules({})', 'judgeRules({ threshold: 60 })'],
  ['judgeRules({ a: 1 }, { channels: {} })', 'judgeRules({ threshold: 60, a: 1 }, { channels: {} })'],
  ['judgeRules({\n    // first\n    a: 1,\n  })', 'judgeRules({\n    // first\n    threshold: 60,\n    a: 1,\n  })'],
  ['judgeRules(optionsOf(1))', undefined],
]

test('a default is written into the options of its plugin', () => {
  const text = (entry: string) => `${HEAD}${FOOT}${entry}] })\n`
  for (const [before, after] of pinned)
    expect(pinOption(text(before), ['plugins', 0], ['threshold'], 60), before).toBe(after && text(after))
  const nested = (options: string) => text(`judgeRules(${options})`)
  const pin = (options: string) => pinOption(nested(options), ['plugins', 0], ['engagement', 'duration'], "5m'")
  expect(pin('{ engagement: { other: 1 } }')).toBe(nested(`{ engagement: { duration: '5m\\'', other: 1 } }`))
  expect(pin('{ points: {} }')).toBe(nested(`{ engagement: { duration: '5m\\'' }, points: {} }`))
  expect(pin('{ engagement: other }')).toBeUndefined()
})
