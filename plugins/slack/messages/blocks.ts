/**
 * What the blocks of an app show, in Slack's markup: https://docs.slack.dev/reference/block-kit/blocks
 *
 * One reader for all kinds, by the names of their fields, so that a kind that Slack adds later is read too.
 */
import { escaped } from './mrkdwn.ts'
import { type Node, nodesIn, textIn, textOf } from './nodes.ts'
import { richText } from './rich-text.ts'

/** Fields that hold a text, in the order in which people see them. */
const TEXTS = [
  'rich_text_title',
  'title',
  'subtitle',
  'caption',
  'label',
  'text',
  'body',
  'description',
  'hint',
  'details',
  'output',
]

/** Fields that hold pictures, controls, and blocks, with what stands before and after the texts. */
const PICTURES = ['hero_image', 'icon']
const CONTROLS = ['elements', 'actions', 'accessory', 'element']
const BLOCKS = ['child_blocks', 'tasks']

/** Kinds that show nothing of their own: the text and the files of the message have it. */
const SILENT: ReadonlySet<unknown> = new Set(['divider', 'file', 'rich_text'])

/** Blocks in blocks that are read. Slack allows fewer. */
const DEEPEST = 4

/** The lines of a block, as people see them. Empty for a block that shows nothing of its own. */
export function linesOf(block: Node, depth = 0): readonly string[] {
  if (SILENT.has(block.type) && depth === 0) return []
  const lines = [
    ...PICTURES.map(name => alternative(nodeIn(block[name]))),
    ...withState(block, [...textsOf(block), ...nodesIn(block.fields).map(field)]),
    ...(Array.isArray(block.rows) ? block.rows : []).map(cells => nodesIn(cells).map(cell).join(' | ')),
    ...chart(nodeIn(block.chart)),
    ...call(nodeIn(block.call)),
    ...CONTROLS.flatMap(name => controls(block[name], depth)),
    ...BLOCKS.flatMap(name => inner(block[name], depth)),
    ...nodesIn(block.sources).map(source),
  ].filter(line => line !== '')
  if (lines.length > 0 || SILENT.has(block.type)) return lines
  return [alternative(block) || `[a block of the kind ${escaped(textIn(block.type).slice(0, 40))}]`]
}

function nodeIn(value: unknown): Node {
  return nodesIn([value])[0] ?? {}
}

/** A title in rich text takes the place of the plain one. A picture without a title shows its alternative text. */
function textsOf(block: Node): readonly string[] {
  const texts = TEXTS.filter(name => !(name === 'title' && block.rich_text_title)).map(name => shown(block[name]))
  const isPicture = block.type === 'image' || block.type === 'video'
  return isPicture && !shown(block.title) ? [alternative(block), ...texts] : texts
}

function shown(value: unknown): string {
  return nodeIn(value).type === 'rich_text' ? richText([value]) : textOf(value)
}

/** How a task or an alert stands, before its first line. */
function withState({ type, status, level }: Node, lines: readonly string[]): readonly string[] {
  const state = type === 'task_card' ? textIn(status) : type === 'alert' ? textIn(level) : ''
  const [first = '', ...rest] = lines.filter(line => line !== '')
  return state === '' || state === 'default' ? [first, ...rest] : [`[${escaped(state.replaceAll('_', ' '))}] ${first}`, ...rest]
}

function inner(blocks: unknown, depth: number): readonly string[] {
  if (depth >= DEEPEST) return []
  return nodesIn(blocks).flatMap(block => (block.type === 'rich_text' ? [richText([block])] : linesOf(block, depth + 1)))
}

/** Controls and texts stand in one line; cards in a carousel each in their own. */
function controls(value: unknown, depth: number): readonly string[] {
  const all = nodesIn(Array.isArray(value) ? value : [value])
  if (all.some(({ type }) => type === 'card')) return inner(all, depth)
  return [joined(all.map(control))]
}

/** A text, the alternative text of an image, or what a button or a choice says. */
function control(node: Node): string {
  const { type, text, placeholder, options, option_groups, positive_button, negative_button } = node
  if (type === 'image') return alternative(node)
  const choices = [...nodesIn(options), ...nodesIn(option_groups).flatMap(group => nodesIn(group.options))].map(one =>
    textOf(one.text),
  )
  const [name, offered] = [textOf(placeholder), choices.filter(choice => choice !== '').join(', ')]
  if (name || offered) return `[${[name, offered].filter(part => part !== '').join(': ')}]`
  const buttons = [positive_button, negative_button].map(one => textOf(nodeIn(one).text))
  if (buttons.some(label => label !== '')) return joined(buttons.map(label => label && `[${label}]`))
  return type === 'button' || type === 'icon_button' || type === 'workflow_button' ? `[${textOf(text)}]` : textOf(text)
}

function cell(node: Node): string {
  const { text, value } = node
  return shown(node.type === 'rich_text' ? node : text) || (typeof value === 'number' ? `${value}` : '')
}

/** https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
function chart({ segments, series, axis_config }: Node): readonly string[] {
  const { x_label, y_label } = nodeIn(axis_config)
  const point = ({ label, value }: Node, between: string) => `${textIn(label)}${between}${typeof value === 'number' ? value : ''}`
  return [
    ...nodesIn(segments).map(segment => point(segment, ': ')),
    ...nodesIn(series).map(({ name, data }) =>
      named(
        textIn(name),
        nodesIn(data)
          .map(one => point(one, ' '))
          .join(', '),
      ),
    ),
    [textIn(x_label), textIn(y_label)].filter(label => label !== '').join(', '),
  ]
}

function call({ v1 }: Node): readonly string[] {
  const { name, join_url } = nodeIn(v1)
  return [textIn(name), textIn(join_url)]
}

function source({ url, text }: Node): string {
  return textIn(text) === '' ? textIn(url) : `${textIn(text)} (${textIn(url)})`
}

function alternative({ alt_text }: Node): string {
  return textIn(alt_text)
}

/** Apps write the name of a field in bold, above its value. */
function field(given: Node): string {
  const [name = '', ...value] = textOf(given).split('\n')
  return value.length === 0 ? name : named(name.replace(/^\*|\*$/g, ''), value.join(' '))
}

/** `name: value`; the value alone without a name. */
export function named(name: string, value: string): string {
  return name === '' ? value : `${name.replace(/(?<!\s)\s*:\s*$/, '')}: ${value}`
}

function joined(texts: readonly string[]): string {
  return texts.filter(text => text !== '').join(' ')
}
