declare module "x11/lib/keysyms.js" {
  /** The description is keysymdef.h's comment, e.g. `(é) LATIN SMALL LETTER E WITH ACUTE` of `XK_eacute`. */
  const keysymdef: Readonly<
    Record<string, { readonly code: number; readonly description: string | null } | number>
  >;
  export default keysymdef;
}
