const kinds = ["property", "string", "word", "number"] as const;

export interface CodePart {
  /** Absent for what has no colour of its own. */
  readonly kind?: (typeof kinds)[number];
  readonly text: string;
}

/** Names before a colon; texts; the words of JSON, TypeScript, Python and of curl; numbers. A group is a kind, in their order. */
const pattern =
  /("(?:[^"\\]|\\.)*"(?=\s*:)|\b[A-Za-z_]\w*(?=: ))|("(?:[^"\\]|\\.)*"|'[^']*')|((?<![\w.])(?:import|from|const|new|await|with|as|print|True|False|None|true|false|null|curl)(?!\w)|(?<=\s)--?[A-Za-z][\w-]*)|((?<![\w.-])-?\d+(?:\.\d+)?(?!\w))/g;

/** Parts of a sample by their colour: enough for the four languages of these pages, at a hundredth of a highlighter's size. */
export function codeParts(code: string): readonly CodePart[] {
  const parts: CodePart[] = [];
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    if (match.index > end) parts.push({ text: code.slice(end, match.index) });
    const kind = kinds.find((_, at) => match[at + 1] !== undefined);
    parts.push({ ...(kind && { kind }), text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < code.length) parts.push({ text: code.slice(end) });
  return parts;
}
