/** Where the page is: `/console/<section>/<item>?<query>`. */
export interface Place {
  /** Empty at `/console` itself. */
  readonly section: string;
  readonly item: string | undefined;
  readonly query: Readonly<Record<string, string>>;
}

const root = "/console";

export function placeOf(url: Pick<URL, "pathname" | "search">): Place {
  const [section = "", item] = url.pathname
    .slice(root.length + 1)
    .split("/")
    .map(decoded);
  return {
    section,
    item: item === "" ? undefined : item,
    query: Object.fromEntries(new URLSearchParams(url.search)),
  };
}

export function isOfConsole(pathname: string): boolean {
  return pathname === root || pathname.startsWith(`${root}/`);
}

/** A filter that is empty or undefined is left out. */
export function hrefOf(
  section: string,
  item?: string,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const path = [root, section, ...(item === undefined ? [] : [item])]
    .filter((part) => part !== "")
    .map((part, at) => (at === 0 ? part : encodeURIComponent(part)))
    .join("/");
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
