import type { CliOutput, PluginContext } from 'kikimimi'

export async function serve(_ctx: PluginContext, _out: CliOutput): Promise<void> {}
