import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { projectorGraceMs } from "../../../shared/domain/maintenance/finish-due-deletions.ts";
import { releaseDueRunSecrets } from "../../../shared/domain/maintenance/release-due-run-secrets.ts";
import { runItem } from "../../../shared/storage/run/run-item.ts";
import { readTableChange } from "../../../shared/storage/stream/stream-changes.ts";
import { anOrganization, aRun } from "../../support/builders/entities.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";
import { streamRecord } from "../../support/stream-record.ts";

describe("the sensitive values of a run that has ended", () => {
  it("are removed by the sweeper when the projector never heard of the end, not before", async () => {
    const stores = createModelStores();
    const secret = { organizationId: anOrganization(), secretId: v7() };
    await stores.put.run({ ...secret, sensitiveAliases: ["pin"], status: "error" });
    expect(await releaseDueRunSecrets(stores)).toBe(0);
    expect(await stores.runs.readSecret(secret)).toBeDefined();
    stores.clock.advance(projectorGraceMs + 1);
    expect(await releaseDueRunSecrets(stores)).toBe(1);
    expect(await stores.runs.readSecret(secret)).toBeUndefined();
    expect(await releaseDueRunSecrets(stores)).toBe(0);
  });
});

describe("a run's end in the stream", () => {
  const run = aRun({ secretId: "s", status: "running" });
  const change = (before: object, after: object) =>
    readTableChange(
      streamRecord({ ...runItem(run), ...before }, { ...runItem({ ...run, status: "success" }), ...after }),
    );

  it("is told with the secret that it leaves", () => {
    expect(change({}, {})).toEqual({
      kind: "run_ended",
      organizationId: run.organizationId,
      runId: run.id,
      secretId: "s",
    });
  });

  it("is nothing without a secret, when it had ended before, or when it goes on", () => {
    expect(change({}, { secret_id: undefined })).toBeUndefined();
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
