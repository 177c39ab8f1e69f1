/**
 * Every row is a bot.config.ts. `«…»` marks what `add` writes into it: add gives the text with the marked parts, a second add changes
 * nothing, and remove gives the text without them.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type PluginCall, withoutPlugin, withPlugin } from './edit.ts'
import type { Listed } from './listed.ts'

const telegram: PluginCall = { package: '@kikimimi/telegram', exported: 'default', variable: 'telegram', options: '' }
const weather: PluginCall = {
  package: 'kikimimi-weather',
  exported: 'default',
  variable: 'weather',
  options: `{ town: 'Osaka' }`,
}

/** As the command places them: a platform below the last one, anything else above reply. */
const belowPlatforms = (plugins: readonly Listed[]) => {
  const after = plugins.findLast(({ entry }) => entry.packages.some(one => /terminal|discord|slack/.test(one)))
  return after ? { after } : 'start'
}
const aboveReply = (plugins: readonly Listed[]) => {
  const before = plugins.find(({ entry }) => entry.packages.includes('@kikimimi/reply'))
  return before ? { before } : 'end'
}

const IMPORTS = `import reply from '@kikimimi/reply'
«import telegram from '@kikimimi/telegram'
»import terminal from '@kikimimi/terminal'
import { defineBot } from 'kikimimi'
`

type Row = readonly [title: string, plugin: PluginCall, marked: string]

const rows: readonly Row[] = [
  [
    'a list on one line',
    telegram,
    `${IMPORTS}
export default defineBot({ persona: { name: 'kiki' }, plugins: [terminal()«, telegram()», reply()] })
`,
  ],
  [
    'groups with comments, conditions and a comma at the end',
    telegram,
    `import discord from '@kikimimi/discord'
import slack from '@kikimimi/slack'
«import telegram from '@kikimimi/telegram'
»import terminal from '@kikimimi/terminal'
import { defineBot } from 'kikimimi'
import settings from './bot.settings.json' with { type: 'json' }

const { DISCORD_TOKEN, SLACK_BOT_TOKEN, SLACK_CLIENT_ID } = process.env

export default defineBot({
  settings,
  // The plugins.
  plugins: [
    // Where people talk.
    terminal(),
    DISCORD_TOKEN && discord({ token: DISCORD_TOKEN }), // a server
    (SLACK_BOT_TOKEN || SLACK_CLIENT_ID) && (slack()), /* a workspace */ // only here
«    telegram(),
»
    // Your own.
  ],
})
`,
  ],
  [
    'no comma at the end, semicolons and double quotes',
    weather,
    `import reply from "@kikimimi/reply";
import { defineBot } from "kikimimi";
«import weather from "kikimimi-weather";
»
export default defineBot({
  plugins: [
    own,
«    weather({ town: 'Osaka' }),
»    // Writes the answer.
    reply()
  ]
});
`,
  ],
  [
    'the last of a list without a comma at its end',
    weather,
    `import terminal from '@kikimimi/terminal'
«import weather from 'kikimimi-weather'
»
export default {
  plugins: [
    terminal()«,
    weather({ town: 'Osaka' })»
  ],
}
`,
  ],
  ['an empty list', telegram, `«import telegram from '@kikimimi/telegram'\n\n»export default { plugins: [«telegram()»] }\n`],
  [
    'an empty list with a comment, tabs',
    telegram,
    `import { defineBot } from 'kikimimi'

export default defineBot({
	plugins: [
«		telegram(),
»		// None yet.
	],
})
`.replace('import {', `«import telegram from '@kikimimi/telegram'\n»import {`),
  ],
  [
    'a list in a variable',
    telegram,
    `${IMPORTS}
const plugins = [
  terminal(),
«  telegram(),
»  reply(),
]

export default defineBot({ persona: { name: 'kiki' }, plugins })
`,
  ],
  [
    'lists that are spread: the platform joins the platforms',
    telegram,
    `${IMPORTS}
const platforms = [terminal()«, telegram()»]
const rest = [reply()]

export default defineBot({ plugins: [...platforms, ...rest] })
`,
  ],
  [
    'a list that is spread under a condition: the platform stands behind it',
    telegram,
    `${IMPORTS}
export default defineBot({
  plugins: [
    ...(process.stdin.isTTY ? [terminal()] : []),
«    telegram(),
»    reply(),
  ],
})
`,
  ],
  [
    'a bot in a variable, with a type',
    telegram,
    `import reply from '@kikimimi/reply'
«import telegram from '@kikimimi/telegram'
»import terminal from '@kikimimi/terminal'
import type { BotConfig } from 'kikimimi'

const bot = {
  plugins: [terminal()«, telegram()», reply()] as const,
} satisfies BotConfig

export default bot
`,
  ],
  [
    'a name that the file uses, and an import of types only',
    telegram,
    `import type { Options } from '@kikimimi/telegram'
import { defineBot } from 'kikimimi'
import telegram from './telegram.ts'

export default defineBot({
  plugins: [
«    telegramPlugin(),
»    telegram({ chat: 7 } satisfies Options),
  ],
})
`.replace('import { d', `«import telegramPlugin from '@kikimimi/telegram'\n»import { d`),
  ],
  [
    'another export of the package that stays',
    { ...telegram, exported: 'telegramPlugin', variable: 'telegramPlugin' },
    `import { escape } from '@kikimimi/telegram'
«import { telegramPlugin } from '@kikimimi/telegram'
»import { defineBot } from 'kikimimi'

export default defineBot({ persona: { name: escape('kiki') }, plugins: [«telegramPlugin()»] })
`,
  ],
  [
    'a first line for the shell, and a list that is over several lines in part',
    telegram,
    `#!/usr/bin/env node
«import telegram from '@kikimimi/telegram'

»export default { plugins: [«telegram(), »own({
  size: 3,
}), other()] }
`,
  ],
]

