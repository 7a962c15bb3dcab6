import type { z } from "zod";
import type { InvalidItem } from "../domain/invalid-input.ts";
import { describeIssue } from "./pydantic-words.ts";

type Issue = z.core.$ZodIssue;
type Loc = readonly (string | number)[];

/** What zod found, in the words of pydantic. `source` is the part of the request: `body`, `path`, `query`. */
export function itemsOfIssues(
  source: string,
  issues: readonly Issue[],
  input: unknown,
): readonly InvalidItem[] {
  return issues.flatMap((issue) => itemsOfIssue([source], issue, input));
}

function itemsOfIssue(base: Loc, issue: Issue, root: unknown): readonly InvalidItem[] {
  const path = issue.path.map((name) => (typeof name === "symbol" ? String(name) : name));
  const loc = [...base, ...path];
  const value = valueAt(root, path);
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => ({
        loc: [...loc, key],
        msg: "Extra inputs are not permitted",
        type: "extra_forbidden",
      }));
    case "invalid_key":
      return issue.issues.flatMap((inner) => itemsOfIssue(loc, inner, path.at(-1)));
    case "invalid_element":
      return issue.issues.flatMap((inner) => itemsOfIssue(loc, inner, value));
    case "invalid_union": {
      if (value === undefined) return [missing(loc)];
      const [branch] = issue.errors;
      if (branch !== undefined) return branch.flatMap((inner) => itemsOfIssue(loc, inner, value));
      return [{ loc, msg: "Input should be one of the kinds allowed", type: "union_tag_invalid" }];
    }
    default:
      if (value === undefined && issue.code !== "custom") return [missing(loc)];
      return [{ loc, ...describeIssue(issue, value, base[0] === "query"), input: value }];
  }
}

function missing(loc: Loc): InvalidItem {
  return { loc, msg: "Field required", type: "missing" };
}

function valueAt(root: unknown, path: Loc): unknown {
  let value = root;
  for (const name of path) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string | number, unknown>)[name];
  }
  return value;
}
