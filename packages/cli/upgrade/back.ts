/** `kikimimi upgrade --back`: the version from before the last upgrade, with the files that the bot had then. */
import { copyFile, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { checkConfig, claimFolder } from 'kikimimi/host'
import { lt } from 'semver'
import { dataFolder } from '../beside/socket-path.ts'
import { readBot } from '../read-bot.ts'
import { checked, lineOf } from './findings.ts'
import { install, installedIn, refused } from './packages.ts'
import { keptFolder, swap } from './swap.ts'
import { BACKUP, KEPT, trialOf } from './trial.ts'

/** @throws UPGRADE_REFUSED if there is no earlier version, or if it cannot read the data; DATABASE_LOCKED while the bot runs */
export async function goBack(file: string, print: (line: string) => void): Promise<void> {
  const [folder, config] = [dirname(resolve(file)), basename(file)]
  const present = (await installedIn(folder)).get('kikimimi') ?? ''
  const former = await formerOf(folder, present)
  await refuseRunning(file)
  await using trial = await trialOf(folder)
  const files = await filesIn(former)
  for (const name of files) await copyFile(join(former, name), join(trial.bot, name))
  await install(trial.bot, 'the earlier version')
  const version = (await installedIn(trial.bot)).get('kikimimi') ?? ''
  if (!lt(version, present)) throw refused(`${basename(former)} has ${version}, which is not earlier than ${present}.`)
  print(`kikimimi ${present} → ${version}`)
  for (const finding of await checked(trial.bot, config)) {
    print(`  ${lineOf(finding)}`)
    if (finding.problem === undefined) continue
    throw refused(
      `The check by ${version} found a problem.${adviceFor(finding.what, relative(process.cwd(), join(former, BACKUP)))}`,
    )
  }
  await swap(
    {
      ...{ folder, trial: trial.bot, files, kept: await keptFolder(folder, version) },
      packages: files.filter(name => basename(name) === 'package.json').map(name => join(dirname(name), 'node_modules')),
    },
    async () => {},
  )
  print(`\nkikimimi ${version} is installed. Start the bot.`)
}

function adviceFor(what: string, backup: string): string {
  if (what !== 'tables') return ''
  return (
    ` The data has been upgraded, and ${backup} has it as it was: move the data away (a folder: rename it; a server: take another database),` +
    ` run this command again, then kikimimi restore ${backup}. What the bot heard since then stays in the data that you moved away.`
  )
}

/** The folder with what was there before the latest upgrade to a version. */
async function formerOf(folder: string, version: string): Promise<string> {
  const names = (await readdir(folder)).filter(name => new RegExp(`^${KEPT}${RegExp.escape(version)}(?:-\\d+)?$`).test(name))
  const found = await Promise.all(names.map(async name => ({ name, at: (await stat(join(folder, name))).mtimeMs })))
  const [latest] = found.sort((a, b) => b.at - a.at)
  if (latest) return join(folder, latest.name)
  throw refused(`There is no folder ${KEPT}${version} with the version from before ${version}.`)
}

/** The paths of the files that an upgrade has changed. */
async function filesIn(former: string): Promise<readonly string[]> {
  const entries = await readdir(former, { recursive: true, withFileTypes: true })
  return entries.filter(one => one.isFile() && one.name !== BACKUP).map(one => relative(former, join(one.parentPath, one.name)))
}

/** The running bot would write into tables that the earlier version does not know. A server is not asked. */
async function refuseRunning(file: string): Promise<void> {
  // A bot.config.ts that the present version does not read is a reason to go back.
  const database = await readBot(file).then(
    ({ config }) => checkConfig(config).database,
    () => false as const,
  )
  const data = dataFolder(database)
  if (data !== undefined) claimFolder(data).release()
}
