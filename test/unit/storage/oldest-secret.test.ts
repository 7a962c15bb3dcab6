import { v7 } from "uuid";
import { expect, it } from "vitest";
import { oldestSecretMs } from "../../../shared/storage/run/run-secret.ts";
import { anOrganization } from "../../support/builders/entities.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";

it("the oldest sensitive values are those encrypted first, of all organizations, until their last run has ended", async () => {
  const stores = createModelStores();
  expect(await oldestSecretMs(stores.table)).toBeUndefined();
  const times: number[] = [];
  const runs = [];
  for (let number = 0; number < 3; number += 1) {
    times.push(stores.clock.now());
    const secret = { organizationId: anOrganization(), secretId: v7() };
    runs.push(await stores.put.run({ ...secret, sensitiveAliases: ["pin"], status: "error" }));
    stores.clock.advance(1_000);
  }
  for (const [place, { organizationId, id, secretId }] of runs.entries()) {
    expect(await oldestSecretMs(stores.table)).toBe(times[place]);
    await stores.runs.releaseSecret(organizationId, id, secretId ?? "");
  }
  expect(await oldestSecretMs(stores.table)).toBeUndefined();
});
