import { readFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Plugin, transform } from "esbuild";
import { withoutTexts } from "./without-texts.ts";

const runtime = fileURLToPath(new URL("./lazily.ts", import.meta.url));
export const importOfLazily = `import { lazily } from ${JSON.stringify(runtime)}; `;

const contractFolder = fileURLToPath(new URL("../../../shared/contract/", import.meta.url));
const operationsFolder = fileURLToPath(new URL("operations/", pathToFileURL(contractFolder)));

/** The last alternatives are the contract's own functions that create schemas. */
const schemaBegins =
  /^(?:export )?const \w+ = (?=z\b|[A-Z]\w*\.(?:extend|safeExtend|omit|pick|partial|keyof|merge|optional|or|strict|loose)\(|(?:listOf|pageOf|text|name|base64Content|jsonObject|queryInt|includeQuery|jsonArray|withoutNull|example|withOtherNames|withModelNames)\()/;

/** An assistant's tool has its schemas as fields. */
const fieldBegins = /^ {2,4}(?:input|output): (?=z\.)/;

const objectBegins = /^(?:export )?const \w+ = (?=\{$)/;
const holdsSchemas = /\bz\.|\.(?:optional|nullable|default)\(/;

/** A request needs few of a function's schemas, so this saves some 25 ms, a third, of each load. */
export const lazySchemas: Plugin = {
  name: "lazy-schemas",
  setup(plugin) {
    plugin.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await withoutTextsOf(path, await readFile(path, "utf8"));
      const hasSchemas = source.includes('import * as z from "zod"');
      return { contents: hasSchemas ? await withLazySchemas(source) : source, loader: "ts" };
    });
  },
};

async function withoutTextsOf(path: string, source: string): Promise<string> {
  if (!path.startsWith(contractFolder)) return source;
  return await withoutTexts(source, path.startsWith(operationsFolder) ? "operations" : "schemas");
}

const lazy = {
  imported: importOfLazily,
  before: "lazily(() => (",
  after: "))",
};
const pure = { imported: "", before: "(() => (", after: "))()" };

/** Marks schemas as pure, so that bundles that keep their descriptions can leave out unused ones. */
export const pureSchemas: Plugin = {
  name: "pure-schemas",
  setup(plugin) {
    plugin.onLoad({ filter: /\.ts$/ }, async ({ path }) =>
      path.startsWith(contractFolder)
        ? { contents: await withLazySchemas(await readFile(path, "utf8"), pure), loader: "ts" }
        : undefined,
    );
  },
};

/**
 * This relies on the formatter's layout: what follows a declaration or a field is not indented more than its beginning.
 *
 * @returns the source unchanged if the result does not parse, because it is not formatted yet.
 */
export async function withLazySchemas(source: string, wrapper = lazy): Promise<string> {
  const { imported, before, after } = wrapper;
  const lines = source.split("\n");
  let changed = 0;
  for (let first = 0; first < lines.length; first += 1) {
    const line = lines[first] ?? "";
    const begin = (schemaBegins.exec(line) ?? fieldBegins.exec(line) ?? objectBegins.exec(line))?.[0];
    const last = begin === undefined ? undefined : lastLineOf(lines, first);
    if (begin === undefined || last === undefined) continue;
    if (objectBegins.test(line) && !holdsSchemas.test(lines.slice(first, last).join("\n"))) continue;
    lines[first] = `${begin}/* @__PURE__ */ ${before}${line.slice(begin.length)}`;
    lines[last] = `${lines[last]?.slice(0, -1)}${after}${lines[last]?.at(-1)}`;
    changed += 1;
  }
  if (changed === 0) return source;
  lines[0] = `${imported}${lines[0]}`;
  const wrapped = lines.join("\n");
  return (await parses(wrapped)) ? wrapped : source;
}

/** A declaration ends with a semicolon, a field with a comma, before a line that closes nothing of it. */
function lastLineOf(lines: readonly string[], first: number): number | undefined {
  const indent = lines[first]?.search(/\S/) ?? 0;
  const end = indent === 0 ? ";" : ",";
  for (let at = first; at < lines.length; at += 1) {
    if (!lines[at]?.endsWith(end)) continue;
    const next = lines.slice(at + 1).find((line) => line !== "");
    const nextIndent = next?.search(/\S/) ?? 0;
    if (next === undefined || nextIndent < indent) return at;
    if (nextIndent === indent && !/^\s*[)\]}]/.test(next)) return at;
  }
  return undefined;
}

async function parses(source: string): Promise<boolean> {
  try {
    await transform(source, { loader: "ts", logLevel: "silent" });
    return true;
  } catch {
    return false;
  }
}
