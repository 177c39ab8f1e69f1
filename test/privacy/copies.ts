/** Copies of the data of a bot, as lines. */
import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestBot } from 'kikimimi/testing'
import { dump } from '../../packages/backup/data/dump.ts'
import { exportTo } from '../../packages/cli/data/export.ts'

export async function backupOf({ db, clock }: Pick<TestBot, 'db' | 'clock'>): Promise<readonly string[]> {
  const lines: string[] = []
  await dump(db, clock, async line => void lines.push(line))
  return lines
}

export async function exportOf({ db, clock }: Pick<TestBot, 'db' | 'clock'>): Promise<readonly string[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-privacy-'))
  await exportTo(folder.path, db, { clock })
  const files = await readdir(folder.path, { recursive: true, withFileTypes: true })
  const texts = await Promise.all(files.filter(one => one.isFile()).map(one => readFile(join(one.parentPath, one.name), 'utf8')))
  return texts.flatMap(text => text.split('\n'))
}
