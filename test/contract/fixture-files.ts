import { readFileSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

export interface Line {
  readonly name: string;
}

const pathOf = (file: string) => new URL(`fixtures/v1/${file}`, import.meta.url);

export function readFixture(file: string): string {
  return readFileSync(pathOf(file), "utf8");
}

export function writeFixture(file: string, text: string): void {
  writeFileSync(pathOf(file), text);
}

export function linesIn<T>(text: string): readonly T[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}

export function textOf(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Whether a text holds the line given: all of it, perhaps with more fields. Arrays hold no more elements. */
export function contains(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return false;
    return expected.every((value, place) => contains(actual[place], value));
  }
  if (typeof expected !== "object" || expected === null) return Object.is(actual, expected);
  if (typeof actual !== "object" || actual === null || Array.isArray(actual)) return false;
  const fields = actual as Readonly<Record<string, unknown>>;
  return Object.entries(expected).every(([name, value]) => name in fields && contains(fields[name], value));
}

export function latest<T extends Line>(lines: readonly T[]): ReadonlyMap<string, T> {
  return new Map(lines.map((line) => [line.name, line]));
}

/** Today's lines in the order of those before, each as it was where only the order of its fields differs. */
export function inOrderOf<T extends Line>(before: readonly T[], today: readonly T[]): readonly T[] {
  const last = latest(before);
  const made = latest(today);
  const known = before.flatMap((line) => {
    const now = made.get(line.name);
    return isDeepStrictEqual(now, line) ? [line] : (now ?? []);
  });
  return [...known, ...today.filter(({ name }) => !last.has(name))];
}

/**
 * Lines that bind, with what is written today: none is changed or removed. A new name becomes a new line; so does one
 * that has got more fields, beside the line that shows it without them.
 *
 * @throws {Error} when something is written in another way than before, or no longer.
 */
export function withToday<T extends Line>(
  lines: readonly T[],
  today: readonly T[],
  alike: (line: T) => unknown = (line) => line,
): readonly T[] {
  const last = latest(lines);
  const made = latest(today);
  const lost = [...last.keys()].filter((name) => !made.has(name));
  const changed = today.filter((line) => {
    const before = last.get(line.name);
    return before !== undefined && !contains(alike(line), alike(before));
  });
  if (lost.length > 0 || changed.length > 0) {
    const names = [...lost, ...changed.map(({ name }) => name)].map((name) => `"${name}"`).join(", ");
    throw new Error(`these lines bind, and what is written today is another: ${names}`);
  }
  const isNew = (line: T) => {
    const before = last.get(line.name);
    return before === undefined || !isDeepStrictEqual(alike(line), alike(before));
  };
  return [...lines, ...today.filter(isNew)];
}
