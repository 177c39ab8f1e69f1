/** The parts of a linear model of texts, for the models of other packages. */
export { BUCKETS, type Features, pieces, spaced, tokens } from './features.ts'
export { type Model, numberOf, probabilities, readModel, softmax, unpacked, valuesOf } from './model.ts'
export { CJK } from './text.ts'
