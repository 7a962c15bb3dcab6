/** These replacements turn a module for asyncio into one without; longer words come first. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\basync (def|for|with) /g, "$1 "],
  [/\bawait /g, ""],
  [/\bimport asyncio\b/g, "import time"],
  [/\basyncio\.sleep\b/g, "time.sleep"],
  [/\b__a(enter|exit)__/g, "__$1__"],
  [/\baclose\b/g, "close"],
  [/\b(_)?async_(client|operations|sender)\b/g, "$1$2"],
  [/\bAsync(BaseTransport|Client|Iterator|Operations|Sender)\b/g, "$1"],
];

/** The sync module that an async one stands for, as httpcore and others are made: what is written once cannot differ. */
export function syncOf(text: string): string {
  return words.reduce((changed, [word, other]) => changed.replaceAll(word, other), text);
}
