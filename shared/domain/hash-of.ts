/** Computes FNV-1a over the code points. Source: http://www.isthe.com/chongo/tech/comp/fnv/#FNV-1a */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}
