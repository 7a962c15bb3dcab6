import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";

/**
 * `npm run budget`: holds each part of the project to the figures in budget.json. A figure that has fallen is written
 * there; one that has risen fails, until the same commit changes the file: `npm run budget -- --raise` writes it.
 * Literal spreads and unused exports need no budget, since lint and knip hold them at none.
 */
const Figures = z.strictObject({
  lines: z.int(),
  mutual_imports: z.int(),
  words: z.int(),
});
type Figures = z.infer<typeof Figures>;
const Budget = z.record(z.string(), Figures);

const file = fileURLToPath(new URL("budget.json", import.meta.url));
const isRaising = process.argv.includes("--raise");
const isWriting = process.env.CI === undefined;

const tops = ["functions", "infra", "shared", "test"];
const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "--", ...tops, "*.md"], {
  encoding: "utf8",
});
const paths = listed.split("\n").filter((path) => path !== "");

/** `shared/domain` of `shared/domain/run/run.ts`; a top folder's own files are the folder's. */
function partOf(path: string): string {
  const [top = "", folder, name] = path.split("/");
  if (!tops.includes(top)) return ".";
  return name === undefined || top === "functions" ? top : `${top}/${folder}`;
}

function folderOf(path: string): string | undefined {
  const inside = path.slice(partOf(path).length + 1).split("/");
  return inside.length > 1 ? inside[0] : undefined;
}

function importsOf(path: string, text: string): readonly string[] {
  return [...text.matchAll(/^(?:import|export)[^;]*? from "(\.[^"]+)"/gm)].map(([, to = ""]) =>
    join(dirname(path), to),
  );
}

const measured: Record<string, Figures> = {};
const arrows = new Map<string, Set<string>>();
for (const path of paths.toSorted()) {
  const isCode = /\.tsx?$/.test(path);
  if (!isCode && !path.endsWith(".md")) continue;
  const part = partOf(path);
  const text = readFileSync(path, "utf8");
  measured[part] ??= { lines: 0, mutual_imports: 0, words: 0 };
  if (isCode) measured[part].lines += text.split("\n").length - 1;
  else measured[part].words += text.split(/\s+/).filter((word) => /\w/.test(word)).length;
  const from = folderOf(path);
  for (const to of isCode && from !== undefined ? importsOf(path, text) : []) {
    const folder = folderOf(to);
    if (partOf(to) !== part || folder === undefined || folder === from) continue;
    const others = arrows.get(part) ?? new Set();
    arrows.set(part, others.add(`${from} ${folder}`));
  }
}
for (const [part, pairs] of arrows) {
  const mutual = [...pairs].filter((pair) => pairs.has(pair.split(" ").reverse().join(" ")));
  const figures = measured[part];
  if (figures) figures.mutual_imports = mutual.length / 2;
}

const budget = Budget.parse(JSON.parse(readFileSync(file, "utf8")));
const risen = Object.entries(measured).flatMap(([part, figures]) =>
  Object.entries(figures).flatMap(([name, figure]) => {
    const before = budget[part]?.[name as keyof Figures] ?? 0;
    return figure > before ? [`${part}: ${name} ${before} -> ${figure}`] : [];
  }),
);
if (risen.length > 0 && !isRaising) {
  console.error(
    `above test/budget.json (npm run budget -- --raise, and say why in the commit):\n${risen.join("\n")}`,
  );
  process.exitCode = 1;
} else if (isWriting) {
  writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`);
}
