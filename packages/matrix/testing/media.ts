/** The files of a homeserver. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage as Request } from 'node:http'
import { Refused } from './rooms.ts'

export function createMedia(server: string) {
  const files = new Map<string, Buffer>()
  return {
    /** The answer to a request about files: nothing for another one. */
    handle({ method }: Request, path: string, body: Buffer): unknown {
      if (method === 'POST' && path === '/_matrix/media/v3/upload') {
        const id = randomUUID()
        files.set(id, body)
        return { content_uri: `mxc://${server}/${id}` }
      }
      const [, from, id = ''] = /^\/_matrix\/client\/v1\/media\/download\/([^/]+)\/([^/]+)$/.exec(path) ?? []
      if (from === undefined) return undefined
      const file = files.get(id)
      if (from !== server || !file) throw new Refused(404, 'M_NOT_FOUND', 'Not found')
      return file
    },
  }
}
