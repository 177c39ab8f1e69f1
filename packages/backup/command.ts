/** `kikimimi backups`: the backups of the plugin. */
import { type CliCommand, KikimimiError } from 'kikimimi'
import { Backups } from './service.ts'

export const backupsCommand: CliCommand = {
  name: 'backups',
  usage: [
    { call: 'backups list', does: 'the backups of the plugin backup, the newest first' },
    { call: 'backups now', does: 'make a backup now, and verify it' },
  ],

  async run(ctx, args, out) {
    const backups = ctx.use(Backups, 'optional')
    const [verb, ...rest] = args
    if (!backups || rest.length > 0 || (verb !== 'list' && verb !== 'now')) {
      throw new KikimimiError('USAGE', 'kikimimi backups list, or now. Try kikimimi backups --help.')
    }
    for (const one of verb === 'now' ? [await backups.make()] : await backups.list()) {
      out.print(out.json ? JSON.stringify(one) : `${one.name}  ${(one.bytes / 1_000).toFixed(0)} kB`)
    }
  },
}
