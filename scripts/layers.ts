/**
 * The layers of the repository, checked by dependency-cruiser over every import, type imports included. Part of `npm run lint`.
 *
 *   node scripts/layers.ts            checks the repository in the current folder
 *
 * dependency-cruiser reads TypeScript with the JavaScript API of the compiler, which TypeScript 7 no longer has. It gets that of
 * TypeScript 6, which Microsoft publishes for this purpose beside version 7.
 */
import { registerHooks } from 'node:module'
import { dirname } from 'node:path/posix'
import type { ICruiseResult, IRegularForbiddenRuleType } from 'dependency-cruiser'

registerHooks({
  resolve: (name, context, next) =>
    next(/^typescript(?=$|\/)/.test(name) ? name.replace('typescript', '@typescript/typescript6') : name, context),
})
const { cruise } = await import('dependency-cruiser')

/** What each layer of core may import besides itself. The tests of a layer may import everything. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  api: ['base'],
  prompt: ['api', 'base'],
  models: ['api', 'base'],
  storage: ['api', 'base'],
  kernel: ['prompt', 'models', 'storage', 'api', 'base'],
  features: ['kernel', 'prompt', 'models', 'storage', 'api', 'base'],
  bot: ['features', 'kernel', 'prompt', 'models', 'storage', 'api', 'base'],
}

/** Tests, what only they use, and the kits that a package offers for the tests of others. */
const TESTS = String.raw`\.test\.ts$|/testing/|/test-[^/]+$`

/** With more source files side by side, a folder has no clear subject. */
const FILES = 20

const layerRules = Object.entries(LAYERS).map(([layer, below]): IRegularForbiddenRuleType => {
  const allowed = [layer, ...below].map(name => `core/${name}`)
  return {
    name: `layer-${layer}`,
    comment: `core/${layer} may import ${allowed.join(', ')} and npm packages only. Move what it needs to one of these layers, or let a higher layer hand it in as an argument.`,
    from: { path: `^core/${layer}/`, pathNot: TESTS },
    to: {
      path: '^(core|packages|plugins)/',
      pathNot: `^(${allowed.join('|')})/`,
    },
  }
})

const MODULES: readonly IRegularForbiddenRuleType[] = [
  ...layerRules,
  {
    name: 'core-alone',
    comment: 'core imports no package and no plugin. Let the package offer a service, and look it up with ctx.use.',
    from: { path: '^core/', pathNot: [TESTS, ...Object.keys(LAYERS).map(layer => `^core/${layer}/`)] },
    to: { path: '^(packages|plugins)/' },
  },
  {
    name: 'testing-in-tests',
    comment:
      'Only tests import a testing kit. Move the file to a folder `testing`, name it `test-….ts`, or move what it needs out of the kit.',
    from: { path: '^(packages|plugins)/', pathNot: TESTS },
    to: { path: '^(core|(packages|plugins)/[^/]+)/testing/' },
  },
  {
    name: 'testing-in-tests-of-core',
    comment: 'In core, only files `….test.ts` import core/testing. Move what several of them share to core/testing.',
    from: { path: '^core/', pathNot: String.raw`\.test\.ts$|^core/testing/` },
    to: { path: '^core/testing/' },
  },
  {
    name: 'offline-in-programs',
    comment:
      'Only programs that start a bot (packages/cli, packages/replay) and tests import the offline model. Take a model with ctx.models, and read texts with @kikimimi/speech-acts/rules.',
    from: { path: '^(core|packages|plugins)/', pathNot: [TESTS, '^packages/(cli|replay)/', '^plugins/offline/'] },
    to: { path: '^plugins/offline/' },
  },
  {
    name: 'core-by-name',
    comment:
      "Import core by its name: 'kikimimi', 'kikimimi/platform' or 'kikimimi/model', in tests also 'kikimimi/testing', in packages and tests also 'kikimimi/host'. Export from one of them what is missing there.",
    from: { path: '^(packages|plugins)/' },
    to: { path: '^core/', dependencyTypes: ['local'] },
  },
  {
    name: 'plugins-without-host',
    comment:
      "A plugin imports 'kikimimi', and 'kikimimi/platform' or 'kikimimi/model' if it defines one; 'kikimimi/host' is for packages, the dashboard and tests. Export what plugins need from core/index.ts.",
    from: { path: '^plugins/', pathNot: [TESTS, '^plugins/dashboard/'] },
    to: { path: '^core/host\\.ts$' },
  },
  {
    name: 'packages-by-name',
    comment:
      'Import another package or plugin by its name, and only what its package.json exports. Use a service for what a running bot lends.',
    // Tests of several plugins together share their helpers.
    from: { path: '^((?:packages|plugins)/[^/]+)/', pathNot: TESTS },
    to: { path: '^(packages|plugins)/', pathNot: '^$1/', dependencyTypes: ['local'] },
  },
]

