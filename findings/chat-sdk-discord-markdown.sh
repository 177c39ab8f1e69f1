#!/usr/bin/env bash
# chat 4.41.1 with @chat-adapter/discord 4.41.0 (a bot framework for several platforms).
# A good guess: Markdown that Discord understands itself reaches Discord as it is.
# Seen: a quote of two lines keeps its sign on the first line alone, so Discord shows the second line as the bot's own words. An image is left
# out with its alt text and its address, and an answer that is one image becomes an empty text. Done and open tasks look alike. A word after @
# that names no account is put into < >.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund chat@4.41.1 @chat-adapter/discord@4.41.0
cat >run.mjs <<'JS'
import assert from 'node:assert/strict'
import { DiscordFormatConverter } from '@chat-adapter/discord'
import { parseMarkdown } from 'chat'

const converter = new DiscordFormatConverter()
const texts = ['> the first line\n> the second line', '![a map of the hall](https://maps.test/hall.png)', '- [x] tea\n- [ ] milk', '@everybody, hello']
const seen = texts.map(text => converter.fromAst(parseMarkdown(text)))
console.log(seen)
assert.deepEqual(seen, ['> the first line\nthe second line', '', '- tea\n- milk', '<@everybody>, hello'])
JS
node run.mjs
