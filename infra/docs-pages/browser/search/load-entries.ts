import type { SearchEntry } from "./search-entry.ts";

/** What is searched is loaded when the search is first opened. The next call loads again what could not be loaded. */
export function entriesOf(get: () => Promise<Response>): () => Promise<readonly SearchEntry[]> {
  let loaded: Promise<readonly SearchEntry[]> | undefined;
  const load = async (): Promise<readonly SearchEntry[]> => {
    const response = await get();
    if (!response.ok) throw new Error(`the search's file: ${response.status}`);
    return (await response.json()) as readonly SearchEntry[];
  };
  return async () => {
    loaded ??= load();
    try {
      return await loaded;
    } catch (cause) {
      loaded = undefined;
      throw cause;
    }
  };
}
