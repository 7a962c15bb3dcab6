import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { median } from "./figure.ts";
import { printTable, readTable } from "./print-table.ts";

export interface Comparison {
  readonly names: readonly string[];
  readonly commit: string;
  readonly rounds: number;
  /** Further arguments of each measurement. */
  readonly options: readonly string[];
}

const here = fileURLToPath(new URL("../..", import.meta.url));
/** A number that is no part of a word, such as that of `p50`. */
const numbers = /(?<![\w.])-?\d+(?:\.\d+)?/g;

/**
 * Measures here and in a worktree of the other commit in turns, and prints medians. Both print the table that they
 * print by themselves: its rows are compared by their names, its numbers by their places, so that any commit with that
 * table can be compared with.
 *
 * @throws {Error} when the commit is unknown, or its packages cannot be installed.
 */
export async function compare({ names, commit, rounds, options }: Comparison): Promise<void> {
  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => interrupted.abort());
  const { signal } = interrupted;
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  const there = join(folder, "worktree");
  try {
    await succeed("git", ["worktree", "add", "--detach", there, commit], { cwd: here, signal });
    await addPackages(there, signal);
    const rows = [["Figure", "Here", commit, "Here ÷ there"]];
    for (const name of names) {
      const sides = { here: [] as Rows[], there: [] as Rows[] };
      for (let round = 1; round <= rounds; round += 1) {
        for (const [side, cwd] of [["here", here] as const, ["there", there] as const]) {
          console.error(`${name}, round ${round} of ${rounds}, ${side} …`);
          const measured = await measure(name, options, { cwd, signal });
          if (measured.problem !== undefined) console.error(`${name} ${side}: ${measured.problem}`);
          sides[side].push(measured.rows);
        }
        if (sides.there.at(-1)?.size === 0) break;
      }
      rows.push(...compared(sides.here, sides.there));
    }
    printTable(rows);
  } finally {
    await run("git", ["worktree", "remove", "--force", there], { cwd: here });
    await rm(folder, { recursive: true, force: true });
  }
}

/** What was measured, by the figure's name without its numbers, which are counts of what was measured. */
type Rows = ReadonlyMap<string, { readonly figure: string; readonly measured: string }>;

interface Where {
  readonly cwd: string;
  readonly signal?: AbortSignal;
}

async function addPackages(there: string, signal: AbortSignal): Promise<void> {
  const [own, other] = await Promise.all(
    [here, there].map((folder) => readFile(join(folder, "package-lock.json"), "utf8")),
  );
  if (own === other) await symlink(await realpath(join(here, "node_modules")), join(there, "node_modules"));
  else await succeed("npm", ["ci", "--no-audit", "--no-fund"], { cwd: there, signal });
}

async function measure(
  name: string,
  options: readonly string[],
  where: Where,
): Promise<{ readonly rows: Rows; readonly problem?: string }> {
  const { status, printed, complaints } = await run(
    "npm",
    ["run", "--silent", "bench", "--", name, ...options],
    where,
  );
  const rows: Rows = new Map(
    readTable(printed).map(([figure = "", measured = ""]) => [
      figure.replace(numbers, "#"),
      { figure, measured },
    ]),
  );
  if (status === 0) return { rows };
  const isUnknown = complaints.includes("it does not know");
  return { rows, problem: isUnknown ? "there is no such measurement" : complaints.slice(-1_000) };
}

function compared(ours: readonly Rows[], theirs: readonly Rows[]): string[][] {
  const keys = new Set([...ours, ...theirs].flatMap((rows) => [...rows.keys()]));
  return [...keys].map((key) => {
    const [own, other] = [ours, theirs].map((rounds) => rounds.flatMap((rows) => rows.get(key) ?? []));
    const [mine, others] = [own, other].map((rows = []) => medians(rows.map(({ measured }) => measured)));
    const figure = (own?.[0] ?? other?.[0])?.figure ?? key;
    return [figure, mine?.text ?? "", others?.text ?? "", ratios(mine?.values ?? [], others?.values ?? [])];
  });
}

/** The first text with each number replaced by the median of those in its place; all texts where they differ. */
function medians(texts: readonly string[]): { readonly text: string; readonly values: readonly number[] } {
  const found = texts.map((each) => (each.match(numbers) ?? []).map(Number));
  const [first = []] = found;
  if (found.some(({ length }) => length !== first.length)) return { text: texts.join("; "), values: [] };
  const values = first.map((_, place) => median(found.map((each) => each[place] ?? Number.NaN)));
  let place = 0;
  const replaced = texts[0]?.replace(numbers, () => String(values[place++]));
  return { text: replaced ?? "", values };
}

function ratios(ours: readonly number[], theirs: readonly number[]): string {
  if (ours.length !== theirs.length) return "";
  return ours
    .map((value, place) => (value === theirs[place] ? 1 : value / (theirs[place] ?? 0)).toFixed(2))
    .join(", ");
}

async function run(command: string, args: readonly string[], where: Where) {
  const child = spawn(command, args, { ...where, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close") as Promise<[number | null]>;
  const [[status], printed, complaints] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { status, printed, complaints };
}

async function succeed(command: string, args: readonly string[], where: Where): Promise<void> {
  const { status, complaints } = await run(command, args, where);
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${complaints.trim()}`);
}
