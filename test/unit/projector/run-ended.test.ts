import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { projectorGraceMs } from "../../../shared/domain/maintenance/finish-due-deletions.ts";
import {
  releaseDueRunSecrets,
  releaseRunSecret,
} from "../../../shared/domain/maintenance/release-run-secret.ts";
import { runItem } from "../../../shared/storage/run/run-item.ts";
import { readTableChange } from "../../../shared/storage/stream/stream-changes.ts";
import { anOrganization, aRun } from "../../support/builders/entities.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";
import { streamRecord } from "../../support/stream-record.ts";

/** Two runs of one request, which share a secret; the first has ended. */
async function setUp() {
  const stores = createModelStores();
  const [id, other] = [v7(), v7()];
  const organizationId = anOrganization();
  const secretName = stores.secrets.secretName(organizationId, { kind: "run", id }, v7());
  await stores.secrets.create(secretName, { pin: "1" });
  const common = { organizationId, sensitiveAliases: ["pin"], secretName };
  await stores.put.run({ ...common, id, status: "error" });
  const ended = { organizationId, runId: id, secretName };
  const assignmentId = v7();
  const beginOther = () => stores.put.run({ ...common, id: other, status: "running", assignmentId });
  const endOther = () => stores.runs.update(organizationId, other, { status: "success" }, { assignmentId });
  return { stores, ended, beginOther, endOther, otherEnded: { ...ended, runId: other } };
}

describe("the secret of a run that has ended", () => {
  it("is removed, and its aliases stay", async () => {
    const { stores, ended } = await setUp();
    expect(await releaseRunSecret(stores, ended)).toBe(true);
    expect(stores.secrets.names()).toEqual([]);
    expect(await stores.runs.find(ended.organizationId, ended.runId)).toMatchObject({
      secretName: null,
      sensitiveAliases: ["pin"],
    });
  });

  it("stays while another run of the request goes on, and goes with the last", async () => {
    const { stores, ended, beginOther, endOther, otherEnded } = await setUp();
    await beginOther();
    expect(await releaseRunSecret(stores, ended)).toBe(false);
    expect(stores.secrets.names()).toEqual([ended.secretName]);
    await endOther();
    expect(await releaseRunSecret(stores, otherEnded)).toBe(true);
    expect(stores.secrets.names()).toEqual([]);
  });

  it("is removed by the next attempt after a crash before or after each call", async () => {
    for (const name of ["releaseSecret", "remove"] as const) {
      for (const when of ["before", "after"] as const) {
        const { stores, ended } = await setUp();
        const crash = async (call: () => Promise<unknown>): Promise<never> => {
          if (when === "after") await call();
          throw new Error("crashed");
        };
        const crashing = {
          runs: {
            releaseSecret: async (...args: Parameters<typeof stores.runs.releaseSecret>) =>
              name === "releaseSecret"
                ? await crash(() => stores.runs.releaseSecret(...args))
                : await stores.runs.releaseSecret(...args),
          },
          secrets: { remove: async (secret: string) => await crash(() => stores.secrets.remove(secret)) },
        };
        await expect(releaseRunSecret(crashing, ended)).rejects.toThrow("crashed");
        expect(await releaseRunSecret(stores, ended), `${when} ${name}`).toBe(true);
        expect(stores.secrets.names()).toEqual([]);
      }
    }
  });

  it("is removed by the sweeper when the projector never heard of the end, not before", async () => {
    const { stores } = await setUp();
    expect(await releaseDueRunSecrets(stores)).toBe(0);
    expect(stores.secrets.names()).toHaveLength(1);
    stores.clock.advance(projectorGraceMs + 1);
    expect(await releaseDueRunSecrets(stores)).toBe(1);
    expect(stores.secrets.names()).toEqual([]);
    expect(await releaseDueRunSecrets(stores)).toBe(0);
  });
});

describe("a run's end in the stream", () => {
  const run = aRun({ secretName: "s", status: "running" });
  const change = (before: object, after: object) =>
    readTableChange(
      streamRecord({ ...runItem(run), ...before }, { ...runItem({ ...run, status: "success" }), ...after }),
    );

  it("is told with the secret that it leaves", () => {
    expect(change({}, {})).toEqual({
      kind: "run_ended",
      organizationId: run.organizationId,
      runId: run.id,
      secretName: "s",
    });
  });

  it("is nothing without a secret, when it had ended before, or when it goes on", () => {
    expect(change({}, { secret_name: undefined })).toBeUndefined();
    expect(change({ status: "success" }, {})).toBeUndefined();
    expect(change({ status: "scheduling" }, { status: "running" })).toBeUndefined();
  });

  it("is its deletion when it is deleted with it", () => {
    expect(change({}, { deleted_at: "2026-01-15T12:00:00.000Z" })).toMatchObject({
      kind: "deleted",
      entity: "run",
    });
  });
});
