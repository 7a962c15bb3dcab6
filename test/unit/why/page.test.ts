import { expect, it } from "vitest";
import type { RunFacts } from "../../../infra/why/facts.ts";
import { pageOf } from "../../../infra/why/page.ts";
import { unprintable } from "../../../shared/vocabulary/unprintable.ts";
import { aMachine, aRun } from "../../support/builders/entities.ts";

function factsOf(more: Partial<RunFacts>): RunFacts {
  return {
    nowMs: 0,
    run: aRun(),
    waiting: undefined,
    deletedPoolIds: [],
    machine: undefined,
    execution: undefined,
    history: undefined,
    openCall: undefined,
    model: undefined,
    organizationExecutions: { running: 0, max: 50 },
    lines: [],
    ...more,
  };
}

it("begins with the sentence, and escapes what others have named", () => {
  const connection = { id: "c", websocketId: "w", host: "h" };
  const machine = aMachine({ name: "a\u001b[2Jname\nrun  forged", connection });
  const run = aRun({ status: "running", executor: "worker", machineId: machine.id, error: ["\u202eodd"] });
  const line = {
    at: "now",
    fields: { message: "run assigned", run_id: run.id, waited_ms: 3, said: "\u0007" },
  };
  const page = pageOf(factsOf({ run, machine, lines: [line] }));
  expect(page[0]).toMatch(/^The run is with a worker .+\.$/);
  expect(page.join("\n")).toContain("a\\u{1b}[2Jname\\u{a}run  forged");
  expect(page.join("\n")).not.toMatch(new RegExp(`(?!\\n)[${unprintable}]`, "u"));
  expect(page.at(-1)).toBe('  now  run assigned  waited_ms=3  said="\\u0007"');
});

it("shows no input", () => {
  const run = aRun({ inputValues: { item: "canary-4711" } });
  const page = pageOf(factsOf({ run }));
  expect(page.join("\n")).not.toContain("canary-4711");
});
