/** Who can use the bot, and what that can cost. */
import { namesOf } from 'kikimimi/host'
import { type Diagnosis, ok } from '../diagnosis.ts'
import { modelsOf, placeOf, type Subject } from './subject.ts'

/** Models that run on a machine of the operator. */
const FREE = /^offline$|ollama/i

export function unlimitedCost(subject: Subject): Diagnosis[] {
  const { config, settings } = subject
  const models = modelsOf(config)
  const paid = namesOf(models).filter(name => !FREE.test(name) && !isLocal(models, name))
  if (paid.length === 0) return [ok('cost: no model that costs money')]
  if (settings.budget) return [ok(`cost: limited, with ${paid.join(', ')}`)]
  return [
    {
      severity: 'warning',
      what: `calls of ${paid.join(', ')} have no limit: anybody who can write to the bot can spend your money`,
      where: placeOf(subject, /\bmodels\s*[:,]/),
      remedy: 'Set a limit in bot.config.ts, such as budget: { day: { tokens: 2_000_000 } }.',
    },
  ]
}

/** A model of Ollama has the name of what it runs. */
function isLocal(models: object, name: string): boolean {
  return Object.values(models).some(
    model => FREE.test(model?.constructor?.name ?? '') && [model.model, model.modelName, model.name].includes(name),
  )
}

export function otherBots(subject: Subject): Diagnosis[] {
  const { listen } = subject.settings
  if (!listen.bots) return [ok('listening: to people only')]
  return [
    {
      severity: 'warning',
      what: `the bot listens to other bots in ${listen.channels ? `${listen.channels.length} channels` : 'every channel'}: they can make it talk, and spend your money`,
      where: placeOf(subject, /\bbots\s*:/),
      remedy: 'Remove listen.bots, or name the channels in listen.channels.',
    },
  ]
}
