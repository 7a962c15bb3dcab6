const special = /[.+^${}()|[\]\\]/g;

export function matchesGlob(pattern: string, value: string): boolean {
  return globRegExp(pattern).test(value);
}

const compiled = new Map<string, RegExp>();

function globRegExp(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known) return known;
  const source = pattern.replace(special, "\\$&").replaceAll("*", "[\\s\\S]*").replaceAll("?", "[\\s\\S]");
  const made = new RegExp(`^${source}$`);
  // The bound only keeps a fuzzer from filling memory.
  if (compiled.size > 5_000) compiled.clear();
  compiled.set(pattern, made);
  return made;
}
