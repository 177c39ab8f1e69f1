/** The manifests in deploy/kubernetes, against the schemas of Kubernetes and against each other. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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
  'policy/v1 PodDisruptionBudget': policy.PodDisruptionBudget,
  'networking.k8s.io/v1 NetworkPolicy': networking.NetworkPolicy,
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
        // A reference $(NAME) stands after the variable that it names, or it comes from the overlay below.
        for (const { value = '' } of env) expect(value).not.toMatch(/:[^/@]*@/)
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
      expect(pod.automountServiceAccountToken).toBe(false)
      for (const { name, securityContext, livenessProbe, readinessProbe, ports, resources, env } of pod.containers) {
        expect(securityContext, name).toMatchObject({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } })
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
