import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { InvalidInput } from "../../../shared/domain/invalid-input.ts";
import { itemsOfIssues } from "../../../shared/http/errors/zod-issue-items.ts";
import { parseJsonBody } from "../../../shared/http/request/parse-json-body.ts";

const depth = 60;

function nested(inside: string): string {
  return `${"[".repeat(depth)}${inside}${"]".repeat(depth)}`;
}

function problemsOf(body: string) {
  try {
    parseJsonBody(new TextEncoder().encode(body), body.length);
  } catch (error) {
    if (error instanceof InvalidInput) return error.items;
    throw error;
  }
  return [];
}

describe("a body that is wrong in very many places", () => {
  it("is told the first hundred, where they are", () => {
    const problems = problemsOf(`{"a": [${Array(200_000).fill("1e999").join(",")}]}`);
    expect(problems).toHaveLength(100);
    expect(problems[0]?.loc).toEqual(["body", "a", 0]);
    expect(problems[99]?.loc).toEqual(["body", "a", 99]);
  });

  it("is told a hundred of its unknown fields", () => {
    const fields = Object.fromEntries(Array.from({ length: 150_000 }, (_, index) => [`field${index}`, 0]));
    const parsed = z.strictObject({}).safeParse(fields);
    expect(itemsOfIssues("body", parsed.error?.issues ?? [])).toHaveLength(100);
  });

  it("is told a hundred of its wrong values", () => {
    const parsed = z.array(z.string()).safeParse(Array(150_000).fill(0), { reportInput: true });
    expect(itemsOfIssues("body", parsed.error?.issues ?? [])).toHaveLength(100);
  });
});

describe("a body of very many values", () => {
  it("is read in little more memory than the values take", async () => {
    const module = new URL("../../../shared/http/request/parse-json-body.ts", import.meta.url).href;
    const body = nested(Array(500_000).fill("0").join(","));
    const program = `const { workerData } = require("node:worker_threads");
      import(${JSON.stringify(module)}).then(({ parseJsonBody }) =>
        parseJsonBody(new TextEncoder().encode(workerData), workerData.length));`;
    const worker = new Worker(program, {
      eval: true,
      workerData: body,
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    });
    // A worker that runs out of memory emits "error", which `once` rejects with.
    expect(await once(worker, "exit")).toEqual([0]);
  });
});
