import { describe, expect, it } from "vitest";
import { v7 } from "uuid";
import { machineSecretName } from "../../../shared/secrets/secret-name.ts";
import { machineSecretOwner } from "../../../shared/secrets/secret-owner.ts";

const machineId = v7();

describe("the owner of a secret", () => {
  it.each(["org_1", "Münchner Straße", "a/b", "..", "a.2Fb", "🙂"])(
    "is read back for %j",
    (organizationId) => {
      const name = machineSecretName("main", organizationId, machineId, v7());
      expect(machineSecretOwner("main", name)).toEqual({ organizationId, machineId });
    },
  );

  it("cannot be told for an organization too long to be in the name", () => {
    const name = machineSecretName("main", "ä".repeat(100), machineId, v7());
    expect(machineSecretOwner("main", name)).toBeUndefined();
  });

  it.each([
    "",
    "das/main/org",
    `das/main/org/run/${machineId}/${v7()}`,
    `das/other/org/machine/${machineId}/${v7()}`,
    `das/main/org/machine/${machineId}/${v7()}/more`,
    `das/main/org/machine/x/${v7()}`,
    `das/main//machine/${machineId}/${v7()}`,
    `das/main/o.4frg/machine/${machineId}/${v7()}`,
  ])("is nobody for %j", (name) => {
    expect(machineSecretOwner("main", name)).toBeUndefined();
  });
});
