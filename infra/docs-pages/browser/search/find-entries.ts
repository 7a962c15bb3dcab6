import type { SearchEntry } from "./search-entry.ts";

const shownMax = 40;

/**
 * The entries that have each word in their title, place or sentence, the best first: words at the start of a title before
 * words inside it, before those found elsewhere, and pages before fields.
 */
export function findEntries(entries: readonly SearchEntry[], text: string): readonly SearchEntry[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  const found = entries.flatMap((entry) => {
    const scores = words.map((word) => scoreOf(entry, word));
    return scores.includes(0) ? [] : [{ entry, score: scores.reduce((sum, score) => sum + score, 0) }];
  });
  return found
    .toSorted((a, b) => b.score - a.score || a.entry[1].length - b.entry[1].length)
    .slice(0, shownMax)
    .map(({ entry }) => entry);
}

function scoreOf([kind, title, where, address, description]: SearchEntry, word: string): number {
  const name = title.toLowerCase();
  const page = kind === "FIELD" ? 0 : 1;
  if (name === word) return 12 + page;
  if (name.startsWith(word)) return 9 + page;
  if (name.split(/[^a-z0-9]/).some((part) => part.startsWith(word))) return 7 + page;
  if (name.includes(word)) return 5 + page;
  if (where.toLowerCase() === word) return 8 + page;
  // An operation's id is the last part of its page's address.
  if (`${kind} ${where} ${address.split("/").at(-1)}`.toLowerCase().includes(word)) return 3 + page;
  return description.toLowerCase().includes(word) ? 1 + page : 0;
}
