#!/usr/bin/env bash
# chat 4.41.1 with @chat-adapter/slack 4.41.1 (a bot framework for several platforms).
# A good guess: the plain text of a Slack message is what the person typed. The `text` of a Slack event has no headings and no lists, and
# Slack writes only &, < and > as entities, once.
# Seen: a text without blocks, as apps and older clients send it, is read as Markdown, and what looks like its syntax is lost. "1986. A great
# year" loses the year, "5*3*2 = 30" becomes "532 = 30", and "&amp;lt;", which stands for a typed "&lt;", becomes "<".
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund chat@4.41.1 @chat-adapter/slack@4.41.1
cat >run.mjs <<'JS'
import assert from 'node:assert/strict'
import { SlackFormatConverter } from '@chat-adapter/slack'
import { toPlainText } from 'chat'

const converter = new SlackFormatConverter()
const seen = Object.fromEntries(
  ['1986. A great year', '# 5 is alive', '5*3*2 = 30', 'write &amp;lt; for a bracket'].map(text => [
    text,
    toPlainText(converter.toAst(text)),
  ]),
)
console.log(seen)
assert.deepEqual(seen, {
  '1986. A great year': 'A great year',
  '# 5 is alive': '5 is alive',
  '5*3*2 = 30': '532 = 30',
  'write &amp;lt; for a bracket': 'write < for a bracket',
})
JS
node run.mjs
