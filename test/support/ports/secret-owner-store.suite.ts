import { expect, it } from "vitest";
import { aMachine, anOrganization, aPool } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

export function secretOwnerStoreSuite(create: CreateTableStores): void {
  it("reads where the secrets of machines and pools lie now, whoever is asked for first", async () => {
    const { secretOwners, machines, pools } = create();
    const organizationId = anOrganization();
    const machine = aMachine({ organizationId, secretName: "of the machine" });
    const pool = aPool({ organizationId, secretName: "of the pool" });
    await machines.create(machine);
    await pools.create(pool);
    const [ofMachine, ofPool] = [
      { kind: "machine", id: machine.id } as const,
      { kind: "pool", id: pool.id } as const,
    ];
    expect(await secretOwners.read(organizationId, [ofPool, ofMachine])).toEqual([
      { ...ofPool, secretName: "of the pool" },
      { ...ofMachine, secretName: "of the machine" },
    ]);
  });

  it("leaves out who has none, who is deleted, who never was, and who is another organization's", async () => {
    const { secretOwners, machines, pools } = create();
    const organizationId = anOrganization();
    const bare = aMachine({ organizationId });
    const deleted = aPool({ organizationId, secretName: "s" });
    const strange = aMachine({ secretName: "s" });
    await machines.create(bare);
    await machines.create(strange);
    await pools.create(deleted);
    await pools.markDeleted(organizationId, deleted.id, "2026-01-15T12:00:00.000Z");
    const owners = [
      { kind: "machine", id: bare.id },
      { kind: "machine", id: strange.id },
      { kind: "pool", id: deleted.id },
      { kind: "pool", id: strange.id },
    ] as const;
    expect(await secretOwners.read(organizationId, owners)).toEqual([]);
  });
}
