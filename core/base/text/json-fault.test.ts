import { expect, test } from 'vitest'
import { jsonFault } from './json-fault.ts'

test.each([
  ['{\n  "a": 1\n  "b": 2\n}\n', 'unexpected "\\"" in line 3, column 3'],
  ['{"a":}', 'unexpected "}" in line 1, column 6'],
  ['{\n  "a": [1, 2,]\n}', 'unexpected "]" in line 2, column 14'],
  ['{"a": 1,\n}', 'unexpected "}" in line 2, column 1'],
  ['{\n  "a": {\n', 'it ends too early in line 3, column 1'],
  ['', 'it ends too early in line 1, column 1'],
  ['{}\n{}', 'unexpected "{" in line 2, column 1'],
  ["{'a': 1}", 'unexpected "\'" in line 1, column 2'],
  ['{"a": tru}', 'unexpected "t" in line 1, column 7'],
  ['{"a": "b\nc"}', 'unexpected "\\"" in line 1, column 7'],
  ['// note\n{}', 'unexpected "/" in line 1, column 1'],
  ['{"a" 1}', 'unexpected "1" in line 1, column 6'],
  ['[1 2]', 'unexpected "2" in line 1, column 4'],
  ['<<<<<<< HEAD\n{}', 'unexpected "<" in line 1, column 1'],
])('%j', (text, fault) => expect(jsonFault(text)).toBe(fault))

test.each(['{}', '[1, -2.5e3, true, null, "a\\u0041\\n"]\n', '"x"', ' {"a": {"b": []}} '])('%j is JSON', text =>
  expect(jsonFault(text)).toBeUndefined(),
)
