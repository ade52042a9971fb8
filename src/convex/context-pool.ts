/**
 * Contexts of queries that may nest: a support map of the user's may ask the next query while the first is under way. One
 * context for each depth, made when it is first needed and kept.
 */
export class ContextPool<T> {
  private readonly contexts: T[] = [];
  private depth = 0;
  private readonly make: () => T;

  constructor(make: () => T) {
    this.make = make;
  }

  /** The context of a query that begins. To be given back in a `finally`. */
  take(): T {
    const { contexts, depth } = this;
    if (depth === contexts.length) contexts.push(this.make());
    this.depth = depth + 1;
    return contexts[depth]!;
  }

  /** Gives back the context that was taken last. */
  release(): void {
    this.depth--;
  }
}
