/** `kikimimi accounts`: for an owner who cannot log in any more. */
import { type CliCommand, KikimimiError } from 'kikimimi'
import { createAccounts } from './server/accounts.ts'
import { keepChange } from './server/changes.ts'
import { createSecondFactor } from './server/second-factor.ts'

export const accountsCommand: CliCommand = {
  name: 'accounts',
  usage: [
    { call: 'accounts list', does: 'the accounts of the dashboard, with their roles' },
    { call: 'accounts reset NAME', does: 'remove the second factor of an account; the account of DASHBOARD_PASSWORD is owner' },
  ],

  async run(ctx, [verb, name, ...rest], out) {
    const all = await createAccounts('', ctx.db).all()
    if (verb === 'list' && name === undefined) {
      for (const one of all) out.print(`${one.name}  ${one.role}${one.secondFactor ? '  with a second factor' : ''}`)
      return
    }
    if (verb !== 'reset' || name === undefined || rest.length > 0)
      throw new KikimimiError('USAGE', 'Write: kikimimi accounts list, or kikimimi accounts reset NAME')
    if (!all.some(one => one.name === name)) {
      throw new KikimimiError('USAGE', `There is no account ${name}. There are: ${all.map(one => one.name).join(', ')}`)
    }
    await createSecondFactor(ctx).remove(name)
    await keepChange(ctx, {
      ...{ account: '', session: '', address: '', what: 'Remove a second factor on the command line', status: 200, times: 1 },
      about: { account: name },
    })
    out.print(`${name} logs in without a second factor now.`)
  },
}
