import { separatorsAndMarks } from "../../shared/vocabulary/unprintable.ts";
import { isSchema, type Schema } from "./schema-tree.ts";

interface Rewriting {
  readonly what: RegExp | string;
  readonly by: string;
  /** The description says this, since the pattern no longer does. */
  readonly words?: string;
}

/**
 * Generated clients compile patterns with the engine of their language: Go's RE2 knows no `\u` and no lookahead, Python's
 * `re` no `\p`. A pattern may be wider than what the service takes, and words say the rest.
 *
 * Sources: https://github.com/google/re2/wiki/Syntax, https://docs.python.org/3/library/re.html
 */
const rewritings: readonly Rewriting[] = [
  { what: /\\p\{Cc\}/g, by: "\\x00-\\x1f\\x7f-\\x9f" },
  { what: separatorsAndMarks, by: "", words: "without line separators and marks of direction" },
  { what: /\\u00([0-9a-f]{2})/g, by: "\\x$1" },
  { what: /\(\?!\\\.\{1,2\}\$\)/g, by: "", words: "neither `.` nor `..`" },
  {
    what: /\(\?!\(\?:\.\*\[:\/\]\)\?\\\.\{1,2\}\(\?:\[:\/\]\|\$\)\)/g,
    by: "",
    words: "without the parts `.` and `..`",
  },
];

/** Changes every pattern of the document, wherever it stands. */
export function makePatternsPortable(document: object): void {
  for (const value of Object.values(document)) {
    if (Array.isArray(value)) value.filter(isSchema).forEach(makePatternsPortable);
    else if (isSchema(value)) makePatternsPortable(value);
  }
  const schema = document as Schema;
  if (typeof schema.pattern !== "string") return;
  let pattern = schema.pattern;
  const said: string[] = [];
  for (const { what, by, words } of rewritings) {
    const rewritten = pattern.replaceAll(what, by);
    if (rewritten !== pattern && words !== undefined) said.push(words);
    pattern = rewritten;
  }
  schema.pattern = pattern;
  if (said.length === 0) return;
  const described = typeof schema.description === "string" ? `${schema.description} ` : "";
  schema.description = `${described}The text is ${said.join(", ")}.`;
}
