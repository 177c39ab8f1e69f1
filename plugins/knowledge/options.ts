/** The options of the plugin. */
import { duration } from 'kikimimi'
import { z } from 'zod'
import { withoutSecrets } from './sources/pages.ts'

const texts = z.array(z.string().min(1)).nonempty()

const PERSON = /^(?:owners|admins|members|guests|(?:role|person):\s*\S.*)$/

const audience = z.strictObject({
  places: texts.optional().describe('Channels (`#general` or an id) and workspaces (a name or an id). Default: everywhere.'),
  people: z
    .array(z.string().regex(PERSON, 'expected owners, admins, members, guests, role:NAME or person:ID'))
    .nonempty()
    .optional()
    .describe(
      'Who may ask: `admins`, `role:NAME`, `person:ID`. Without places: in direct conversations alone. Default: everybody.',
    ),
})

const common = {
  name: z.string().min(1).max(200).optional(),
  audience: audience.prefault({}),
}

const httpUrl = z.url({ protocol: /^https?$/ })
const link = httpUrl.optional()

const source = z.union(
  [
    z.strictObject({ folder: z.string().min(1), link, ...common }),
    z.strictObject({ urls: z.array(httpUrl).nonempty().max(1_000), ...common }),
    z.strictObject({
      git: z.string().regex(/^[^-]/, 'expected an address or a folder'),
      branch: z
        .string()
        .regex(/^[^-\s:][^\s:]*$/, 'expected the name of a branch or a tag')
        .optional(),
      path: z
        .string()
        .regex(/^[^-/]/, 'expected a folder of the repository, without / in front')
        .optional(),
      link,
      ...common,
    }),
    z
      .strictObject({
        channel: z.string().regex(/^#?[^#\s]/, 'expected the name or the id of a channel'),
        pins: z.boolean().default(true),
        files: z.boolean().default(true),
        ...common,
      })
      .refine(({ pins, files }) => pins || files, 'expected pins, files or both to be true'),
  ],
  { error: 'expected { folder }, { urls }, { git } or { channel }, with name, link and audience if needed' },
)

export type SourceOptions = z.output<typeof source>

export const options = z
  .strictObject({
    sources: z
      .array(source)
      .nonempty()
      .refine(all => new Set(all.map(nameOf)).size === all.length, 'two sources have one name: give one of them another `name`')
      .prefault([{ folder: './knowledge' }])
      .describe(
        'What to answer from: `{ folder }`, `{ urls }`, `{ git }` or `{ channel }`, each with `name`, `link` and `audience` if needed.',
      ),
    every: duration
      .default('10m')
      .describe('How often pages, repositories and channels are looked at. A changed file in a folder is read at once.'),
    limit: z.int().positive().max(20).default(5).describe('Maximum number of passages in a prompt.'),
    minRelevance: z
      .number()
      .min(0)
      .max(1)
      .default(0.45)
      .describe(
        'Share of the question that the best passage must cover; otherwise the prompt says that the documents have nothing.',
      ),
  })
  .prefault({})

/** The name of a source, without a password. */
export function nameOf(given: SourceOptions): string {
  if (given.name !== undefined) return given.name
  if ('folder' in given) return given.folder
  if ('channel' in given) return given.channel.replace(/^#?/, '#')
  return 'git' in given ? withoutSecrets(given.git) : withoutSecrets(given.urls[0] ?? '')
}
