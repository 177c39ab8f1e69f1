/** The tools of every plugin, as a service for models. */
import { definePlugin, type Plugin, Tools } from '../../api/index.ts'
import type { PluginHost } from '../../kernel/host/plugin-host.ts'

export function toolsFeature(host: Pick<PluginHost, 'hooks'>): Plugin {
  return definePlugin({
    name: 'kikimimi-tools',
    provides: [Tools],
    setup: ctx =>
      ctx.provide(Tools, {
        get all() {
          return host.hooks('tools').flatMap(({ hook }) => hook)
        },
      }),
  })()
}
