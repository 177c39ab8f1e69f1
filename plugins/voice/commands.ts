/** The commands `/kiki voice`, `/kiki join` and `/kiki leave`. */
import type { DiscordVoice } from '@kikimimi/discord'
import type { ChatCommand, PluginContext } from 'kikimimi'
import type { Calls } from './calls.ts'
import type { Consents } from './consents.ts'
import { texts } from './texts.ts'

const ON = new Set(['on', 'オン', '켜기'])
const OFF = new Set(['off', 'オフ', '끄기'])

export interface CommandsOptions {
  readonly ctx: Pick<PluginContext, 'log' | 'models'>
  readonly voice: Pick<DiscordVoice, 'roomOf'>
  readonly calls: Pick<Calls, 'join' | 'leave'>
  readonly consents: Consents
}

export function commands({ ctx, voice, calls, consents }: CommandsOptions): readonly ChatCommand[] {
  return [
    {
      name: 'voice',
      names: texts.all('command.voice.name'),
      does: texts.all('command.voice'),
      usage: '[on|off]',
      permission: 'everyone',
      access: 'always',
      takes: text => text === '' || ON.has(text.toLowerCase()) || OFF.has(text.toLowerCase()),
      async run({ conversation: { platform, workspace }, person: { id: person }, text, locale }) {
        const say = texts(locale)
        if (platform !== 'discord' || workspace === '') return say('onlyInServer')
        if (text === '') return say((await consents.of(workspace)).has(person) ? 'isOn' : 'isOff')
        const given = ON.has(text.toLowerCase())
        await consents.change({ workspace, person, given })
        return say(given ? 'on' : 'off')
      },
    },
    {
      name: 'join',
      names: texts.all('command.join.name'),
      does: texts.all('command.join'),
      permission: 'everyone',
      access: 'order',
      async run({ conversation: { platform, workspace }, person: { id }, locale }) {
        const say = texts(locale)
        if (platform !== 'discord' || workspace === '') return say('onlyInServer')
        if (!ctx.models.transcribes) return say('noModel')
        const room = voice.roomOf(workspace, id)
        if (!room) return say('notInRoom')
        if (room.lacks.length > 0) return say('lacks', { permissions: room.lacks.join(', ') })
        const given = await consents.of(workspace)
        if (!room.people.some(person => given.has(person.id))) return say('nobodyAllows')
        try {
          return (await calls.join(room)) ? say('joined', { channel: room.conversation.name }) : say('notJoined')
        } catch (error) {
          ctx.log.warn(`could not join a voice channel: ${error instanceof Error ? error.message : String(error)}`)
          return say('notJoined')
        }
      },
    },
    {
      name: 'leave',
      names: texts.all('command.leave.name'),
      does: texts.all('command.leave'),
      permission: 'everyone',
      access: 'always',
      run: async ({ conversation: { workspace }, locale }) =>
        texts(locale)((await calls.leave(workspace)) ? 'left' : 'notInCall'),
    },
  ]
}
