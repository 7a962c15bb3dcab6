import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { anOrganization } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

export function inputSourceStoreSuite(create: CreateTableStores): void {
  describe("input sources", () => {
    it("are read together, the pools in the order asked for", async () => {
      const { inputSources, put } = create();
      const organizationId = anOrganization();
      const [workflow, machine] = [
        await put.workflow({ organizationId }),
        await put.machine({ organizationId }),
      ];
      const pools = [];
      for (let count = 0; count < 3; count += 1) pools.push(await put.pool({ organizationId }));
      const poolIds = pools.map(({ id }) => id).reverse();
      const ids = { workflowId: workflow.id, machineId: machine.id, poolIds };
      expect(await inputSources.read(organizationId, ids)).toEqual({
        workflow,
        machine,
        pools: pools.reverse(),
      });
      const twice = { ...ids, poolIds: [...poolIds, ...poolIds] };
      expect((await inputSources.read(organizationId, twice)).pools).toHaveLength(3);
    });

    it("leave out what is missing or another organization's", async () => {
      const { inputSources, put } = create();
      const [machine, pool] = [await put.machine(), await put.pool()];
      const ids = { workflowId: v7(), machineId: machine.id, poolIds: [pool.id] };
      const nothing = { workflow: undefined, machine: undefined, pools: [] };
      expect(await inputSources.read(anOrganization(), ids)).toEqual(nothing);
    });
  });
}
