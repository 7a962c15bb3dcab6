import { describe, expect, it } from "vitest";
import {
  isTerminal,
  nextStatuses,
  requestableStatuses,
  statusesBefore,
} from "../../../shared/domain/run/run-status.ts";
import { runStatuses } from "../../../shared/vocabulary/runs.ts";

describe("the states of a run", () => {
  it("follow each other along the legal transitions alone", () => {
    const table = Object.fromEntries(runStatuses.map((status) => [status, nextStatuses(status)]));
    expect(table).toEqual({
      scheduling: ["running", "cancelled", "error"],
      running: ["success", "error", "task_failed", "cancelled"],
      success: [],
      error: [],
      task_failed: [],
      cancelled: [],
    });
  });

  it("are terminal when nothing follows", () => {
    expect(runStatuses.filter((status) => !isTerminal(status))).toEqual(["scheduling", "running"]);
  });

  it("are asked for by a request, but for running", () => {
    expect(requestableStatuses("scheduling")).toEqual(["cancelled", "error"]);
    expect(requestableStatuses("running")).toEqual(["success", "error", "task_failed", "cancelled"]);
    expect(requestableStatuses("success")).toEqual([]);
  });

  it("can be reached from where the table leads to them", () => {
    expect(statusesBefore("scheduling")).toEqual([]);
    expect(statusesBefore("running")).toEqual(["scheduling"]);
    expect(statusesBefore("cancelled")).toEqual(["scheduling", "running"]);
    expect(statusesBefore("task_failed")).toEqual(["running"]);
  });
});
