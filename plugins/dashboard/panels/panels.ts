/** The service `Panels`, with which other plugins add panels to the page. */
import { type Awaitable, KikimimiError, service } from 'kikimimi'
import type { PanelSection } from '../history/views.ts'

export interface Panel {
  /** Lower-case words with hyphens, unique in a bot. */
  readonly id: string
  /** Title of the panel. */
  readonly title: string
  /** Returns the content, each time the panel is opened. Text, never HTML. */
  read(signal: AbortSignal): Awaitable<readonly PanelSection[]>
}

export interface PanelList {
  /**
   * Adds a panel. Call it in `setup`. Returns a function that removes the panel: pass it to `ctx.scope.defer`, because a
   * plugin
   * can restart while the page continues. Throws ARGUMENT_INVALID for an id that is in use or invalid.
   */
  add(panel: Panel): () => void
}

export const Panels = service<PanelList>('panels', '@kikimimi/dashboard')

export function createPanels(): PanelList & { readonly all: ReadonlyMap<string, Panel> } {
  const all = new Map<string, Panel>()
  return {
    all,
    add(panel) {
      if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(panel.id)) {
        throw refused(`"${panel.id}" is no id for a panel: use lower-case words with hyphens`)
      }
      if (all.has(panel.id)) throw refused(`there is a panel "${panel.id}" already`)
      all.set(panel.id, panel)
      return () => void all.delete(panel.id)
    },
  }
}

function refused(why: string): KikimimiError {
  return new KikimimiError('ARGUMENT_INVALID', `[dashboard] ${why}.`)
}
