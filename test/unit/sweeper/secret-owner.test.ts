import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { secretName } from "../../../shared/secrets/secret-name.ts";
import { ownerOfSecret } from "../../../shared/secrets/secret-owner.ts";

const machineId = v7();
const machine = { kind: "machine", id: machineId } as const;

describe("the owner of a secret", () => {
  it.each(["org_1", "Münchner Straße", "a/b", "..", "a.2Fb", "🙂"].map(organizationIdOf))(
    "is read back for %j",
    (organizationId) => {
      for (const owner of [machine, { kind: "pool", id: v7() } as const]) {
        const name = secretName("main", organizationId, owner, v7());
        expect(ownerOfSecret("main", name)).toEqual({ organizationId, owner });
      }
    },
  );

  it("cannot be told for an organization too long to be in the name", () => {
    const name = secretName("main", organizationIdOf("ä".repeat(100)), machine, v7());
    expect(ownerOfSecret("main", name)).toBeUndefined();
  });

  it.each([
    "",
    "das/main/org",
    `das/main/org/desktop/${machineId}/${v7()}`,
    `das/other/org/machine/${machineId}/${v7()}`,
    `das/main/org/machine/${machineId}/${v7()}/more`,
    `das/main/org/machine/x/${v7()}`,
    `das/main//machine/${machineId}/${v7()}`,
    `das/main/o.4frg/machine/${machineId}/${v7()}`,
  ])("is nobody for %j", (name) => {
    expect(ownerOfSecret("main", name)).toBeUndefined();
  });
});
