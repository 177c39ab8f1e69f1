/** Serves the files of the page: the sources as they are, or the bundle of a published package. */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { generated, type Listed } from './sources.ts'

/** The names of all other files in a bundle contain their hash. */
const FOREVER = 'public, max-age=31536000, immutable'

/** @param folder with `index.html` */
export async function servePage(server: FastifyInstance, folder: string, pages: readonly Listed[]): Promise<void> {
  const isBundle = await access(join(folder, 'main.js')).then(
    () => false,
    () => true,
  )
  // One route per existing file, so that no path leads elsewhere.
  if (isBundle) {
    await server.register(files, {
      root: folder,
      wildcard: false,
      schemaHide: true,
      preCompressed: true,
      // The files of all packages have the same time, so that it tells no version.
      etag: false,
      lastModified: false,
      cacheControl: false,
      setHeaders: (reply, path) => void reply.header('cache-control', path.includes('.html') ? 'no-cache' : FOREVER),
    })
    return
  }
  for (const [path, text] of await generated(folder, pages)) {
    server.get(path, { schema: { hide: true } }, (_request, reply) =>
      reply
        .type(`text/${path.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`)
        .header('cache-control', 'no-cache')
        .send(text),
    )
  }
  await server.register(files, { root: folder, wildcard: false, schemaHide: true })
}
