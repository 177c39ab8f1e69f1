/** The whole answer to a question: about three seconds of writing. */
export function wholeAnswer(question: string): string {
  const name = question.split(' ').at(-1) ?? ''
  const words = Array.from({ length: 30 }, (_, index) => `word${index + 1}`)
  return `${name} begins with ${words.join(' ')} and ends here.`
}
