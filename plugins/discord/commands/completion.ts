/** Autocompletion of the slash command. */
import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandOptionChoice,
  type GatewayInteractionCreateDispatchData,
  InteractionResponseType,
  InteractionType,
  type REST,
  Routes,
} from 'discord.js'
import type { ChatCommand, Locale } from 'kikimimi'
import { ChatCommands, type PlatformContext } from 'kikimimi/platform'
import { personOf } from '../messages/messages.ts'
import { sentence } from '../rest/errors.ts'
import type { Where } from './commands.ts'
import { languageOf, moderates } from './interactions.ts'
import { typingIn } from './tree.ts'

type Completion = APIApplicationCommandAutocompleteInteraction & GatewayInteractionCreateDispatchData
type Choice = APIApplicationCommandOptionChoice<string>

/** Maximum number and length of suggestions in Discord. */
const MOST = 25
const LONGEST = 100

export function isCompletion(told: GatewayInteractionCreateDispatchData, name: string): told is Completion {
  return told.type === InteractionType.ApplicationCommandAutocomplete && told.data.name === name
}

export interface Suggesting {
  readonly ctx: Pick<PlatformContext, 'bot' | 'log' | 'use'>
  readonly rest: REST
}

/** Suggests commands with the same beginning, or what a command suggests for its field. Never rejects, because the next letter asks again. */
export async function suggest(
  { ctx, rest }: Suggesting,
  told: Completion,
  where: Where | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { text, subcommand } = typingIn(told.data.options)
  const { locale = ctx.bot.locale } = languageOf(told)
  const found =
    subcommand === undefined
      ? namesFor(ctx.use(ChatCommands).all, text, locale)
      : (await suggestedBy(ctx, told, where, text)).map(value => ({ name: value, value }))
  const choices = found.filter(({ value }) => value !== '' && value.length <= LONGEST).slice(0, MOST)
  const body = { type: InteractionResponseType.ApplicationCommandAutocompleteResult, data: { choices } }
  try {
    await rest.post(Routes.interactionCallback(told.id, told.token), { body, auth: false, signal })
  } catch (error) {
    ctx.log.debug(`commands could not be suggested: ${sentence(error)}`)
  }
}

function namesFor(commands: readonly ChatCommand[], text: string, locale: Locale): readonly Choice[] {
  const found = commands
    .filter(({ name }) => name.startsWith(text.trim().toLowerCase()))
    .map(({ name, does }) => ({ name: `${name}: ${does[locale] ?? does.en}`.slice(0, LONGEST), value: name }))
  // Without a suggestion Discord would show that it found nothing, even for a plain message.
  return found.length > 0 || text.trim() === '' ? found : [{ name: text, value: text }]
}

async function suggestedBy(
  ctx: Suggesting['ctx'],
  told: Completion,
  where: Where | undefined,
  text: string,
): Promise<readonly string[]> {
  const { member, user = member?.user } = told
  if (!where || !user) return []
  const { isAdmin, place: conversation } = where
  const rights = { moderator: () => moderates(told), admin: () => isAdmin }
  const person = personOf(user, member?.nick)
  return ctx.use(ChatCommands).suggest({ conversation, person, text, ...rights, ...languageOf(told) })
}
