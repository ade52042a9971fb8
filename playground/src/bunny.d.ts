/** The Stanford bunny. */
declare module 'bunny' {
  const bunny: { readonly positions: readonly number[][]; readonly cells: readonly number[][] };
  export default bunny;
}
