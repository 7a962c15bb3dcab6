import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";

const Package = z.object({ scripts: z.record(z.string(), z.string()) });

const scripts = Package.parse(JSON.parse(readFileSync("package.json", "utf8"))).scripts;
const documents = globSync([
  "README.md",
  ".github/*.md",
  "ARCHITECTURE.md",
  "infra/**/*.md",
  "shared/**/*.md",
  "functions/**/*.md",
]);

const sources = globSync(["{functions,shared,infra,test}/**/*.{ts,tsx,mjs}", ".dependency-cruiser.mjs"]);

/** Paths created by the project's own commands, or by whoever tries an example; a fresh clone does not have them. */
const made = /^(\.local|\.build|cdk\.out|node_modules|infra\/clients\/\w+\/dist|first\.mjs)\b/;
const sourceFile = /[\w-]\.(tsx?|mjs|md)$/;

/** Names of source files; `index.ts` without a folder stands for all files of that name. */
const sourceFileNames = new Set(
  globSync("{functions,shared,infra,test}/**/*.{ts,tsx,mjs,md}").map((path) => basename(path)),
);

function exists(folder: string, path: string): boolean {
  const isBareName = !path.includes("/");
  if (isBareName && sourceFile.test(path) && sourceFileNames.has(path)) return true;
  return made.test(path) || existsSync(path) || existsSync(join(folder, path));
}

/**
 * Words that may be a path: names of source files, and what begins with a folder that there is. `fs/read` is an
 * operation, and `infra/…` a folder.
 */
function pathsIn(folder: string, text: string): readonly string[] {
  const words = text.match(/(?<![\w/.:*@$<>{}"-])\.{0,2}[\w@-][\w.@/-]*(?![\w*{<$])/g) ?? [];
  return words
    .map((word) => word.replace(/[./]+$/, ""))
    .filter((word) => {
      const first = word.replace(/^\.{1,2}\//, "").split("/")[0] ?? "";
      const isInside = word.includes("/") && (existsSync(first) || existsSync(join(folder, first)));
      return isInside || (sourceFile.test(word) && /^[\w./@-]+$/.test(word));
    });
}

function citationsIn(text: string): readonly (readonly [document: string, heading: string])[] {
  return [...text.matchAll(/([\w./-]+\.md), "([^"]+)"/g)].map(([, document = "", heading = ""]) => [
    document,
    heading,
  ]);
}

function hasHeading(folder: string, document: string, heading: string): boolean {
  const isNamed = (path: string) =>
    [path, basename(path)].includes(document) || path === join(folder, document);
  return documents.filter(isNamed).some((path) => {
    const lines = readFileSync(path, "utf8").matchAll(/^(?:#+ (?:[\d-]{10}: )?(.+)|\*\*(.+?)\.\*\*.*)$/gm);
    return [...lines].some(([, title, lead]) => heading === (title ?? lead));
  });
}

/** Comments of a source, each without its stars and slashes. */
function commentsIn(source: string): readonly string[] {
  const comments = source.match(/(?<=^|\s)\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm) ?? [];
  return comments.map((comment) => comment.replace(/^\s*(\/\*+|\*\/|\*|\/\/)/gm, "").replace(/\*\/$/, ""));
}

/** Paths and headings that a comment names and that do not exist. */
function missingIn(folder: string, comment: string): readonly string[] {
  return [
    ...pathsIn(folder, comment).filter((path) => !exists(folder, path)),
    ...citationsIn(comment)
      .filter(([document, heading]) => !hasHeading(folder, document, heading))
      .map(([document, heading]) => `${document}, "${heading}"`),
  ];
}

function linksIn(text: string): readonly string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target.replace(/#.*$/, ""))
    .filter((target) => target !== "" && !/^[a-z]+:/.test(target));
}

describe.each(documents)("%s", (document) => {
  const folder = dirname(document);
  const text = readFileSync(document, "utf8");

  it("links to files that are there", () => {
    expect(linksIn(text).filter((target) => !existsSync(join(folder, target)))).toEqual([]);
  });

  it("names paths that are there", () => {
    const code = [...text.matchAll(/```[\s\S]*?```|`[^`\n]+`/g)].map(([block]) => block);
    const named = code.flatMap((block) => pathsIn(folder, block));
    expect(named.filter((path) => !exists(folder, path))).toEqual([]);
  });

  it("cites headings that are there", () => {
    const cited = citationsIn(text).filter(([of, heading]) => !hasHeading(folder, of, heading));
    expect(cited).toEqual([]);
  });

  it("names npm scripts that are there", () => {
    const named = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script = ""]) => script);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });
});

it("comments name files and headings that are there", () => {
  const missing = sources.flatMap((source) =>
    commentsIn(readFileSync(source, "utf8"))
      .flatMap((comment) => missingIn(dirname(source), comment))
      .map((name) => `${source}: ${name}`),
  );
  expect(missing).toEqual([]);
});

it("finds the documents, and what is wrong in one", () => {
  expect(documents).toEqual(
    expect.arrayContaining(["README.md", "infra/RUNBOOK.md", "shared/tunnel/PROTOCOL.md"]),
  );
  const planted = "`infra/gone.ts` `shared/http` `fs/read` `gone.md` `.local/stack.json` `./app.ts`";
  expect(pathsIn("infra", planted).filter((path) => !exists("infra", path))).toEqual([
    "infra/gone.ts",
    "gone.md",
  ]);
  const source =
    'const url = "http://infra/x";\n/** As `fs/read` in `shared/gone.md`. */\n// README.md, "Gone"\n';
  const comments = commentsIn(`${source}// infra/RUNBOOK.md, "Function errors", infra/gone.ts\n`);
  expect(comments.flatMap((comment) => missingIn("infra", comment))).toEqual([
    "shared/gone.md",
    'README.md, "Gone"',
    "infra/gone.ts",
  ]);
});
