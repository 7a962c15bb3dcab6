/**
 * The filters of an address that an operation knows. They are text, whatever the operation's types say, and the API
 * checks them: its sentence names the one that is wrong.
 */
export function given<Name extends string>(
  query: Readonly<Record<string, string>>,
  names: readonly Name[],
): { readonly [Each in Name]?: never } {
  const pairs = names.map((name) => [name, query[name]] as const).filter(([, value]) => Boolean(value));
  return Object.fromEntries(pairs) as { readonly [Each in Name]?: never };
}
