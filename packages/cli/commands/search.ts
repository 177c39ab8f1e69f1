/** `kikimimi search WORDS`: plugins in the registry. */
import { outputOf } from '../output.ts'
import { misfit } from '../plugins/manifest.ts'
import { packageIn } from '../plugins/project.ts'
import { packageFrom, searchPlugins } from '../plugins/registry.ts'

/** Processes of npm at once. */
const AT_ONCE = 4

/** Prints name, version, whether it fits the installed kikimimi, and description. @throws REGISTRY_UNAVAILABLE */
export async function runSearch(words: readonly string[], { json }: { readonly json?: boolean | undefined }): Promise<void> {
  const { print } = outputOf(json)
  const folder = process.cwd()
  const kernel = packageIn(folder, 'kikimimi')?.version
  const names = await searchPlugins(words, folder)
  for (let next = 0; next < names.length; next += AT_ONCE) {
    const packages = await Promise.all(names.slice(next, next + AT_ONCE).map(name => packageFrom(name, folder)))
    for (const found of packages) {
      if (!found) continue
      const { name, version, description } = found
      const problem = kernel === undefined ? 'no kikimimi is installed in this folder' : misfit(found, kernel)
      if (json) print(JSON.stringify({ name, version, description, fits: problem === undefined, problem }))
      else print(`${name} ${version}  ${problem ?? 'fits'}\n  ${description}`)
    }
  }
  if (names.length === 0 && !json) print(`The registry has no plugin with these words: ${words.join(' ')}`)
}
