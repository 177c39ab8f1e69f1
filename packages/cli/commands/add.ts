/** `kikimimi add NAME`: installs a plugin and writes it into bot.config.ts. */
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { KikimimiError } from 'kikimimi'
import { hasPlugin, type Position, packagesIn, withPlugin } from '../config-source/edit.ts'
import type { Listed } from '../config-source/listed.ts'
import { meantBy, type Named, namedPackage, shortName } from '../plugin-names.ts'
import { isOurs, variableOf } from '../plugin-packages.ts'
import { diffOf } from '../plugins/diff.ts'
import { withVariable } from '../plugins/env-file.ts'
import { manifestOf, misfit, type PackageJson, type PluginManifest } from '../plugins/manifest.ts'
import { checkFile, manifestIn, openProject, type Project } from '../plugins/project.ts'
import { agree, openQuestions } from '../plugins/questions.ts'
import { packageFrom } from '../plugins/registry.ts'
import { type Given, settingsFor } from '../plugins/settings.ts'
import type { ChangeOptions } from '../program.ts'
import { runCheck } from './check.ts'

interface AddOptions extends ChangeOptions {
  readonly set?: readonly string[] | undefined
}

/**
 * Shows what changes and asks; then installs, writes and checks. The exit code is 1 if the check finds a problem. Refused or failed, it
 * leaves everything as it was.
 *
 * @throws PLUGIN_PACKAGE if the package is not a plugin or does not fit, and what the parts throw
 */
export async function runAdd([given = '']: readonly string[], { config: file, yes, set = [] }: AddOptions): Promise<void> {
  const named = namedPackage(given)
  const project = openProject(file, process.env)
  const isInstalled = project.isListed(named.name) && named.name === named.spec
  const { found, spec } = await packageFor(given, named, isInstalled, project)
  const manifest = manifestOf(found)
  const plugin = { package: named.name, exported: manifest.export }
  const isUsed = hasPlugin(file, project.text, plugin)
  if (isUsed && isInstalled) {
    process.stdout.write(`${shortName(named.name)} is installed and in ${file} already.\n`)
    return
  }
  using questions = openQuestions()
  const settings: Given = isUsed
    ? { variables: [], options: '', missing: [] }
    : await settingsFor(manifest, { set, env: process.env, ...(!yes && { questions }) })
  const variable = manifest.export === 'default' ? variableOf(named.name) : manifest.export
  const call = { ...plugin, variable, options: settings.options }
  const text = withPlugin(file, project.text, call, listed => positionOf(manifest.platform, listed, project))
  // Where the command line reads it.
  const envFile = resolve('.env')
  const envBefore = await readFile(envFile, 'utf8').catch(() => '')
  const env = settings.variables.reduce(
    (all, { name, value, description }) => withVariable(all, name, value, description),
    envBefore,
  )

  const shown = [
    ...(isInstalled ? [] : [`Install ${named.name}@${found.version}: ${found.description}`]),
    ...(text === project.text ? [] : [diffOf(file, project.text, text)]),
    ...settings.variables.map(({ name }) => `.env gets ${name}.`),
    ...servicesMissing(manifest.needs, packagesIn(file, project.text), project),
  ]
  process.stdout.write(`${shown.join('\n')}\n`)
  if (!yes) await agree(questions)
  await checkFile(file, project.text)
  if (env !== envBefore && envBefore !== '') await checkFile(envFile, envBefore)
  if (!isInstalled) await project.manage('add', spec)
  if (env !== envBefore) await writeFile(envFile, env, { mode: 0o600 })
  if (text !== project.text) await writeFile(file, text)
  for (const { name, value } of settings.variables) process.env[name] = value
  for (const { env: name, description } of settings.missing)
    process.stdout.write(`Set ${name} in .env before the start: ${description}\n`)
  await runCheck({ config: file })
}

/** `spec`: what the package manager installs. */
interface Found {
  readonly found: PackageJson
  readonly spec: string
}

/** If the latest version of a plugin of kikimimi is for a later kernel, the one of the kernel's release. */
async function packageFor(given: string, { name, spec }: Named, isInstalled: boolean, project: Project): Promise<Found> {
  const found = isInstalled ? project.packageOf(name) : await packageFrom(spec, project.folder)
  if (!found) throw new KikimimiError('PLUGIN_PACKAGE', `The registry has no package "${spec}".${meantBy(given)}`)
  const kernel = project.packageOf('kikimimi')?.version
  const problem = kernel === undefined ? undefined : misfit(found, kernel)
  if (problem === undefined) return { found, spec }
  const own = `${name}@${kernel}`
  const fitting = isOurs(name) && spec === name ? await packageFrom(own, project.folder) : undefined
  if (fitting) return { found: fitting, spec: own }
  throw new KikimimiError(
    'PLUGIN_PACKAGE',
    `${name} ${found.version} ${problem}. Upgrade kikimimi, or name a version that fits: kikimimi add ${shortName(name)}@VERSION`,
  )
}

/** A platform stands below the last platform, any other plugin above the one that writes replies. */
function positionOf(isPlatform: boolean, plugins: readonly Listed[], project: Project): Position {
  const some = (test: (name: string) => boolean) => (one: Listed) => one.entry.packages.some(test)
  if (isPlatform) {
    const after = plugins.findLast(some(name => manifestIn(project, name)?.platform === true))
    return after ? { after } : 'start'
  }
  const before = plugins.find(some(name => name === '@kikimimi/reply'))
  return before ? { before } : 'end'
}

function servicesMissing(needs: PluginManifest['needs'], listed: readonly string[], project: Project): readonly string[] {
  const provided = listed.flatMap(name => manifestIn(project, name)?.provides ?? [])
  return Object.entries(needs)
    .filter(([service]) => !provided.includes(service))
    .map(
      ([service, from]) =>
        `It needs the service "${service}", which no plugin of the bot provides: kikimimi add ${shortName(from)}`,
    )
}
