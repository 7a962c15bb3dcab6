export type AddressBook = readonly { readonly from: string; readonly to: string }[];

/** An entry matches only before `/`, `?`, `#` or the end, so that no host name is cut in two. */
export function mapAddresses(book: AddressBook, value: string): string {
  const entry = book.find(({ from }) => {
    if (!value.startsWith(from)) return false;
    return from.endsWith("/") || /^([/?#]|$)/.test(value.slice(from.length));
  });
  return entry === undefined ? value : entry.to + value.slice(entry.from.length);
}
