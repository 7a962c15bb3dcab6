import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import type { Machine } from "../../../shared/domain/machine/machine.ts";
import type { Pool } from "../../../shared/domain/pool/pool.ts";
import type { InputSourceStore } from "../../../shared/domain/run/inputs/input-source-store.ts";
import type { Workflow } from "../../../shared/domain/workflow/workflow.ts";
import { aMachine, anOrganization, aPool } from "../builders/entities.ts";
import { aWorkflow } from "../builders/workflows.ts";

export interface InputSourceStores {
  readonly inputSources: InputSourceStore;
  put(entity: { workflow: Workflow } | { machine: Machine } | { pool: Pool }): Promise<void>;
}

export function inputSourceStoreSuite(create: () => InputSourceStores): void {
  describe("input sources", () => {
    it("are read together, the pools in the order asked for", async () => {
      const { inputSources, put } = create();
      const organizationId = anOrganization();
      const [workflow, machine] = [aWorkflow({ organizationId }), aMachine({ organizationId })];
      const pools = [aPool({ organizationId }), aPool({ organizationId }), aPool({ organizationId })];
      await put({ workflow });
      await put({ machine });
      for (const pool of pools) await put({ pool });
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
      const [machine, pool] = [aMachine(), aPool()];
      await put({ machine });
      await put({ pool });
      const ids = { workflowId: v7(), machineId: machine.id, poolIds: [pool.id] };
      const nothing = { workflow: undefined, machine: undefined, pools: [] };
      expect(await inputSources.read(anOrganization(), ids)).toEqual(nothing);
    });
  });
}
