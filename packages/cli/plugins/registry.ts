/** The registry of npm's configuration. */
import { KikimimiError } from 'kikimimi'
import { z } from 'zod'
import { type Ended, npm, npmProblem } from '../processes.ts'
import { KEYWORD, type PackageJson, packageJson } from './manifest.ts'

/** The most packages that a search shows. */
const MOST = 20
/** Milliseconds of one request. */
const TIMEOUT = 15_000

/** Registries differ in what else they tell. */
const found = z.array(z.object({ name: z.string(), keywords: z.array(z.string()).default([]) }))

/** The newest package.json that fits `name` or `name@range`. Nothing: there is no such package. @throws REGISTRY_UNAVAILABLE */
export async function packageFrom(spec: string, cwd: string): Promise<PackageJson | undefined> {
  const { out, err, code } = await ask(['view', spec, '--json'], cwd)
  if (code !== 0 && /\bE404\b/.test(out + err)) return undefined
  if (code !== 0) throw await unavailable(err, cwd)
  if (out.trim() === '') return undefined
  const versions = z.union([z.array(packageJson), packageJson.transform(one => [one])]).parse(JSON.parse(out))
  return versions.at(-1)
}

/** The names of plugins with these words, best first. @throws REGISTRY_UNAVAILABLE */
export async function searchPlugins(words: readonly string[], cwd: string): Promise<readonly string[]> {
  const exact = await search([`keywords:${KEYWORD}`, ...words], cwd)
  // A registry such as verdaccio does not know keywords, and looks for words in names and descriptions.
  return exact.length > 0 ? exact : search(words.length > 0 ? words : ['kikimimi'], cwd)
}

async function search(words: readonly string[], cwd: string): Promise<readonly string[]> {
  const { out, err, code } = await ask(['search', ...words, '--json', `--searchlimit=${MOST}`], cwd)
  if (code !== 0) throw await unavailable(err, cwd)
  const plugins = found.parse(JSON.parse(out)).filter(({ keywords }) => keywords.includes(KEYWORD))
  return plugins.map(({ name }) => name)
}

function ask(args: readonly string[], cwd: string): Promise<Ended> {
  return npm([...args, '--fetch-retries=0', `--fetch-timeout=${TIMEOUT}`], cwd)
}

async function unavailable(err: string, cwd: string): Promise<KikimimiError> {
  const { out } = await npm(['config', 'get', 'registry'], cwd)
  return new KikimimiError(
    'REGISTRY_UNAVAILABLE',
    `The registry ${out.trim()} gave no answer: ${npmProblem(err).slice(0, 2).join(' ')}. "npm config get registry" shows its address.`,
  )
}
