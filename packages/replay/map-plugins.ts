import type { Plugin, PluginEntry } from 'kikimimi'

/** Changes or leaves out each plugin of the list. */
export function mapPlugins(entries: readonly PluginEntry[], change: (plugin: Plugin) => Plugin | undefined): PluginEntry[] {
  return entries.map((entry): PluginEntry => {
    if (!entry) return entry
    if (isList(entry)) return mapPlugins(entry, change)
    return change(typeof entry === 'function' ? { definition: entry.definition, options: undefined } : entry)
  })
}

/** `Array.isArray` loses the element type of a readonly array. */
function isList(entry: PluginEntry): entry is readonly PluginEntry[] {
  return Array.isArray(entry)
}
