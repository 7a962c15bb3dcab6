import { v7 } from "uuid";
import { expect, it } from "vitest";
import { anOrganization } from "../../support/builders/entities.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";

it("keeps a tenant's id and a resource's apart, so that swapped arguments do not compile", async () => {
  const { pools, put } = createModelStores();
  const organizationId = anOrganization();
  const pool = await put.pool({ organizationId });
  expect(await pools.find(organizationId, pool.id)).toEqual(pool);
  // @ts-expect-error a resource's id is no tenant's
  expect(await pools.find(pool.id, organizationId)).toBeUndefined();
  // @ts-expect-error nor is any text
  expect(await pools.find(v7(), pool.id)).toBeUndefined();
});
