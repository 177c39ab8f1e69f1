/**
 * The site of the documents: `npm run docs`. Pages are the Markdown files of the repository. Links between them work in the
 * repository and on the site.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { type DefaultTheme, defineConfig } from 'vitepress'

const root = join(import.meta.dirname, '../..')
const { version, repository } = JSON.parse(readFileSync(join(root, 'core/package.json'), 'utf8'))
const source: string | undefined = (repository?.url ?? repository)?.replace(/^git\+|\.git$/g, '')
/** The versions of the site, newest first: see scripts/docs.ts. */
const versions: readonly string[] = JSON.parse(process.env.KIKIMIMI_DOCS_VERSIONS ?? '[]')

/** The files that are pages, and the addresses of these. */
const PAGES: readonly (readonly [file: RegExp, address: string])[] = [
  [/^docs\/(?!api\/)(.+\.md)$/, '$1'],
  [/^((?:plugins|packages)\/[^/]+)\/README\.md$/, '$1.md'],
  [/^core\/README\.md$/, 'core.md'],
  [/^bench\/README\.md$/, 'measurements.md'],
  [/^CONTRIBUTING\.md$/, 'contributing.md'],
]

/** `plugins/slack.md` for `plugins/slack/README.md`. Nothing: the file is no page. */
function pageOf(file: string): string | undefined {
  const [pattern, address = ''] = PAGES.find(([one]) => one.test(file)) ?? []
  return pattern && file.replace(pattern, address)
}

/** The ids of headings that links in the repository have on GitHub. */
function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-')
}

/** Words of Chinese, Japanese and Korean have no spaces between them. The browser runs this function too: it uses nothing outside. */
function tokenize(text: string): string[] {
  const words = new Intl.Segmenter('ja', { granularity: 'word' })
  return text
    .normalize('NFKC')
    .split(/[\s\p{P}\p{S}]+/u)
    .flatMap(part =>
      /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(part)
        ? Array.from(words.segment(part), ({ segment }) => segment)
        : [part],
    )
    .filter(Boolean)
}

const SEARCH: DefaultTheme.LocalSearchOptions = {
  miniSearch: { options: { tokenize } },
  locales: {
    ja: {
      translations: {
        button: { buttonText: '検索', buttonAriaLabel: '検索' },
        modal: {
          displayDetails: '詳細を表示します',
          resetButtonTitle: '検索を消します',
          backButtonTitle: '戻ります',
          noResultsText: '見つかりませんでした：',
          footer: { selectText: '選択', navigateText: '移動', closeText: '閉じる' },
        },
      },
    },
  },
}

export default defineConfig({
  title: 'kikimimi',
  description: 'A chat bot that listens, remembers, and speaks when it has something to contribute.',
  srcDir: '..',
  srcExclude: [
    'README*.md',
    'docs/api/**',
    'data/**',
    'test/**',
    'packages/*/*/**',
    'plugins/*/*/**',
    'core/*/**',
    'bench/*/**',
    'scripts/**',
    'deploy/**',
    'CHANGELOG.md',
  ],
  rewrites: file => pageOf(file) ?? file,
  outDir: '../.cache/site',
  cacheDir: '../.cache/vitepress',
  base: process.env.KIKIMIMI_DOCS_BASE ?? '/',
  markdown: {
    anchor: { slugify },
    config: md => {
      md.core.ruler.push('links', ({ tokens, env }) => {
        // The search reads pages too, without their path and links.
        if (env.realPath) for (const token of tokens) resolveLinks(token, env.realPath)
      })
    },
  },
  locales: {
    root: { label: 'English', lang: 'en', themeConfig: english() },
    ja: {
      label: '日本語',
      lang: 'ja',
      link: '/ja/',
      description: '聞いて、覚えて、言うことがあるときに話すボットです。',
      themeConfig: japanese(),
    },
  },
  themeConfig: {
    // Most pages are in one language.
    i18nRouting: false,
    search: { provider: 'local', options: SEARCH },
    ...(source ? { socialLinks: [{ icon: 'github', link: source }] } : {}),
  },
})

interface Token {
  readonly type: string
  readonly children: Token[] | null
  tag: string
  attrs: [name: string, value: string][] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}

/**
 * Links lead to the addresses of pages. A link to a file that is no page, such as a test, becomes a link to the source of the
 * project, or plain text where the project has no public address.
 */
