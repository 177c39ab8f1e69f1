/** `kikimimi eval`: plays scenes to the bot of bot.config.ts, with its models, and says how often it does what it should. */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { withSetting } from '@kikimimi/replay'
import {
  type Case,
  type Configuration,
  type Evaluation,
  evaluate,
  hasResult,
  isPassed,
  toHtml,
  toText,
} from '@kikimimi/replay/eval'
import { KikimimiError } from 'kikimimi'
import { namesOf, reason } from 'kikimimi/host'
import { memoryCase } from '../eval/memory-case.ts'
import { sceneCase, sharedStages } from '../eval/scene-case.ts'
import { readMemoryScenes, readScenes, SITUATIONS } from '../eval/scenes.ts'
import { outputOf } from '../output.ts'
import type { CommonOptions } from '../program.ts'
import { createProgress } from '../progress.ts'
import { type ReadBot, readBot } from '../read-bot.ts'
import type { Session } from '../session.ts'

export interface EvalValues {
  readonly against?: string | undefined
  readonly set?: readonly string[] | undefined
  readonly budget?: string | undefined
  readonly out?: string | undefined
}

const SUBJECTS = [...SITUATIONS, 'memory'] as const
/** The turns that people rated. They are data of the bot, so nothing else runs with them. */
const RATED = 'rated'

type Subject = (typeof SUBJECTS)[number]

/**
 * The exit code is 1 if a scene fails. With two configurations, it is 1 if the second is worse than the first: the interval of the
 * difference is below zero. It is also 1 if a scene has no result.
 *
 * @throws USAGE for an unknown subject or option, and for a report that cannot be written
 */
export async function runEval(
  given: readonly string[],
  { config: file, json = false, against, set = [], budget, out }: CommonOptions & EvalValues,
  session: Session,
): Promise<void> {
  if (given.includes(RATED)) {
    if (given.length > 1 || against !== undefined)
      throw new KikimimiError('USAGE', 'kikimimi eval rated takes no other subject, and no --against: change the bot with --set.')
    return report(await ratedTurns(file, { set, budget }, session), { json, out }, session)
  }
  const subjects = given.length === 0 ? SUBJECTS : given.map(subjectOf)
  const most = budget === undefined ? undefined : tokensOf(budget)
  const first = await readBot(file)
  const isCompared = against !== undefined || set.length > 0
  const second = isCompared && (await otherBot(against === undefined ? first : await readBot(against), set))
  const configurations: [Configuration, ...Configuration[]] = [
    configurationOf(first),
    ...(second ? [configurationOf(second, set)] : []),
  ]

  await using scope = new AsyncDisposableStack()
  using progress = createProgress()
  const evaluation = await evaluate(await casesOf(subjects, scope), {
    configurations,
    budget: most,
    progress: (done, of) => progress.show(`${done} of ${of} scenes`),
  })
  await report(evaluation, { json, out }, session)
}

/** The rated turns of the dashboard, in the bot that has them. */
async function ratedTurns(
  file: string,
  { set = [], budget }: Pick<EvalValues, 'set' | 'budget'>,
  session: Session,
): Promise<Evaluation> {
  await using opened = await session.open(file)
  await using bot = await session.startBot(file, opened)
  const lines: string[] = []
  const args = [...(budget === undefined ? [] : ['--budget', String(tokensOf(budget))]), ...set.flatMap(one => ['--set', one])]
  await bot.command('rated', args, { json: true, print: line => void lines.push(line) })
  const [evaluation] = lines
  if (evaluation !== undefined) return JSON.parse(evaluation) as Evaluation
  throw new KikimimiError(
    'USAGE',
    'kikimimi eval rated needs the dashboard: add dashboard() to bot.config.ts, and rate turns on it.',
  )
}

async function report(
  evaluation: Evaluation,
  { json, out }: { readonly json: boolean; readonly out: string | undefined },
  session: Session,
): Promise<void> {
  outputOf(json, session.stdout).print(json ? JSON.stringify(evaluation, null, 2) : toText(evaluation))
  if (!isFine(evaluation)) session.end(1)
  if (out === undefined) return
  try {
    await writeFile(resolve(session.cwd, `${out}.json`), JSON.stringify(evaluation, null, 2))
    await writeFile(resolve(session.cwd, `${out}.html`), toHtml(evaluation))
  } catch (error) {
    throw new KikimimiError('USAGE', `--out: could not write ${out}: ${reason(error)}`)
  }
}

function subjectOf(given: string): Subject {
  const subject = SUBJECTS.find(one => one === given)
  if (subject) return subject
  throw new KikimimiError(
    'USAGE',
    `kikimimi eval takes ${SUBJECTS.join(', ')} or ${RATED}, not "${given}". Without a subject it runs all of them.`,
  )
}

function tokensOf(given: string): number {
  const tokens = Number(given)
  if (given.trim() !== '' && Number.isSafeInteger(tokens) && tokens >= 1) return tokens
  throw new KikimimiError('USAGE', `--budget takes a number of tokens from 1 on, got "${given}".`)
}

async function otherBot({ config, project }: ReadBot, set: readonly string[]): Promise<ReadBot> {
  return { config: set.reduce(withSetting, config), project }
}

/** With the names of the models, because they make the difference. */
function configurationOf({ config, project }: ReadBot, set: readonly string[] = []): Configuration {
  const models = config.models?.chat ? namesOf(config.models) : ['the offline model']
  return { name: [models.join(', '), ...set].join(', '), config, project }
}

async function casesOf(subjects: readonly Subject[], scope: AsyncDisposableStack): Promise<readonly Case[]> {
  const stages = sharedStages(scope)
  const cases: Case[] = []
  for (const subject of subjects) {
    if (subject === 'memory') cases.push(...(await readMemoryScenes()).map(memoryCase))
    else cases.push(...(await readScenes(subject)).map(scene => sceneCase(subject, scene, stages)))
  }
  return cases
}

function isFine({ sides, rows, cases }: Evaluation): boolean {
  if (sides.some(({ failed, left }) => failed + left > 0)) return false
  const difference = rows.at(-1)?.difference
  if (difference) return difference.high >= 0
  return cases.every(({ results }) => results.every(result => hasResult(result) && isPassed(result)))
}
