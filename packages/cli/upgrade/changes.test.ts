import { definePlugin } from 'kikimimi'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { changelogBetween } from './changelog.ts'
import { changesBetween, moved } from './changes.ts'
import { factsOf } from './facts.ts'
import { askingFor, lockOfOthers } from './packages.ts'

const definition = { name: 'telling', setup: () => {} } as const

/** Two releases of a plugin. */
const earlier = definePlugin({
  ...definition,
  options: z
    .strictObject({
      volume: z.number().default(3),
      words: z.array(z.string()).default(['hm']),
      pause: z.object({ at: z.string().default('1m'), long: z.boolean().default(false) }).prefault({}),
      token: z.string().default('a secret').meta({ environment: 'TOKEN' }),
    })
    .prefault({}),
  scoped: ['volume'],
})
const later = definePlugin({
  ...definition,
  options: z
    .strictObject({
      loudness: z.number().default(5).meta({ renamedFrom: 'volume' }),
      words: z.array(z.string()).default(['oh']),
      pause: z.object({ at: z.string().default('2m'), long: z.boolean().default(false) }).prefault({}),
      token: z.string().default('another').meta({ environment: 'TOKEN' }),
      fresh: z.number().default(1),
    })
    .prefault({}),
  scoped: ['loudness'],
})

const CONFIG = `import telling from 'telling'
export default { persona: { name: 'kiki' }, plugins: [telling({ words: ['ah'] }, { channels: { dev: { volume: 1 } } })] }
`

async function changesFor(options: object, places: object = {}) {
  const bot = (factory: unknown) => ({ persona: { name: 'kiki' }, plugins: [{ ...Object(factory)(options), overrides: places }] })
  return changesBetween(await factsOf(bot(earlier)), await factsOf(bot(later)))
}

describe('between two versions', () => {
  test('the bot is told of names that it uses and of defaults that it leaves, never of a value from the environment', async () => {
    const path = ['plugins', 0]
    expect(await changesFor({ words: ['ah'] }, { channels: { dev: { volume: 1 } } })).toEqual({
      renamed: [{ plugin: 'telling', path, former: 'volume', present: 'loudness' }],
      defaults: [
        { plugin: 'telling', path, option: ['loudness'], before: 3, after: 5 },
        { plugin: 'telling', path, option: ['pause', 'at'], before: '1m', after: '2m' },
      ],
      migrations: [],
    })
    const given = await changesFor({ volume: 2, words: [], pause: { at: '3m' } })
    expect([given.renamed.length, given.defaults]).toEqual([1, []])
    expect((await changesFor({})).renamed).toEqual([])
  })

  test('the files of the bot keep its behaviour', async () => {
    const changes = await changesFor({ words: ['ah'] }, { channels: { dev: { volume: 1 } } })
    const settings = JSON.stringify({
      plugins: { telling: { options: { words: [], volume: 2 } }, other: { options: { volume: 1 } } },
    })
    const { files, problems } = moved({ config: CONFIG, settings }, changes, true)
    expect(problems).toEqual([])
    expect(files.config).toBe(
      CONFIG.replace('{ words:', "{ pause: { at: '1m' }, loudness: 3, words:").replace('{ volume: 1 }', '{ loudness: 1 }'),
    )
    expect(JSON.parse(files.settings ?? '')).toEqual({
      plugins: { telling: { options: { words: [], loudness: 2 } }, other: { options: { volume: 1 } } },
    })
    expect(moved({ config: CONFIG }, changes, false).files.config).toBe(CONFIG.replace('{ volume: 1 }', '{ loudness: 1 }'))
  })

  test('what cannot be written is a problem with what to do', async () => {
    const changes = await changesFor({ volume: 1 })
    const { problems } = moved({ config: CONFIG.replace(/telling\(.*\)\]/, 'telling(options())]') }, changes, true)
    expect(problems).toEqual([
      expect.stringMatching(/"volume" is called "loudness" now, .* Write it there\.$/),
      expect.stringMatching(/^\[telling\] the default of words is \["oh"\] now; it was \["hm"\]\. .* --defaults new$/),
      expect.stringMatching(/^\[telling\] the default of pause\.at is "2m" now; it was "1m"\. .* --defaults new$/),
    ])
  })

  test('the changelog has the releases after the first, up to the second', () => {
    const log = ['0.3.0', '0.2.1', '0.2.0', '0.1.0'].map(version => `## ${version} (2027-01-01)\n\n- ${version}\n`).join('\n')
    const told = changelogBetween(`# Changelog\n\n${log}`, '0.1.0', '0.2.1')
    expect(told.match(/^- .*/gm)).toEqual(['- 0.2.1', '- 0.2.0'])
  })

  test('package-lock.json keeps the versions of all other packages', () => {
    const ours = ['node_modules/kikimimi', 'node_modules/@kikimimi/cli', 'node_modules/@kikimimi/cli/node_modules/diff']
    const others = ['', 'node_modules/zod', 'node_modules/kikimimi-weather/node_modules/zod', 'plugins/own']
    const lockOf = (paths: readonly string[]) => ({ name: 'my-bot', packages: Object.fromEntries(paths.map(path => [path, {}])) })
    expect(JSON.parse(lockOfOthers(JSON.stringify(lockOf([...ours, ...others]))))).toEqual(lockOf(others))
  })

  test('package.json asks for the new version of the whole train', () => {
    const text = '{\n\t"dependencies": { "kikimimi": "^0.1.0", "@kikimimi/reply": "0.1.0", "zod": "4.6.7" }\n}\n'
    const after =
      '{\n\t"dependencies": {\n\t\t"kikimimi": "0.2.0",\n\t\t"@kikimimi/reply": "0.2.0",\n\t\t"zod": "4.6.7"\n\t}\n}\n'
    expect(askingFor(text, '0.2.0')).toBe(after)
    expect(() => askingFor(text.replace('^0.1.0', 'file:../kikimimi'), '0.2.0')).toThrow(
      'package.json takes kikimimi from "file:../kikimimi", which is no version in a registry.',
    )
  })
})
