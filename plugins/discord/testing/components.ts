/** Buttons of messages: what Discord accepts, and what people see. */
import { type APIMessage, ButtonStyle, ComponentType } from 'discord-api-types/v10'
import { Refusal } from './answers.ts'

type Rows = NonNullable<APIMessage['components']>

const [ROWS, IN_ROW, LABEL, ID] = [5, 5, 80, 100]

/** Refuses components that Discord refuses. https://discord.com/developers/docs/components/reference */
export function checkComponents(rows: Rows): void {
  const check = (holds: boolean, what: string) => {
    if (!holds) throw new Refusal(400, 50035, `Invalid Form Body: components: ${what}`)
  }
  const ids = new Set<string>()
  check(rows.length <= ROWS, `at most ${ROWS} rows`)
  for (const row of rows) {
    if (row.type !== ComponentType.ActionRow) throw new Refusal(400, 50035, 'Invalid Form Body: components: not a row')
    check(row.components.length >= 1 && row.components.length <= IN_ROW, `1 to ${IN_ROW} buttons in a row`)
    for (const button of row.components) {
      if (button.type !== ComponentType.Button || button.style === ButtonStyle.Link || button.style === ButtonStyle.Premium)
        continue
      const { custom_id, label = '' } = button
      check(custom_id.length >= 1 && custom_id.length <= ID, `custom_id of 1 to ${ID} characters`)
      check(label.length <= LABEL && (label !== '' || button.emoji !== undefined), `label of 1 to ${LABEL} characters`)
      check(!ids.has(custom_id), 'duplicate custom_id')
      ids.add(custom_id)
    }
  }
}

/** The labels of the buttons, as people see them. */
export function buttonsOf({ components = [] }: Pick<APIMessage, 'components'>): string[] {
  return components.flatMap(row =>
    row.type === ComponentType.ActionRow
      ? row.components.flatMap(one => (one.type === ComponentType.Button && 'label' in one ? (one.label ?? '') : []))
      : [],
  )
}
