import { codeSuffix, exportsName, placeholdersIn } from "../../../../../shared/vocabulary/placeholders.ts";

export interface PromptPart {
  readonly kind: "text" | "input" | "secret" | "mistaken";
  readonly text: string;
}

/** Looks like a name to people, and is none to the service: with blanks around it, or with the sign before the brace. */
const mistaken =
  /\$\{\s*[\p{L}_][\p{L}\p{N}_.-]*\s*\}|\{\s+\$?[\p{L}_][\p{L}\p{N}_.-]*\s*\}|\{\$?[\p{L}_][\p{L}\p{N}_.-]*\s+\}/gu;

/** The parts of a prompt in order; together they are the prompt. */
export function promptParts(prompt: string): readonly PromptPart[] {
  const found = [
    ...placeholdersIn(prompt).map(({ at, whole, isSecret }) => ({
      at,
      text: whole,
      kind: isSecret ? ("secret" as const) : ("input" as const),
    })),
    ...Array.from(prompt.matchAll(mistaken), ({ index, 0: text }) => ({
      at: index,
      text,
      kind: "mistaken" as const,
    })),
  ].sort((a, b) => a.at - b.at);
  const parts: PromptPart[] = [];
  let from = 0;
  for (const { at, text, kind } of found) {
    // `${name}` is a mistake as a whole, though `{name}` in it is none.
    if (at < from) continue;
    if (at > from) parts.push({ kind: "text", text: prompt.slice(from, at) });
    parts.push({ kind, text });
    from = at + text.length;
  }
  if (from < prompt.length) parts.push({ kind: "text", text: prompt.slice(from) });
  return parts;
}

interface PromptName {
  readonly name: string;
  readonly isSecret: boolean;
  readonly count: number;
  /** Of an input: whether the schema describes it. */
  readonly isInSchema: boolean;
}

interface ReadPrompt {
  readonly names: readonly PromptName[];
  /** Inputs of the schema that the prompt does not name. */
  readonly unnamed: readonly string[];
  readonly mistaken: readonly { readonly text: string; readonly instead: string }[];
}

/** What a prompt names, each once, in the order in which it is read. */
export function readPrompt(
  prompt: string,
  schemaNames: readonly string[],
  includesFileExports: boolean,
): ReadPrompt {
  const names = new Map<string, PromptName>();
  const parts = promptParts(prompt);
  for (const { kind, text } of parts) {
    if (kind !== "input" && kind !== "secret") continue;
    const isSecret = kind === "secret";
    const name = rootOf(text.slice(isSecret ? 2 : 1, -1), isSecret, schemaNames);
    if (!isSecret && name === exportsName && includesFileExports) continue;
    const key = isSecret ? `$${name}` : name;
    const count = (names.get(key)?.count ?? 0) + 1;
    names.set(key, { name, isSecret, count, isInSchema: schemaNames.includes(name) });
  }
  return {
    names: [...names.values()],
    unnamed: schemaNames.filter((name) => !names.has(name)),
    mistaken: [...new Set(parts.filter(({ kind }) => kind === "mistaken").map(({ text }) => text))].map(
      (text) => ({
        text,
        instead: text.replace(/^\$\{/, "{").replaceAll(/\s/g, ""),
      }),
    ),
  };
}

/** `{customer.name}` leads into the input `customer`, unless one is named so with its dot. */
function rootOf(name: string, isSecret: boolean, schemaNames: readonly string[]): string {
  if (isSecret) return name.endsWith(codeSuffix) ? name.slice(0, -codeSuffix.length) : name;
  return schemaNames.includes(name) ? name : (name.split(".")[0] ?? name);
}
