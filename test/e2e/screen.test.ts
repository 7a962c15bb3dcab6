import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { iconBox } from "../../infra/demo-desk/draw-surroundings.ts";
import type { ApiClient } from "../../shared/client/api-client.ts";
import type { SpawnedDriver } from "../support/stack/spawn-driver.ts";
import { clientOf, createOrganization, driverOf, keyOf } from "../support/stack/stack-client.ts";

let driver: SpawnedDriver;
let client: ApiClient;

beforeAll(async () => {
  const organization = await createOrganization();
  driver = await driverOf(organization);
  client = clientOf(keyOf(organization, "full"));
});
afterAll(async () => {
  await driver?.stop();
});

const path = () => ({ machine_id: driver.machineId });
const look = async (
  query: { readonly wait_ms?: number; readonly width?: number } = {},
  ifNoneMatch?: string,
) => await client.callIfChanged("takeScreenshot", { path: path(), query, ifNoneMatch });
const selectIcon = async () =>
  await client.call("clickMouse", { path: path(), body: { x: iconBox.x + 5, y: iconBox.y + 5 } });

describe("a viewer of a machine's screen", () => {
  it("gets a picture when it changes, and none while it is still", async () => {
    const first = await look({ width: 320 });
    expect(first.body?.byteLength).toBeGreaterThan(100);
    const still = await look({ width: 320, wait_ms: 300 }, first.etag);
    expect(still).toEqual({ body: undefined, etag: first.etag, retryAfterSeconds: undefined });
    const changed = look({ width: 320, wait_ms: 10_000 }, first.etag);
    await selectIcon();
    const { body, etag } = await changed;
    expect(body?.byteLength).toBeGreaterThan(100);
    expect(etag).not.toBe(first.etag);
    expect(await look({ width: 320 }, etag)).toMatchObject({ body: undefined, etag });
  });

  it("is one of two that wait: others are told what is there, and actions do not come after them", async () => {
    const { etag } = await look();
    const answered: (number | undefined)[] = [];
    const viewers = [1, 2, 3, 4].map(async () => {
      const seen = await look({ wait_ms: 10_000 }, etag);
      answered.push(seen.retryAfterSeconds);
      return seen;
    });
    await Promise.race(viewers);
    // Four actions at once take all the places of a connection.
    const move = { path: path(), body: { x: 700, y: 500 } };
    await Promise.all([1, 2, 3, 4].map(() => client.call("moveMouse", move)));
    await expect.poll(() => answered).toEqual([2, 2]);
    await client.call("clickMouse", move);
    const seen = await Promise.all(viewers);
    expect(answered).toEqual([2, 2, undefined, undefined]);
    expect(seen.filter(({ body }) => body !== undefined)).toHaveLength(2);
  });
});
