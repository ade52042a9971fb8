/**
 * One ordinary call of a public function. Three tests live on these: every export has a sample; each number in
 * the arguments, turned into NaN or an infinity, is refused by an error that names the argument; and with an
 * `out` given, a million calls allocate nothing.
 */
export interface Sample {
  // biome-ignore lint/suspicious/noExplicitAny: samples call functions of every signature
  readonly fn: (...args: any[]) => unknown;
  /** The arguments by name, in order, without `out`: `{ p: vec3(), a: …, b: … }`. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The reusable result, or the record of options that holds it, passed as the last argument. Left away when the function has none. */
  readonly out?: unknown;
  /** Arguments for which an infinity is fine (such as `tMax`); NaN never is. */
  readonly mayBeInfinite?: readonly string[];
  /** Arguments that were checked when they were made, and are not looked at again: a mesh, a tree. */
  readonly trusted?: readonly string[];
  /** Paths to what may be of another type as well, such as a number in the place of a record: `options.spacing`. */
  readonly alternatives?: readonly string[];
  /** Why this function does not check its input, where that is right (plain arithmetic, say). */
  readonly unchecked?: string;
  /**
   * Bytes a call that V8 may box numbers in, where a query is too large to have all its calls inlined. Records and closures that
   * are made anew take more.
   */
  readonly boxes?: number;
  /** Why it allocates although it has an `out`, where that is right (work done once, such as a fit). */
  readonly allocates?: string;
}
