/** `kikimimi eval memory`. */
import { writeFile } from 'node:fs/promises'
import { KikimimiError } from 'kikimimi'
import { reason } from 'kikimimi/host'
import { isPassed, toHtml, toJson, toText } from '../eval/report.ts'
import { evalScene, type SceneResult } from '../eval/run-scene.ts'
import { readScenes } from '../eval/scenes.ts'
import { outputOf } from '../output.ts'
import type { CommonOptions } from '../program.ts'
import { readBot } from '../read-bot.ts'

/**
 * Runs the scenes with the models of bot.config.ts. The exit code is 1 if a scene fails.
 *
 * @throws USAGE for another subject than memory, or a report that cannot be written
 */
export async function runEval(
  subject: string,
  { config: file, json, out }: CommonOptions & { readonly out?: string | undefined },
): Promise<void> {
  if (subject !== 'memory') throw new KikimimiError('USAGE', `kikimimi eval memory, not "${subject}".`)
  const { config } = await readBot(file)
  const results: SceneResult[] = []
  for (const scene of await readScenes()) results.push(await evalScene(scene, config))
  const model = nameOf(config.models?.reflection ?? config.models?.chat)
  outputOf(json).print(json ? toJson(model, results) : toText(results))
  if (!results.every(isPassed)) process.exitCode = 1
  if (out === undefined) return
  try {
    await writeFile(`${out}.json`, toJson(model, results))
    await writeFile(`${out}.html`, toHtml(model, results))
  } catch (error) {
    throw new KikimimiError('USAGE', `--out: could not write ${out}: ${reason(error)}`)
  }
}

/** The name of a model in a report. */
function nameOf(model: unknown): string {
  if (model === undefined) return 'the offline model'
  const { name, model: id } = model as { readonly name?: unknown; readonly model?: unknown }
  return [id, name].find(text => typeof text === 'string') ?? 'a model'
}
