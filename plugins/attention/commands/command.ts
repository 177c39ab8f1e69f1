/** `/kiki attention`: the learned weights of the channel. */
import { type ChatCommand, channelOf, KikimimiError, type PluginContext } from 'kikimimi'
import { createVersions } from '../learn/versions.ts'
import { texts } from '../texts.ts'
import { lineOf } from './cli.ts'

const WORDS = /^(?:|revert|apply(?: (?<version>[1-9]\d{0,5}))?)$/i

export function attentionCommand(ctx: PluginContext): ChatCommand {
  return {
    name: 'attention',
    names: texts.all('command.name'),
    does: texts.all('command'),
    usage: '[apply [1]|revert]',
    permission: 'moderator',
    takes: text => WORDS.test(text.trim()),
    async run({ conversation, person, text, locale }) {
      const versions = createVersions(ctx)
      const say = texts(locale)
      const channel = channelOf(conversation)
      const [command] = text.trim().toLowerCase().split(' ')
      try {
        if (command === 'apply') {
          const given = WORDS.exec(text.trim())?.groups?.version
          const { version } = await versions.apply(channel, given === undefined ? undefined : Number(given), person)
          return say('command.applied', { version: String(version) })
        }
        if (command === 'revert') {
          const { version } = await versions.revert(channel, person)
          return say('command.reverted', { version: String(version) })
        }
      } catch (error) {
        if (error instanceof KikimimiError && error.code === 'ARGUMENT_INVALID') return say('command.none')
        throw error
      }
      const used = await versions.current(channel)
      const all = (await versions.list(channel)).slice(0, SHOWN).map(lineOf)
      const state = used ? say('command.used', { version: String(used.version) }) : say('command.shared')
      return [state, ...(all.length > 0 ? all : [say('command.none')])].join('\n')
    },
  }
}

/** Number of versions that the answer lists. */
const SHOWN = 5
