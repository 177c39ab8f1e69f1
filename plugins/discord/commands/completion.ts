/** Autocompletion of the slash command. */
import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandOptionChoice,
  ApplicationCommandOptionType,
  type GatewayInteractionCreateDispatchData,
  InteractionResponseType,
  InteractionType,
  type REST,
  Routes,
} from 'discord.js'
import { ChatCommands, type PlatformContext } from 'kikimimi'
import { sentence } from '../rest/errors.ts'
import { languageOf } from './interactions.ts'

/** Maximum number and length of suggestions in Discord. */
const MOST = 25
const LONGEST = 100

export function isCompletion(
  told: GatewayInteractionCreateDispatchData,
  name: string,
): told is APIApplicationCommandAutocompleteInteraction & GatewayInteractionCreateDispatchData {
  return told.type === InteractionType.ApplicationCommandAutocomplete && told.data.name === name
}

/** Suggests commands with the same beginning. Never rejects, because the next letter asks again. */
export async function suggest(
  { ctx, rest }: { readonly ctx: Pick<PlatformContext, 'locale' | 'log' | 'use'>; readonly rest: REST },
  told: APIApplicationCommandAutocompleteInteraction,
  signal: AbortSignal,
): Promise<void> {
  const option = told.data.options.find(one => 'focused' in one && one.focused)
  const typed = option?.type === ApplicationCommandOptionType.String ? option.value : ''
  const { locale = ctx.locale } = languageOf(told)
  const found = ctx
    .use(ChatCommands)
    .all.filter(({ name }) => name.startsWith(typed.trim().toLowerCase()))
    .map(({ name, does }) => ({ name: `${name}: ${does[locale] ?? does.en}`.slice(0, LONGEST), value: name }))
  // Without a suggestion Discord would show that it found nothing, even for a plain message.
  const itself = typed.trim() !== '' && typed.length <= LONGEST ? [{ name: typed, value: typed }] : []
  const choices: APIApplicationCommandOptionChoice<string>[] = found.length > 0 ? found.slice(0, MOST) : itself
  const body = { type: InteractionResponseType.ApplicationCommandAutocompleteResult, data: { choices } }
  try {
    await rest.post(Routes.interactionCallback(told.id, told.token), { body, auth: false, signal })
  } catch (error) {
    ctx.log.debug(`commands could not be suggested: ${sentence(error)}`)
  }
}
