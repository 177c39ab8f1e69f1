/** The decisions of two versions about the same messages: for `kikimimi upgrade`. */
export { type Decided, type DecidedDifference, decisionsOn, differencesOf } from './decisions.ts'
export { readRecorded, recordedLines } from './recorded.ts'
