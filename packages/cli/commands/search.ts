/** `kikimimi search WORDS`: plugins in the registry. */
import { outputOf } from '../output.ts'
import { misfit } from '../plugins/manifest.ts'
import { packageIn } from '../plugins/project.ts'
import { type Found, packageFrom, searchPlugins } from '../plugins/registry.ts'

/** Processes of npm at once. */
const AT_ONCE = 4

/** Prints name, version, whether it fits the installed kikimimi, and description. @throws REGISTRY_UNAVAILABLE */
export async function runSearch(words: readonly string[], { json }: { readonly json?: boolean | undefined }): Promise<void> {
  const { print } = outputOf(json)
  const folder = process.cwd()
  const kernel = packageIn(folder, 'kikimimi')?.version
  const found = await searchPlugins(words, folder)
  for (let next = 0; next < found.length; next += AT_ONCE) {
    const lines = found.slice(next, next + AT_ONCE).map(async one => ({ ...one, ...(await suitability(one, kernel, folder)) }))
    for (const { name, version, description, fits, problem } of await Promise.all(lines)) {
      if (json) print(JSON.stringify({ name, version, description, fits, problem }))
      else print(`${name} ${version}  ${fits ? 'fits' : problem}\n  ${description}`)
    }
  }
  if (found.length === 0 && !json) print(`The registry has no plugin with these words: ${words.join(' ')}`)
}

async function suitability({ name, version }: Found, kernel: string | undefined, cwd: string) {
  if (kernel === undefined) return { fits: false, problem: 'no kikimimi is installed in this folder' }
  const manifest = await packageFrom(`${name}@${version}`, cwd)
  const problem = manifest && misfit(manifest, kernel)
  return { fits: problem === undefined, problem }
}
