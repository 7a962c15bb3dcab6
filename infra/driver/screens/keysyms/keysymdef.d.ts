declare module "x11/lib/keysyms.js" {
  /** keysymdef.h: by name (`XK_eacute`) the keysym and the header's comment, `(é) LATIN SMALL LETTER E WITH ACUTE`. */
  const keysymdef: Readonly<
    Record<string, { readonly code: number; readonly description: string | null } | number>
  >;
  export default keysymdef;
}
