import { describe, expect, it } from "vitest";
import { causeOf } from "../../../infra/why/causes/cause-of.ts";
import type { ExecutionEvent, RunFacts } from "../../../infra/why/facts.ts";
import type { Execution } from "../../../shared/domain/execution/execution.ts";
import { runErrorCodes } from "../../../shared/vocabulary/run-error-codes.ts";
import { waitingReasons } from "../../../shared/vocabulary/runs.ts";
import { aMachine, anOrganization, aRun } from "../../support/builders/entities.ts";

const nowMs = Date.parse("2026-11-27T12:00:00.000Z");
const before = (seconds: number) => new Date(nowMs - seconds * 1_000).toISOString();

const organizationId = anOrganization();
const connection = { id: "connection", websocketId: "socket", host: "host" };
const machine = aMachine({ organizationId, connection });
const waitingRun = aRun({ organizationId, status: "scheduling", executor: "service" });
const run = aRun({
  organizationId,
  status: "running",
  executor: "service",
  machineId: machine.id,
  startedAt: before(60),
});
const execution: Execution = {
  organizationId,
  runId: run.id,
  assignmentId: "assignment",
  machineId: machine.id,
  part: 1,
  arn: "arn",
  planKey: "plan",
  cursor: null,
  startedAt: before(60),
  held: null,
  callbackId: null,
  resumed: null,
  heldMs: 0,
};

function facts(more: Partial<RunFacts>): RunFacts {
  return {
    nowMs,
    run,
    waiting: undefined,
    deletedPoolIds: [],
    machine,
    execution,
    history: undefined,
    openCall: undefined,
    model: { provider: "anthropic", model: "a-model", timeoutSeconds: 120 },
    organizationExecutions: { running: 50, max: 50 },
    lines: [],
    ...more,
  };
}

function event(type: string, name: string | null, seconds: number, isFailed = false): ExecutionEvent {
  return { type, at: before(seconds), name, operationId: name, isFailed };
}

const history = (...events: readonly ExecutionEvent[]) => ({ arn: "arn", status: "RUNNING", events });
const taken = (fields: object) => ({ at: before(2), fields: { message: "step taken", ...fields } });

