/** What the kernel uses of the models of LangChain. */

export interface Invokable {
  invoke(input: unknown, options?: unknown): Promise<unknown>
}

/** What we use of LangChain's BaseChatModel. */
export interface LangChainModel extends Invokable {
  bindTools?(tools: readonly unknown[]): Invokable
  withStructuredOutput?(schema: Record<string, unknown>, config?: { includeRaw: true }): Invokable
}

/** What we use of LangChain's Embeddings. */
export interface LangChainEmbeddings {
  embedDocuments(texts: string[]): Promise<number[][]>
}
