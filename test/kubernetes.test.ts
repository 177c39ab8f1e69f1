/** The manifests in deploy/kubernetes, against the schemas of Kubernetes and against each other. */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import * as apps from 'kubernetes-models/apps/v1'
import * as networking from 'kubernetes-models/networking.k8s.io/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'

const root = join(import.meta.dirname, '../deploy/kubernetes')
const files = globSync('**/*.yaml', { cwd: root }).sort()

// biome-ignore lint/suspicious/noExplicitAny: a manifest has any shape until its schema has checked it
type Manifest = Record<string, any>
const documents = (file: string): Manifest[] =>
  parseAllDocuments(readFileSync(join(root, file), 'utf8'), { strict: true, uniqueKeys: true }).map(one => {
    expect(one.errors, file).toEqual([])
    return one.toJS()
  })

const MODELS: Readonly<Record<string, new (data: Manifest) => { validate(): void }>> = {
  'apps/v1 Deployment': apps.Deployment,
  'v1 Service': core.Service,
  'v1 ServiceAccount': core.ServiceAccount,
  'v1 PersistentVolumeClaim': core.PersistentVolumeClaim,
  'policy/v1 PodDisruptionBudget': policy.PodDisruptionBudget,
  'networking.k8s.io/v1 NetworkPolicy': networking.NetworkPolicy,
}

/** The references $(NAME) that no variable above them resolves: they would stay in the value as they are. */
function unresolved(env: readonly Manifest[]): readonly string[] {
  return env.flatMap(({ value = '' }, index) =>
    [...value.matchAll(/\$\((\w+)\)/g)]
      .map(([, name = '']) => name)
      .filter(name => !env.slice(0, index).some(before => before.name === name)),
  )
}

const kustomizations = files.filter(file => file.endsWith('kustomization.yaml'))
const patches = kustomizations.flatMap(file =>
  (documents(file)[0]?.patches ?? []).flatMap(({ path }: { path?: string }) =>
    path === undefined ? [] : join(dirname(file), path),
  ),
)
const whole = files.filter(file => !kustomizations.includes(file) && !patches.includes(file))
const manifests = whole.flatMap(documents)

describe('each manifest', () => {
  test.each(whole)('%s fits the schema of its kind', file => {
    for (const manifest of documents(file)) {
      const Model = MODELS[`${manifest.apiVersion} ${manifest.kind}`]
      expect(Model, `${manifest.apiVersion} ${manifest.kind}`).toBeDefined()
      if (Model) new Model(manifest).validate()
    }
  })

  test('with a mistake does not', () => {
    const [deployment] = documents('base/deployment.yaml')
    expect(() =>
      new apps.Deployment({ ...deployment, spec: { ...deployment?.spec, replicas: 'two' } } as never).validate(),
    ).toThrow(/replicas/)
  })
})