/** Each cause that an operator meets, with a word of the sentence that names it. */
const cases: readonly (readonly [string, string, Partial<RunFacts>])[] = [
  [
    "no_machine_matches",
    "no machine matches",
    { run: waitingRun, waiting: { reason: "no_machine_matches", position: 0 } },
  ],
  ["driver_mute", "left its last 2 calls", { machine: withUnanswered(2) }],
  [
    "driver_mute",
    "has not responded to POST /computer/batch for 9 s",
    { openCall: { method: "POST", path: "/computer/batch", sinceMs: nowMs - 9_000 } },
  ],
  [
    "provider_unavailable",
    "The provider openai (gpt) refuses calls",
    { lines: [taken({ waits_for: "provider", wait_seconds: 8, provider: "openai", model: "gpt" })] },
  ],
  [
    "provider_hangs",
    "The provider anthropic (a-model) has not replied to ask 3 for 40 s",
    { history: history(event("StepStarted", "ask 3", 40)) },
  ],
  [
    "executor_killed",
    "ended in the middle of step 4",
    { history: history(event("StepStarted", "step 4", 9), event("InvocationCompleted", null, 3, true)) },
  ],
  [
    "organization_limit",
    "50 runs under way of 50",
    { run: waitingRun, waiting: { reason: "organization_limit", position: 4 } },
  ],
  ["service_limit", "the deployment", { run: waitingRun, waiting: { reason: "service_limit", position: 4 } }],
  ["input_missing", "{item}", { run: ended("input_missing", "the prompt names {item}, which nobody gave") }],
  ["replay_diverged", "step 3", { run: ended("replay_diverged", "step 3 is not to be seen") }],
  ["limit_reached", "max_steps", { run: ended("limit_reached", "the run took its 5 steps (max_steps)") }],
  [
    "session_busy",
    "the run another-run",
    {
      run: { ...waitingRun, sessionId: "session" },
      machine: { ...machine, currentRunId: "another-run" },
      waiting: { reason: "session_busy", position: 0 },
    },
  ],
  [
    "pool_deleted",
    "The pool p",
    { run: waitingRun, deletedPoolIds: ["p"], waiting: { reason: "no_machine_matches", position: 0 } },
  ],
  [
    "pool_deleted",
    "The pool p",
    { run: { ...waitingRun, status: "error", error: ["gone"] }, deletedPoolIds: ["p"] },
  ],
  ["matching", "the matcher", { run: waitingRun, waiting: { reason: null, position: 0 } }],
  ["held", "resume it", { run: { ...run, held: { by: { kind: "key", id: "k" }, ...held() } } }],
  ["with_worker", "a worker", { run: { ...run, executor: "worker" } }],
  ["no_execution", "ask once more", { execution: undefined }],
  ["not_begun", "has not begun", { execution: { ...execution, arn: null } }],
  ["execution_closed", "FAILED", { history: { ...history(), status: "FAILED" } }],
  ["machine_gone", "is deleted", { machine: undefined }],
  ["machine_disconnected", "start its driver", { machine: { ...machine, connection: null } }],
  ["machine_unreachable", "could not be reached", { lines: [taken({ waits_for: "desktop" })] }],
  ["moving_files", "A file", { lines: [taken({ waits_for: "files" })] }],
  ["waiting_as_told", "waits 30 s", { lines: [taken({ waits_for: "time", wait_seconds: 30 })] }],
  [
    "step_failing",
    "failed 3 times at step 2",
    {
      lines: [{ at: before(2), fields: { message: "a step of a run failed", step: "step 2", failures: 3 } }],
    },
  ],
  ["at_work", "is at step 2", { history: history(event("StepStarted", "step 2", 1)) }],
  ["at_work", "between two steps", {}],
  ["success", "ended well", { run: { ...run, status: "success", endedAt: before(1) } }],
  ["cancelled", "by somebody", { run: { ...run, status: "cancelled", error: ["by somebody"] } }],
];

function withUnanswered(unanswered: number) {
  return { ...machine, connection: { ...connection, unanswered, unansweredAt: before(30) } };
}

function ended(errorCode: (typeof runErrorCodes)[number], error: string) {
  return { ...run, status: "error" as const, errorCode, error: [error], endedAt: before(1) };
}

function held() {
  return { reason: null, since: before(10), until: before(-600) };
}

describe("the sentence about a run", () => {
  it.each(cases)("names %s: %s", (code, words, more) => {
    const cause = causeOf(facts(more));
    expect(cause.code).toBe(code);
    expect(cause.sentence).toContain(words);
    expect(cause.sentence).toMatch(/^[A-Z][^\n]*\.$/);
  });

  it("says of each reason to wait and of each error code what to do", () => {
    const sentences = [
      ...waitingReasons.map((reason) => facts({ run: waitingRun, waiting: { reason, position: "more" } })),
      ...runErrorCodes.map((code) => facts({ run: ended(code, "why") })),
    ].map((each) => causeOf(each).sentence);
    expect(new Set(sentences).size).toBe(waitingReasons.length + runErrorCodes.length);
    for (const sentence of sentences) expect(sentence).toMatch(/: .+\.$/);
  });

  it("takes no step that is done, and no invocation that another one followed, for what hinders", () => {
    const done = history(
      event("StepStarted", "ask 1", 60),
      event("InvocationCompleted", null, 50, true),
      event("StepSucceeded", "ask 1", 40),
      event("StepStarted", "step 2", 1),
    );
    expect(causeOf(facts({ history: done })).code).toBe("at_work");
  });

  it("leaves the provider out while the first action of its reply is at the desktop", () => {
    const more = {
      history: history(event("StepStarted", "ask 1", 20)),
      openCall: { method: "POST", path: "/computer/batch", sinceMs: nowMs - 1_000 },
    };
    expect(causeOf(facts(more)).code).toBe("at_work");
  });
});
