/** A folder for a test. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface TempFolder extends AsyncDisposable {
  readonly path: string
}

export async function tempFolder(files: Readonly<Record<string, string | Uint8Array>>): Promise<TempFolder> {
  const path = await mkdtemp(join(tmpdir(), 'kikimimi-docs-'))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true })
    await writeFile(join(path, name), content)
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