const FOLDERS: IRegularForbiddenRuleType = {
  name: 'no-folder-circle',
  comment:
    'These folders import each other in a circle. Move the shared code into the lower folder, or pass it as an argument, so that the imports go one way.',
  scope: 'folder',
  from: { path: '^(core|packages|plugins)' },
  to: { circular: true },
}

/** Problems, one text for each broken rule. Empty: no problem. */
export async function checkLayers(): Promise<readonly string[]> {
  const { modules, broken } = await cruiseWith([...MODULES])
  const { broken: circles } = await cruiseWith([FOLDERS], TESTS)
  return [...broken, ...circles, ...crowded(modules)]
}

async function cruiseWith(forbidden: IRegularForbiddenRuleType[], exclude?: string) {
  const { output } = await cruise(
    ['core', 'packages', 'plugins'],
    {
      parser: 'tsc',
      tsPreCompilationDeps: true,
      includeOnly: { path: '^(core|packages|plugins)/' },
      exclude: { path: ['node_modules/', '^plugins/dashboard/types/', ...(exclude === undefined ? [] : [exclude])] },
      validate: true,
      ruleSet: { forbidden },
    },
    { extensions: ['.ts', '.js', '.json'], exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  )
  if (typeof output === 'string') throw new Error(`dependency-cruiser gave a text instead of a result: ${output}`)
  return { modules: output.modules.map(({ source }) => source), broken: brokenRules(output, forbidden) }
}

function brokenRules({ summary: { violations } }: ICruiseResult, rules: readonly IRegularForbiddenRuleType[]): string[] {
  return rules.flatMap(({ name, comment }) => {
    const found = violations.filter(({ rule }) => rule.name === name)
    // A circle is found from each folder in it.
    const lines = new Map(
      found.map(({ from, to, cycle = [] }) =>
        cycle.length === 0
          ? [`${from} ${to}`, `${from} → ${to}`]
          : [
              cycle
                .map(step => step.name)
                .sort()
                .join(' '),
              [from, ...cycle.map(step => step.name)].join(' → '),
            ],
      ),
    )
    return found.length === 0 ? [] : [problem(name ?? 'unnamed', comment ?? '', [...lines.values()])]
  })
}

function crowded(sources: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const source of sources.filter(source => /\.[jt]s$/.test(source) && !/\.test\.[jt]s$|\/test-[^/]+$/.test(source))) {
    counts.set(dirname(source), (counts.get(dirname(source)) ?? 0) + 1)
  }
  const lines = [...counts].filter(([, count]) => count > FILES).map(([folder, count]) => `${folder}: ${count} files`)
  const comment = `A folder holds at most ${FILES} source files side by side, tests not counted. Move files that belong together into a folder that names what they do.`
  return lines.length === 0 ? [] : [problem('folder-size', comment, lines.toSorted())]
}

const problem = (name: string, comment: string, lines: readonly string[]) =>
  [`${name} (${lines.length}): ${comment}`, ...lines.map(line => `  ${line}`)].join('\n')

if (import.meta.main) {
  const problems = await checkLayers()
  for (const text of problems) console.error(`${text}\n`)
  if (problems.length > 0) console.error(`The layers break ${problems.length} rules. The rules are in scripts/layers.ts.`)
  process.exitCode = problems.length > 0 ? 1 : 0
}