function resolveLinks(token: Token, page: string): void {
  let plain = false
  for (const child of token.children ?? []) {
    if (child.type === 'link_open') {
      const target = child.attrGet('href') ?? ''
      if (/^(?:[a-z]+:|#|\/)/i.test(target)) continue
      const [, path = '', hash = ''] = /^([^#]*)(#.*)?$/.exec(target) ?? []
      const file = relative(root, join(dirname(page), decodeURI(path)))
      const address = pageOf(file)?.replace(/\.md$/, '.html')
      if (address) child.attrSet('href', `/${address}${hash}`)
      else if (source) child.attrSet('href', `${source}/blob/v${version}/${file}`)
      else {
        plain = true
        child.attrs = []
      }
    }
    if (plain && child.type.startsWith('link_')) child.tag = 'span'
    if (child.type === 'link_close') plain = false
  }
}

type Pages = readonly (readonly [text: string, page: string])[]

function section(text: string, pages: Pages, prefix = '/'): DefaultTheme.SidebarItem {
  return { text, items: pages.map(([name, page]) => ({ text: name, link: `${prefix}${page}` })) }
}

function versionMenu(older: string): DefaultTheme.NavItem[] {
  // VitePress puts the base before each link, and that of a release is its own folder.
  const items = versions.map(one => ({ text: `v${one}`, link: `/../${one}/`, target: '_self' }))
  return [{ text: `v${version}`, items: items.length > 0 ? items : [{ text: older, link: '/contributing.html#versions' }] }]
}

/** The names of packages, as links to their pages. */
function packages(folder: string): Pages {
  const names = globSync(`${folder}/*/README.md`, { cwd: root }).map(file => basename(dirname(file)))
  return names.toSorted().map(name => [name, `${folder}/${name}`] as const)
}

function english(): DefaultTheme.Config {
  return {
    nav: [
      { text: 'Start', link: '/getting-started' },
      { text: 'Write a plugin', link: '/write-a-plugin' },
      { text: 'Operate', link: '/operations' },
      { text: 'Reference', link: '/reference' },
      { text: 'Comparison', link: '/comparison' },
      ...versionMenu('Releases'),
    ],
    sidebar: [
      section('Tutorials', [
        ['Getting started', 'getting-started'],
        ['Chat with the bot', 'tutorials/chat'],
        ['Compose a bot', 'tutorials/compose'],
        ['Host a bot', 'tutorials/host'],
        ['Your first plugin', 'tutorials/plugin'],
      ]),
      section('Platforms', [
        ['Discord', 'discord'],
        ['Slack', 'slack'],
        ['Other platforms', 'platforms'],
      ]),
      section('Operate', [
        ['All plugins', 'plugins'],
        ['bot.config.ts', 'configuration'],
        ['Commands in the chat', 'commands'],
        ['Who may call the bot', 'access'],
        ['The dashboard', 'dashboard'],
        ['Operations', 'operations'],
        ['Large logs', 'scale'],
        ['Security', 'security'],
        ['Failures', 'faults'],
      ]),
      section('Write plugins', [
        ['I want to …', 'i-want-to'],
        ['Write a plugin', 'write-a-plugin'],
        ['The data of a plugin', 'plugin-data'],
        ['Commands and routes', 'plugin-commands'],
        ['Write a platform', 'write-a-platform'],
        ['Publish a plugin', 'publish-a-plugin'],
        ['The database API', 'database'],
        ['The way of a message', 'pipeline'],
        ['Testing', 'testing'],
      ]),
      section('How good it is', [
        ['Comparison', 'comparison'],
        ['Social situations', 'probes'],
        ['What the model is told', 'context'],
        ['When to speak', 'tuning'],
        ['Evaluation', 'evaluation'],
        ['Measurements', 'measurements'],
      ]),
      { ...section('Plugins', packages('plugins')), collapsed: true },
      { ...section('Packages', packages('packages')), collapsed: true },
      section('Reference', [
        ['Options, commands, variables', 'reference'],
        ['Error codes', 'errors'],
        ['Glossary', 'glossary'],
        ['Architecture', 'architecture'],
        ['Contributing', 'contributing'],
      ]),
    ],
  }
}

function japanese(): DefaultTheme.Config {
  return {
    nav: [
      { text: 'はじめに', link: '/ja/getting-started' },
      { text: '比較', link: '/ja/comparison' },
      { text: 'リファレンス', link: '/reference' },
      ...versionMenu('リリース'),
    ],
    sidebar: [
      section(
        'チュートリアル',
        [
          ['はじめに', 'getting-started'],
          ['ボットと話す', 'tutorials/chat'],
          ['ボットを組み立てる', 'tutorials/compose'],
          ['ボットを動かし続ける', 'tutorials/host'],
          ['はじめてのプラグイン', 'tutorials/plugin'],
        ],
        '/ja/',
      ),
      section('どのくらい良いか', [['比較', 'comparison']], '/ja/'),
      section('英語の資料', [
        ['Discord', 'discord'],
        ['Slack', 'slack'],
        ['すべてのプラグイン', 'plugins'],
        ['bot.config.ts', 'configuration'],
        ['運用', 'operations'],
        ['プラグインの書き方', 'write-a-plugin'],
        ['すべての設定', 'reference'],
        ['用語集', 'glossary'],
      ]),
    ],
    outline: { label: 'このページの内容' },
    docFooter: { prev: '前のページ', next: '次のページ' },
    darkModeSwitchLabel: '外観',
    lightModeSwitchTitle: '明るい色にします',
    darkModeSwitchTitle: '暗い色にします',
    sidebarMenuLabel: 'メニュー',
    returnToTopLabel: '先頭へ戻る',
    langMenuLabel: '言語',
  }
}
