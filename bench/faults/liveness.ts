/**
 * A bot on Discord and Slack whose connections to the database break in many ways while people talk: is each message recorded and each
 * call answered once, and does `/readyz` tell the truth?
 */
import { parseArgs } from 'node:util'
import { FAULTS } from '../../test/liveness/link.ts'
import { type Scene, startScene, type Told } from '../../test/liveness/scene.ts'
import { onServer } from '../base/databases.ts'
import { machine, progress } from '../base/measure.ts'

const { values } = parseArgs({
  options: {
    /** Of each fault. */
    seconds: { type: 'string', default: '30' },
    /** Messages a second, on both platforms together. */
    rate: { type: 'string', default: '20' },
    /** Only these faults, separated by commas. */
    only: { type: 'string' },
  },
})
const { DATABASE_URL } = process.env
if (!DATABASE_URL) throw new Error('Set DATABASE_URL to a Postgres server.')

/** Faults of the database itself. */
const inside = ({ direct }: Scene, on: readonly string[], off: readonly string[]) => {
  const run = async (statements: readonly string[]) => {
    for (const sql of statements) await direct.query(sql)
  }
  return { begin: () => run(on), end: () => run(off) }
}
const reconnect = (name: string) =>
  `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`
const faultsOf = (scene: Scene, name: string): Record<string, { begin(): unknown; end(): unknown }> => ({
  ...Object.fromEntries(FAULTS.map(fault => [fault, { begin: () => scene.link.break(fault), end: () => scene.link.heal() }])),
  'read-only': inside(
    scene,
    [`alter database ${name} set default_transaction_read_only = on`, reconnect(name)],
    ['set default_transaction_read_only = off', `alter database ${name} reset default_transaction_read_only`, reconnect(name)],
  ),
  'locked table': inside(scene, ['begin; lock table kikimimi.message in access exclusive mode'], ['commit']),
})

const begun = machine()
const results = await onServer(DATABASE_URL, async target => {
  await using scene = await startScene(target, { rate: Number(values.rate) })
  const told: Record<string, Told> = {}
  const wanted = values.only?.split(',')
  for (const [name, fault] of Object.entries(faultsOf(scene, new URL(target).pathname.slice(1)))) {
    if (wanted && !wanted.includes(name)) continue
    progress(name)
    const one = await scene.play({ ms: Number(values.seconds) * 1_000, ...fault })
    told[name] = one
    const { log, whys, ...figures } = one
    progress(`  ${JSON.stringify(figures)}`)
    for (const line of [...whys, ...log]) progress(`  ${line}`)
  }
  return told
})
process.stdout.write(`${JSON.stringify({ machine: begun, results, loadAtEnd: machine().load }, null, 2)}\n`)
const isBad = ({ lost, calls, answeredOnce, untruthful }: Told) => lost > 0 || answeredOnce < calls || untruthful > 0
if (Object.values(results).some(isBad)) process.exitCode = 1
