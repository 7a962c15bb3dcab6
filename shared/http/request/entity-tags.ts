/** The tags of an If-None-Match, without the mark of weak ones: RFC 9110 has them compared weakly. */
export function entityTagsIn(header: string | undefined): readonly string[] {
  return header?.match(/"[^"]*"|\*/g) ?? [];
}

/** `*` names every picture and document there is. */
export function isAmong(tags: readonly string[], etag: string): boolean {
  return tags.includes("*") || tags.includes(etag.replace(/^W\//, ""));
}
