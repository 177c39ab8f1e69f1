/** A bot or plugin that cannot be created. The message gives the reason and the remedy. */
export class Refusal extends Error {}