describe('together', () => {
  test('each kustomization names files that exist, and each file is named', () => {
    const named = kustomizations.flatMap(file => {
      const [{ resources = [], patches = [] } = {}] = documents(file)
      const paths: string[] = [...resources, ...patches.flatMap(({ path }: { path?: string }) => path ?? [])]
      return paths
        .map(path => join(dirname(file), path))
        .map(path => (files.includes(path) ? path : join(path, 'kustomization.yaml')))
    })
    for (const path of named) expect(files).toContain(path)
    expect(new Set([...named, ...kustomizations])).toEqual(new Set(files))
  })

  test('each patch changes a container that exists', () => {
    for (const patch of patches.flatMap(documents)) {
      const target = manifests.find(({ kind, metadata }) => kind === patch.kind && metadata.name === patch.metadata.name)
      const names = target?.spec.template.spec.containers.map(({ name }: Manifest) => name)
      for (const { name, env } of patch.spec.template.spec.containers) {
        expect(names).toContain(name)
        for (const { value = '' } of env) expect(value).not.toMatch(/:[^/@]*@/)
        // The variables of a patch come before those that it changes, so it must list what its references name.
        expect(unresolved(env), JSON.stringify(patch.metadata)).toEqual([])
      }
    }
  })

  test('selectors meet labels, ports meet names, and nothing runs as root or with a secret in plain text', () => {
    const deployments = manifests.filter(({ kind }) => kind === 'Deployment')
    const labels = deployments.map(({ spec }) => spec.template.metadata.labels['app.kubernetes.io/component'])
    for (const { kind, spec } of manifests) {
      const selector = kind === 'Service' ? spec.selector : (spec?.podSelector?.matchLabels ?? spec?.selector?.matchLabels)
      if (selector) expect(labels).toContain(selector['app.kubernetes.io/component'])
    }
    for (const { spec } of deployments) {
      const pod = spec.template.spec
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      // Links of services would set variables such as KIKIMIMI_PORT.
      expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false })
      for (const { name, securityContext, livenessProbe, readinessProbe, ports, resources, env } of pod.containers) {
        expect(securityContext, name).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        const known = ports.map((port: Manifest) => port.name)
        for (const probe of [livenessProbe, readinessProbe]) expect(known).toContain((probe.httpGet ?? probe.tcpSocket).port)
        expect(resources.limits.memory, name).toBeDefined()
        for (const { name: variable, value } of env)
          if (/PASSWORD|TOKEN|KEY|SECRET/.test(variable)) expect(value, variable).toBeUndefined()
      }
    }
    expect(deployments.map(({ spec }) => spec.replicas)).toEqual([2, 2])
  })
})

const kubectl = spawnSync('kubectl', ['version', '--client']).status === 0

/** @param folders of an overlay and of components that are added to it */
function merge([overlay = '', ...components]: readonly string[]): readonly Manifest[] {
  using scope = new DisposableStack()
  // Kustomize refuses absolute paths.
  const own = scope.adopt(mkdtempSync(join(root, 'test-')), folder => rmSync(folder, { recursive: true }))
  const found = (path: string) => relative(own, join(root, path))
  const kustomization = { resources: [found(overlay)], components: components.map(found) }
  writeFileSync(join(own, 'kustomization.yaml'), JSON.stringify(kustomization))
  const { stdout, stderr, status } = spawnSync('kubectl', ['kustomize', own], { encoding: 'utf8' })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  return parseAllDocuments(stdout).map(one => one.toJS())
}

describe.runIf(kubectl)('merged by Kustomize', () => {
  test.each([
    { folders: ['overlays/managed-postgres'], host: '$(DATABASE_HOST)' },
    { folders: ['overlays/pgbouncer'], host: 'pgbouncer' },
    { folders: ['overlays/pgbouncer', 'components/erased'], host: 'pgbouncer' },
  ])('$folders: each manifest fits its schema, and each reference finds its variable', ({ folders, host }) => {
    const merged = merge(folders)
    for (const manifest of merged) {
      const Model = MODELS[`${manifest.apiVersion} ${manifest.kind}`]
      expect(Model, `${manifest.apiVersion} ${manifest.kind}`).toBeDefined()
      if (Model) new Model(manifest).validate()
      expect(manifest.metadata.namespace, manifest.metadata.name).toBe('kikimimi')
    }
    const bot = merged.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'kikimimi')?.spec.template.spec
    const [{ env, volumeMounts }] = bot.containers
    expect(unresolved(env)).toEqual([])
    const url = env.filter(({ name }: Manifest) => name === 'DATABASE_URL')
    const query = host === 'pgbouncer' ? '' : '?sslmode=require'
    expect(url.map(({ value }: Manifest) => value)).toEqual([`postgres://$(DATABASE_USER)@${host}:5432/$(DATABASE_NAME)${query}`])
    const nameOf = ({ name }: Manifest) => name
    expect(volumeMounts.map(nameOf).sort()).toEqual(bot.volumes.map(nameOf).sort())
  })
})
