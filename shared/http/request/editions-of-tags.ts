/**
 * Reads strong tags alone, since a weak one matches nothing in an If-Match. Every resource that is there matches `*`, so
 * that is no condition: one that is missing is 404 with and without it, which takes precedence.
 *
 * Source: https://www.rfc-editor.org/rfc/rfc9110.html#name-when-to-evaluate
 */
export function editionsOfTags(ifMatch: string | undefined): readonly number[] | undefined {
  if (ifMatch === undefined || ifMatch === "*") return undefined;
  const tags = ifMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.filter((tag) => /^"(?:0|[1-9]\d{0,14})"$/.test(tag)).map((tag) => Number(tag.slice(1, -1)));
}
