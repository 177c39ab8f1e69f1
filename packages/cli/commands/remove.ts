/** `kikimimi remove NAME`: takes a plugin out of bot.config.ts and uninstalls its package. */
import { writeFile } from 'node:fs/promises'
import { importsPackage, packagesIn, withoutPlugin } from '../config-source/edit.ts'
import { namedPackage, shortName } from '../plugin-names.ts'
import { diffOf } from '../plugins/diff.ts'
import { checkFile, manifestIn, openProject } from '../plugins/project.ts'
import { agree, openQuestions } from '../plugins/questions.ts'
import type { ChangeOptions } from '../program.ts'
import { runCheck } from './check.ts'

/**
 * Shows what changes and asks; then writes, uninstalls and checks. The exit code is 1 if the check finds a problem. Refused or failed,
 * it leaves everything as it was.
 */
export async function runRemove([given = '']: readonly string[], { config: file, yes }: ChangeOptions): Promise<void> {
  const { name } = namedPackage(given)
  const short = shortName(name)
  const project = openProject(file, process.env)
  const manifest = manifestIn(project, name)
  const text = withoutPlugin(file, project.text, { package: name, exported: manifest?.export ?? 'default' })
  const uninstalls = project.depends(name) && !importsPackage(file, text, name)
  if (text === project.text && !uninstalls) {
    process.stdout.write(`${short} is neither in ${file} nor in package.json.\n`)
    return
  }
  const others = packagesIn(file, text).filter(other =>
    Object.keys(manifestIn(project, other)?.needs ?? {}).some(service => manifest?.provides.includes(service)),
  )
  const shown = [
    ...(text === project.text ? [] : [diffOf(file, project.text, text)]),
    ...(uninstalls ? [`Uninstall ${name}.`] : []),
    ...others.map(other => `${shortName(other)} needs a service of ${short}. The bot does not start until it is removed too.`),
    ...(manifest?.tables
      ? [
          `Its data stays in the database: the schema ${manifest.name.replaceAll('-', '_')}. The bot uses it again when the plugin comes back. ` +
            'Until then, erasure of a person does not reach it.',
        ]
      : []),
    ...(manifest?.platform ? [`What people wrote there stays in the message log.`] : []),
    ...(manifest?.settings.flatMap(({ env }) => (env && process.env[env] ? [`${env} stays in .env.`] : [])) ?? []),
  ]
  process.stdout.write(`${shown.join('\n')}\n`)
  using questions = openQuestions()
  if (!yes) await agree(questions)
  await checkFile(file, project.text)
  if (text !== project.text) await writeFile(file, text)
  try {
    if (uninstalls) await project.manage('uninstall', name)
  } catch (error) {
    await writeFile(file, project.text)
    throw error
  }
  await runCheck({ config: file })
}
