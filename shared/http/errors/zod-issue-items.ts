import type * as z from "zod";
import type { InvalidItem } from "../../domain/invalid-input.ts";
import { describeIssue } from "./pydantic-words.ts";

type Issue = z.core.$ZodIssue;
type Loc = readonly (string | number)[];

/** This many are enough to fix a request; one body can have half a million errors. */
const itemsMax = 100;

/** Inputs (`reportInput`) distinguish a missing field from an invalid one. @param source `body`, `path` or `query` */
export function itemsOfIssues(source: string, issues: readonly Issue[]): readonly InvalidItem[] {
  return issues
    .slice(0, itemsMax)
    .flatMap((issue) => itemsOfIssue([source], issue))
    .slice(0, itemsMax);
}

function itemsOfIssue(base: Loc, issue: Issue): readonly InvalidItem[] {
  const loc = [...base, ...issue.path.map((name) => (typeof name === "symbol" ? String(name) : name))];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.slice(0, itemsMax).map((key) => ({
        loc: [...loc, key],
        msg: "Extra inputs are not permitted",
        type: "extra_forbidden",
      }));
    case "invalid_key":
    case "invalid_element":
      return issue.issues.flatMap((inner) => itemsOfIssue(loc, inner));
    case "invalid_union": {
      if (issue.input === undefined) return [missing(loc)];
      const [branch] = issue.errors;
      if (branch !== undefined) return branch.flatMap((inner) => itemsOfIssue(loc, inner));
      return [{ loc, msg: "Input should be one of the kinds allowed", type: "union_tag_invalid" }];
    }
    default:
      if (issue.input === undefined && issue.code !== "custom") return [missing(loc)];
      return [{ loc, ...describeIssue(issue, issue.input, base[0] === "query"), input: issue.input }];
  }
}

function missing(loc: Loc): InvalidItem {
  return { loc, msg: "Field required", type: "missing" };
}
