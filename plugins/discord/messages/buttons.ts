/** Buttons under answers of the bot. https://discord.com/developers/docs/components/reference */
import { type APIActionRowComponent, type APIComponentInMessageActionRow, ButtonStyle, ComponentType } from 'discord.js'
import type { Handle } from 'kikimimi/platform'

/** Begins the custom id of each button. The name of its command follows. */
const BUTTON = 'kiki:'

/** Limits of Discord. */
const [ROWS, IN_ROW, LABEL] = [5, 5, 80]

type Row = APIActionRowComponent<APIComponentInMessageActionRow>

/** The rows of buttons of a message. Buttons that do not fit are left out. */
export function rowsOf(handles: readonly Handle[] = []): Row[] {
  const rows = Array.from({ length: Math.min(ROWS, Math.ceil(handles.length / IN_ROW)) }, (_, row) =>
    handles.slice(row * IN_ROW, (row + 1) * IN_ROW),
  )
  return rows.map(row => ({ type: ComponentType.ActionRow, components: row.map(buttonOf) }))
}

/** The emoji is in the label, because Discord refuses the whole message for an emoji that it does not know. */
function buttonOf({ command, label, emoji }: Handle): APIComponentInMessageActionRow {
  return {
    type: ComponentType.Button,
    style: ButtonStyle.Secondary,
    custom_id: `${BUTTON}${command}`,
    label: `${emoji} ${label}`.slice(0, LABEL).trim(),
  }
}

/** The command of a button. Nothing for a custom id that is not of {@link rowsOf}. */
export function commandOf(customId: string): string | undefined {
  return /^kiki:(\S+)$/.exec(customId)?.[1]
}
