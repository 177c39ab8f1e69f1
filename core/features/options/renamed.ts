/** Options that have another name since a release, in the settings that people made in the chat. */
import { renamedOptions } from '../../api/checks/option-names.ts'
import type { Database, PluginDefinition } from '../../api/index.ts'

/** Gives the settings of a plugin their present names. A setting that has the present name already wins. */
export async function renameSettings(db: Database, definition: PluginDefinition): Promise<void> {
  for (const [former, present] of renamedOptions(definition.options)) {
    await db.transaction(async () => {
      await db.query(
        `insert into kikimimi.setting (place, plugin, key, value, by_id, by_name, at)
         select place, plugin, $3, value, by_id, by_name, at from kikimimi.setting where plugin = $1 and key = $2
         on conflict (place, plugin, key) do nothing`,
        [definition.name, former, present],
      )
      await db.query('delete from kikimimi.setting where plugin = $1 and key = $2', [definition.name, former])
    })
  }
}
