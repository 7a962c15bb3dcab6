/**
 * Starts of URLs that a template names and that only exist on AWS, each with the local one in its place.
 */
export type AddressBook = readonly { readonly from: string; readonly to: string }[];

/**
 * Replaces the start of a value that the book knows; any other value stays as it is.
 *
 * An entry counts where the value goes on with `/`, `?` or nothing, so that no host name is cut in two.
 */
export function mapAddresses(book: AddressBook, value: string): string {
  const entry = book.find(({ from }) => {
    if (!value.startsWith(from)) return false;
    return from.endsWith("/") || /^([/?#]|$)/.test(value.slice(from.length));
  });
  return entry === undefined ? value : entry.to + value.slice(entry.from.length);
}
