import { expect, it, vi } from "vitest";
import type { CheckedVersion } from "../../../infra/synthetic/check-versions.ts";
import { handleEvent, type SyntheticParts } from "../../../infra/synthetic/handle-event.ts";

const hook = { DeploymentId: "d-1", LifecycleEventHookExecutionId: "h-1" };
const refused: CheckedVersion = { group: "runs", version: "runs:2", request: "GET /v1/runs", outcome: 500 };

function partsWith(given: Partial<SyntheticParts>) {
  const [tellCodeDeploy, log] = [vi.fn(async () => undefined), vi.fn()];
  const runSmallest = vi.fn(async () => undefined);
  return { runSmallest, failedVersions: async () => [], ...given, tellCodeDeploy, log };
}

it("carries out a run for the timer, and fails with it", async () => {
  const parts = partsWith({
    runSmallest: async () => {
      throw new Error("executor: no");
    },
  });
  await expect(handleEvent({ source: "aws.events" }, parts)).rejects.toThrow("executor: no");
  expect(parts.tellCodeDeploy).not.toHaveBeenCalled();
});

it.each<[string, readonly CheckedVersion[]]>([
  ["Succeeded", []],
  ["Failed", [refused]],
])("tells CodeDeploy %s", async (status, failed) => {
  const parts = partsWith({ failedVersions: async () => failed });
  await handleEvent(hook, parts);
  expect(parts.tellCodeDeploy).toHaveBeenCalledExactlyOnceWith(hook, status);
  expect(parts.runSmallest).not.toHaveBeenCalled();
  expect(parts.log.mock.calls).toEqual(failed.map((version) => ["version refused", version]));
});

it("refuses the release when no version could be tried, and says why", async () => {
  const parts = partsWith({
    failedVersions: async () => {
      throw new Error("the key cannot be read");
    },
  });
  await handleEvent(hook, parts);
  expect(parts.log).toHaveBeenCalledExactlyOnceWith("no version could be tried: refused", {
    why: "the key cannot be read",
  });
  expect(parts.tellCodeDeploy).toHaveBeenCalledExactlyOnceWith(hook, "Failed");
});
