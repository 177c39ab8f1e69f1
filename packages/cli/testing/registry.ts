/** A registry of npm in the process of a test: the packages that the test makes, and no others. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly [field: string]: unknown
}

export interface TestRegistry extends AsyncDisposable {
  /** Settings of npm. */
  readonly env: Readonly<Record<string, string>>
  /** Without code, its tarball cannot be fetched. */
  publish(manifest: Manifest, code?: string): Promise<void>
}

/** @param folder for its files */
export async function startRegistry(folder: string): Promise<TestRegistry> {
  const packages = new Map<string, { readonly manifest: Manifest; readonly tarball?: Buffer }>()
  const server = createServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, origin())
    const answer = (body: unknown) => response.end(JSON.stringify(body))
    const name = decodeURIComponent(pathname.slice(1)).replace(/\.tgz$/, '')
    const found = packages.get(name)
    if (pathname === '/-/v1/search') {
      const words = searchParams.get('text')?.split(' ') ?? []
      const matching = [...packages.values()].filter(({ manifest }) =>
        words.every(word => JSON.stringify(manifest).includes(word.replace(/^keywords:/, ''))),
      )
      answer({
        objects: matching.map(({ manifest }) => ({ package: { date: new Date(0), links: {}, maintainers: [], ...manifest } })),
        total: matching.length,
      })
    } else if (found && pathname.endsWith('.tgz') && found.tarball) {
      response.end(found.tarball)
    } else if (found && !pathname.endsWith('.tgz')) {
      const { manifest } = found
      const dist = { tarball: `${origin()}/${encodeURIComponent(name)}.tgz` }
      answer({ name, 'dist-tags': { latest: manifest.version }, versions: { [manifest.version]: { ...manifest, dist } } })
    } else {
      response.statusCode = 404
      answer({ error: 'not found' })
    }
  })
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    env: { npm_config_registry: `${origin()}/`, npm_config_cache: join(folder, 'cache'), npm_config_update_notifier: 'false' },
    async publish(manifest, code) {
      if (code === undefined) {
        packages.set(manifest.name, { manifest })
        return
      }
      const source = join(folder, manifest.name)
      await mkdir(source, { recursive: true })
      await writeFile(join(source, 'package.json'), JSON.stringify(manifest))
      await writeFile(join(source, 'index.js'), code)
      const { stdout } = await promisify(execFile)('npm', ['pack', source, '--json', '--ignore-scripts'], { cwd: folder })
      const [{ filename }] = JSON.parse(stdout)
      packages.set(manifest.name, { manifest, tarball: await readFile(join(folder, filename)) })
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
