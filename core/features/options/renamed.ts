/** Options that have another name since a release, in the settings that people made in the chat. */
import type { Database, PluginDefinition } from '../../api/index.ts'
import { readSchema } from './option-schema.ts'

/** The present name of each renamed option, by its former name. */
export function renamedOptions({ options }: Pick<PluginDefinition, 'options'>): ReadonlyMap<string, string> {
  const { names, of } = readSchema(options)
  return new Map(
    names.flatMap((name): [string, string][] => {
      const { renamedFrom } = of(name)
      return renamedFrom === undefined || names.includes(renamedFrom) ? [] : [[renamedFrom, name]]
    }),
  )
}

/** Gives the settings of a plugin their present names. A setting that has the present name already wins. */
export async function renameSettings(db: Database, definition: PluginDefinition): Promise<void> {
  for (const [former, present] of renamedOptions(definition)) {
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
