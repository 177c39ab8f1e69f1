/** Checks the models of a bot: each is asked for one word, one vector or one score. */
import type { Clock, Finding, Logger } from 'kikimimi'
import type { RoleModels } from 'kikimimi/host'
import { createModels, type ModelsOptions, namesOf } from 'kikimimi/host'
import { probe } from './probe.ts'

const ROLES = ['chat', 'judge', 'summary', 'reflection'] as const
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
  const running = (models: ModelsOptions['models']) =>
    createModels({ models, clock, log, random: Math.random, options: { deadlines: DEADLINES } })
  const models = running(given)
  const uses = [
    ...ROLES.map(role => ({ use: role, model: given[role] ?? given.chat })),
    ...Object.entries(given.plugins ?? {}).flatMap(([plugin, set]) => usesIn(set, plugin)),
    ...Object.entries(given.channels ?? {}).flatMap(([channel, set]) => usesIn(set, `#${channel.replace(/^#/, '')}`)),
  ]

  async function answers(chat: ModelsOptions['models']['chat'], uses: readonly string[]): Promise<Finding> {
    const name = `model ${namesOf({ chat })} (${uses.join(', ')})`
    if ('name' in chat && chat.name === 'offline') return { what: `${name}: offline, answers by simple rules` }
    const request = { system: 'Answer with one word.', messages: [{ role: 'user' as const, text: 'Are you there?' }] }
    return timed(name, () => running({ chat }).text('chat', request))
  }

  async function timed(name: string, run: () => Promise<unknown>): Promise<Finding> {
    const start = clock.now()
    const { finding } = await probe(name, run)
    return finding.problem === undefined
      ? { what: `${name}: answered in ${((clock.now() - start) / 1_000).toFixed(1)} s` }
      : finding
  }

  const byModel = Map.groupBy(uses, ({ model }) => model)
  const asked = [...byModel].map(([chat, uses]) =>
    answers(
      chat,
      uses.map(({ use }) => use),
    ),
  )
  const { embeddings, rerank } = given
  if (embeddings) asked.push(timed(`model ${namesOf({ embeddings })} (embeddings)`, () => models.embed(['Are you there?'])))
  if (rerank) asked.push(timed(`model ${rerank.name} (rerank)`, () => models.rerank('Are you there?', ['Yes.'])))
  return Promise.all(asked)
}

/** The models that a plugin or a channel has of its own. */
function usesIn(set: RoleModels, where: string) {
  return ROLES.flatMap(role => {
    const model = set[role]
    return model ? [{ use: `${where} ${role}`, model }] : []
  })
}
