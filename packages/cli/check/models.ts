/** Checks the models of a bot: each is asked for one word, one vector or one score. */
import type { Clock, Finding, Logger, Role } from 'kikimimi'
import { createModels, type ModelsOptions, namesOf } from 'kikimimi/host'
import { probe } from './probe.ts'

const ROLES: readonly Role[] = ['chat', 'judge', 'summary', 'reflection']
const DEADLINE = 15_000
const DEADLINES = {
  chat: DEADLINE,
  judge: DEADLINE,
  summary: DEADLINE,
  reflection: DEADLINE,
  embeddings: DEADLINE,
  rerank: DEADLINE,
}

export async function checkModels(
  given: ModelsOptions['models'],
  { clock, log }: { clock: Clock; log: Logger },
): Promise<readonly Finding[]> {
  const models = createModels({ models: given, clock, log, random: Math.random, options: { deadlines: DEADLINES } })
  const byModel = Map.groupBy(ROLES, role => given[role] ?? given.chat)

  async function answers(chat: ModelsOptions['models']['chat'], roles: readonly [Role, ...Role[]]): Promise<Finding> {
    const name = `model ${namesOf({ chat })} (${roles.join(', ')})`
    if ('name' in chat && chat.name === 'offline') return { what: `${name}: offline, answers by simple rules` }
    const request = { system: 'Answer with one word.', messages: [{ role: 'user' as const, text: 'Are you there?' }] }
    return timed(name, () => models.text(roles[0], request))
  }

  async function timed(name: string, run: () => Promise<unknown>): Promise<Finding> {
    const start = clock.now()
    const { finding } = await probe(name, run)
    return finding.problem === undefined
      ? { what: `${name}: answered in ${((clock.now() - start) / 1_000).toFixed(1)} s` }
      : finding
  }

  const asked = [...byModel].flatMap(([chat, [first, ...others]]) => (first ? [answers(chat, [first, ...others])] : []))
  const { embeddings, rerank } = given
  if (embeddings) asked.push(timed(`model ${namesOf({ embeddings })} (embeddings)`, () => models.embed(['Are you there?'])))
  if (rerank) asked.push(timed(`model ${rerank.name} (rerank)`, () => models.rerank('Are you there?', ['Yes.'])))
  return Promise.all(asked)
}
