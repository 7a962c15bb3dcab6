import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { v7 } from "uuid";
import { expect } from "vitest";
import type { Run } from "../../../shared/domain/run/run.ts";
import { runStatuses } from "../../../shared/vocabulary/runs.ts";
import { anOrganization, aRun, secretOf } from "../builders/entities.ts";
import type { CreateTableStores, TableStores } from "../stores/table-stores.ts";
import { RunModel, type RunStep } from "./run-model.ts";
import { newRuns } from "./run-store.suite.ts";

const runCount = 5;
const secretCount = 2;
const moment = "2026-03-02T00:00:00.000Z";
const page = { skip: 0, limit: 100 };

const run = fc.integer({ min: 0, max: runCount - 1 });
const secret = fc.option(fc.integer({ min: 0, max: secretCount - 1 }), { freq: 2 });
const ending = fc.constantFrom("success", "error", "task_failed", "cancelled", "scheduling");

const step: fc.Arbitrary<RunStep> = fc.oneof(
  fc.record({
    does: fc.constant("create" as const),
    runs: fc.uniqueArray(run, { minLength: 1, maxLength: 3 }),
    secret,
    isRunning: fc.boolean(),
  }),
  fc.record({ does: fc.constant("patch" as const), run }),
  fc.record({ does: fc.constant("end" as const), run, as: ending }),
  fc.record({ does: fc.constant("retry" as const), run, secret }),
  fc.record({ does: fc.constant("delete" as const), run }),
  fc.record({ does: fc.constant("remove" as const), run }),
);

/**
 * Checks that any sequence of changes has the results of a model in memory, and leaves the store in the model's state:
 * the total, the number of runs in each status, the runs found, and the secrets in use.
 */
export async function checkRunModel(create: CreateTableStores, numRuns: number): Promise<void> {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
    const world = await startedWorld(create());
    for (const each of steps) await world.perform(each);
    await world.expectAsInModel();
  });
  await fc.assert(property, { numRuns });
}

async function startedWorld({ runs, put }: TableStores) {
  const organizationId = anOrganization();
  const { id: workflowId } = await put.workflow({ organizationId });
  const secrets = Array.from({ length: secretCount }, () => v7());
  const nameOf = (number: number | null) => (number === null ? null : (secrets[number] ?? null));
  const model = new RunModel();
  /** Runs by their number, as created. A number without a run was never used. */
  const made = new Map<number, Run>();
  const idOf = (number: number) => made.get(number)?.id ?? v7();

  const answered = async (step: RunStep): Promise<string | boolean> => {
    switch (step.does) {
      case "create": {
        const all = step.runs.map((number): Run => {
          const known = { organizationId, workflowId, secretId: nameOf(step.secret) };
          const one = aRun(known);
          made.set(number, one);
          return one;
        });
        return (await runs.create(newRuns(all))).kind;
      }
      case "patch":
        return (await runs.update(organizationId, idOf(step.run), { error: ["x"] }, assigned)).kind;
      case "end": {
        const change = { status: step.as, endedAt: moment };
        return (await runs.update(organizationId, idOf(step.run), change, assigned)).kind;
      }
      case "retry": {
        const before =
          (await runs.find(organizationId, idOf(step.run))) ?? aRun({ organizationId, workflowId });
        const fresh = {
          status: "scheduling",
          assignmentId: null,
          endedAt: null,
          secretId: nameOf(step.secret),
        } as const;
        const after = { ...before, ...fresh, revision: before.revision + 1 };
        const secret = secretOf([after]);
        return (await runs.restart({ before, run: after, attachments: [], secret })).kind;
      }
      case "delete":
        return await runs.markDeleted(organizationId, idOf(step.run), moment);
      case "remove":
        await runs.remove(organizationId, idOf(step.run));
        return "removed";
    }
  };

  return {
    async perform(step: RunStep): Promise<void> {
      if (step.does === "create" && !step.runs.every((number) => model.isFree(number))) return;
      if (step.does === "create" && step.isRunning) {
        // No run is running by itself, and a running one has no secret here.
        for (const number of step.runs) {
          const running = { organizationId, workflowId, status: "running", ...assigned } as const;
          made.set(number, await put.run(running));
        }
        model.perform({ ...step, secret: null });
        return;
      }
      const expected = model.perform(step);
      expect([step, await answered(step)]).toEqual([step, expected]);
    },

    async expectAsInModel(): Promise<void> {
      const idsOf = (numbers: readonly number[]) => numbers.map(idOf).sort();
      const listed = async (filter: Parameters<typeof runs.list>[1]) => {
        const { items, total } = await runs.list(organizationId, filter, page);
        return { ids: items.map(({ id }) => id).sort(), total };
      };
      const living = idsOf(model.living());
      expect(await listed({})).toEqual({ ids: living, total: living.length });
      for (const status of runStatuses) {
        const ids = idsOf(model.living(status));
        expect(await listed({ status })).toEqual({ ids, total: ids.length });
      }
      for (const [number, { id }] of made) {
        expect((await runs.find(organizationId, id))?.status).toBe(model.statusOf(number));
      }
      for (const [number, name] of secrets.entries()) {
        const values = await runs.readSecret({ organizationId, secretId: name });
        expect(values !== undefined).toBe(model.usesOf(number) > 0);
      }
    },
  };
}

const assigned = { assignmentId: randomUUID() };
