import { describe, expect, it } from "vitest";
import { edgeSecretOutput, refuseEdgeJump } from "../../../infra/edge-step.ts";

const deployed =
  (...outputs: readonly string[]) =>
  () =>
    Promise.resolve(outputs);

describe("a step of the setting edge", () => {
  it("is refused from none to require", async () => {
    await expect(refuseEdgeJump("require", "das-main-service", deployed("ApiUrl"))).rejects.toThrow(
      "the setting edge cannot go from none to require: deploy send first",
    );
  });

  it.each([
    ["none", deployed("ApiUrl", edgeSecretOutput)],
    ["send", deployed("ApiUrl")],
    ["require", deployed("ApiUrl", edgeSecretOutput)],
    ["require", () => Promise.resolve(undefined)],
  ] as const)("is taken to %s one at a time, and at a first deployment", async (edge, outputsOf) => {
    await expect(refuseEdgeJump(edge, "das-main-service", outputsOf)).resolves.toBeUndefined();
  });
});
