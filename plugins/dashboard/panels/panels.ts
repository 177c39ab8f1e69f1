/** Panels that other plugins add to the page: the service `Panels`. */
import { type Awaitable, KikimimiError, service } from 'kikimimi'
import type { PanelSection } from '../history/views.ts'

export interface Panel {
  /** Lower-case words with hyphens, unique in a bot. */
  readonly id: string
  /** What the page calls it. */
  readonly title: string
  /** What it shows, each time that it is opened. Text, never HTML. */
  read(signal: AbortSignal): Awaitable<readonly PanelSection[]>
}

export interface PanelList {
  /**
   * Call it in `setup`. Returns what takes the panel back: give that to `ctx.scope.defer`, for a plugin stops and starts while
   * the page goes on. Throws ARGUMENT_INVALID for an id that is taken, or is none.
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
