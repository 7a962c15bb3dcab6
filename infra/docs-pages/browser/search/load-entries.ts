import type { SearchEntry } from "./search-entry.ts";

/** The returned function loads them with its first call, and again with the next one after a failure. */
export function entriesOf(get: () => Promise<Response>): () => Promise<readonly SearchEntry[]> {
  let loaded: Promise<readonly SearchEntry[]> | undefined;
  const load = async (): Promise<readonly SearchEntry[]> => {
    const response = await get();
    if (!response.ok) throw new Error(`the search's file: ${response.status}`);
    return (await response.json()) as readonly SearchEntry[];
  };
  return () => {
    loaded ??= load().catch((cause: unknown) => {
      loaded = undefined;
      throw cause;
    });
    return loaded;
  };
}
