/** A registry on this machine (verdaccio), which has the packages of this repository and passes other requests on to npm's. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '../../core/testing/free-port.ts'
import { succeeds } from '../command.ts'

/** Installed when it is needed, because only a release needs it. It asks for `node-fetch@cjs`, a tag that mirrors of npm lack. */
const SERVER = { dependencies: { verdaccio: '6.10.4' }, overrides: { 'node-fetch': '2.7.0' } }

export interface Registry extends AsyncDisposable {
  /** Settings for npm, as environment variables. */
  readonly env: Readonly<Record<string, string>>
  publish(tarball: string, tag?: string): Promise<void>
}

export async function startRegistry(): Promise<Registry> {
  await using scope = new AsyncDisposableStack()
  const folder = scope.adopt(await mkdtemp(join(tmpdir(), 'kikimimi-registry-')), path =>
    rm(path, { recursive: true, maxRetries: 3 }),
  )
  const host = `127.0.0.1:${await freePort()}`
  const uplink = (await succeeds(folder, 'npm', ['config', 'get', 'registry'])).trim()
  const ours = { access: '$all', publish: '$all' }
  const config = {
    storage: join(folder, 'storage'),
    uplinks: { npm: { url: uplink, maxage: '60m' } },
    packages: { kikimimi: ours, 'create-kikimimi': ours, '@kikimimi/*': ours, '**': { access: '$all', proxy: 'npm' } },
    max_body_size: '100mb',
    log: { type: 'stdout', format: 'json', level: 'warn' },
  }
  // JSON is YAML.
  await writeFile(join(folder, 'config.yaml'), JSON.stringify(config))
  await writeFile(join(folder, 'package.json'), JSON.stringify(SERVER))
  await succeeds(folder, 'npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'])
  const server = join(folder, 'node_modules/verdaccio/bin/verdaccio')
  const child = spawn(process.execPath, [server, '--config', 'config.yaml', '--listen', host], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  scope.defer(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const failed = ended.then(([code]) => Promise.reject(new Error(`The registry ended with ${code}.`)))
  // It ends with the registry, too.
  failed.catch(() => {})
  await Promise.race([failed, answers(`http://${host}/-/ping`)])
  child.stdout.resume()
  const env = {
    npm_config_registry: `http://${host}/`,
    npm_config_cache: join(folder, 'cache'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  }
  const open = scope.move()
  return {
    env,
    publish: (tarball, tag = 'latest') => publish(`http://${host}`, tarball, tag),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

/** The request of `npm publish`, which itself takes three seconds for each of 35 packages. */
async function publish(url: string, tarball: string, tag: string): Promise<void> {
  const manifest = JSON.parse(await succeeds(dirname(tarball), 'tar', ['xOf', tarball, 'package/package.json']))
  const data = await readFile(tarball)
  const { name, version } = manifest
  const file = `${name}-${version}.tgz`
  const dist = {
    integrity: `sha512-${createHash('sha512').update(data).digest('base64')}`,
    shasum: createHash('sha1').update(data).digest('hex'),
    tarball: `${url}/${name}/-/${file}`,
  }
  const attachment = { content_type: 'application/octet-stream', data: data.toString('base64'), length: data.length }
  const answer = await fetch(`${url}/${name.replace('/', '%2f')}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ _id: name, name, 'dist-tags': { [tag]: version } },
      versions: { [version]: { ...manifest, _id: `${name}@${version}`, dist } },
      _attachments: { [file]: attachment },
    }),
  })
  if (!answer.ok) throw new Error(`The registry refuses ${file} with ${answer.status}: ${await answer.text()}`)
}

async function answers(url: string): Promise<void> {
  while (
    !(await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await new Promise(resolve => setTimeout(resolve, 200))
}