describe.each(rows)('%s', (_title, plugin, marked) => {
  for (const [ends, text] of [
    ['', marked],
    [', with the line breaks of Windows', marked.replaceAll('\n', '\r\n')],
  ] as const) {
    test(`add, add again, remove${ends}`, () => {
      const [before, after] = [text.replace(/«[^»]*»/g, ''), text.replace(/[«»]/g, '')]
      const placing = plugin === weather ? aboveReply : belowPlatforms
      expect(withPlugin('bot.config.ts', before, plugin, placing)).toBe(after)
      expect(withPlugin('bot.config.ts', after, plugin, placing)).toBe(after)
      expect(withoutPlugin('bot.config.ts', after, plugin)).toBe(before)
      expect(withoutPlugin('bot.config.ts', before, plugin)).toBe(before)
    })
  }
})

describe.each(['en', 'ja', 'ko'])('the bot that is created in %s', locale => {
  const file = new URL(`../../create-kikimimi/templates/bot-${locale}/bot.config.ts`, import.meta.url)
  const text = readFileSync(file, 'utf8')

  test.each([telegram, weather])('add and remove $package', plugin => {
    const added = withPlugin('bot.config.ts', text, plugin, plugin === weather ? aboveReply : belowPlatforms)
    const lines = added.split('\n').filter(line => !text.split('\n').includes(line))
    expect(lines).toEqual([`import ${plugin.variable} from '${plugin.package}'`, `    ${plugin.variable}(${plugin.options}),`])
    expect(withoutPlugin('bot.config.ts', added, plugin)).toBe(text)
  })

  test('remove takes the comment of the plugin and leaves that of a group', () => {
    const without = (name: string) => withoutPlugin('bot.config.ts', text, { package: `@kikimimi/${name}`, exported: 'default' })
    const lost = (name: string) => {
      const left = new Set(without(name).split('\n'))
      return text.split('\n').filter(line => !left.has(line))
    }
    expect(lost('terminal')).toEqual([`import terminal from '@kikimimi/terminal'`, '    terminal(),'])
    expect(lost('remember').filter(line => line.trim().startsWith('//'))).toHaveLength(1)
    expect(without('reply')).not.toMatch(/\n\n\n/)
  })
})

const UNCLEAR = `import reply from '@kikimimi/reply'
import { defineBot } from 'kikimimi'

export default defineBot({
  plugins: pluginsOf(reply),
})
`

test('a list that is no array is not changed: the message has both lines and their places', () => {
  expect(() => withPlugin('bot.config.ts', UNCLEAR, telegram, belowPlatforms)).toThrow(
    expect.objectContaining({
      code: 'CONFIG_UNCLEAR',
      message: `bot.config.ts is not changed, because its plugins are not one array. Add by hand, then repeat the command:
  below line 1, with the imports:
    import telegram from '@kikimimi/telegram'
  in the plugins of the bot, which begins in line 4:
    telegram(),`,
    }),
  )
  expect(() => withoutPlugin('bot.config.ts', UNCLEAR, { package: '@kikimimi/reply', exported: 'default' })).toThrow(
    /uses reply otherwise .* by hand \(line 5\), with its import/,
  )
})

test('a plugin that two entries of a condition share is not removed', () => {
  const text = `import a from 'a'\nimport b from 'b'\nexport default { plugins: [process.env.A ? a() : b()] }\n`
  expect(() => withoutPlugin('bot.config.ts', text, { package: 'a', exported: 'default' })).toThrow(/by hand \(line 3\)/)
})

test('wrong syntax is told with its line', () => {
  expect(() => withPlugin('bot.config.ts', 'export default {\n  plugins: [,\n', telegram, belowPlatforms)).toThrow(
    /^bot\.config\.ts has a mistake:\n {2}bot\.config\.ts:\d:\d+ /,
  )
})
