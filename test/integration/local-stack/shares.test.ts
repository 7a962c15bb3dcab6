import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { FakePeer } from "../../support/fake-peer/fake-peer.ts";
import { newOrganization } from "../../support/stack/new-organization.ts";
import { type SpawnedStack, spawnStack } from "../../support/stack/spawn-stack.ts";

/** Small enough that a test reaches them. */
const variables = { KEY_CONNECTIONS_MAX: "2", ORGANIZATION_CALLS_MAX: "2" };

const soon = { timeout: 30_000, interval: 50 };

let stack: SpawnedStack;
beforeAll(async () => {
  stack = await spawnStack({ desktop: false, timers: false, variables });
});
afterAll(async () => {
  await stack?.stop();
});

const dial = () => FakePeer.dial({ url: stack.websocketUrl, authorization: `Bearer ${stack.apiKey}` });

async function connect() {
  const dialled = await dial();
  if (dialled.kind === "refused") throw new Error(`the handshake was answered ${dialled.status}`);
  return { peer: dialled.peer, machineId: await dialled.peer.sayHello() };
}

describe("what one key and one organization may have of the whole stack", () => {
  it("is so many connections: a further handshake is 429 until one has ended", async () => {
    const [one, other] = [await connect(), await connect()];
    expect(await dial()).toEqual({ kind: "refused", status: 429 });
    await one.peer.close();
    const next = await vi.waitFor(connect, soon);
    await Promise.all([other.peer.close(), next.peer.close()]);
  });

  it("is so many calls under way: a further one is 429 within a second, until they are answered", async () => {
    const desktops = await vi.waitFor(async () => {
      const connected = [];
      for (let count = 0; count < 2; count += 1) connected.push(await connect());
      return connected;
    }, soon);
    const [one, other] = desktops;
    if (one === undefined || other === undefined) throw new Error("no desktop connected");
    const look = (machineId: string) =>
      fetch(`${stack.baseUrl}/v1/computer/${machineId}/display/dimensions`, {
        headers: { authorization: `Bearer ${stack.apiKey}` },
      });
    for (const { peer } of desktops) peer.stayMute();
    const waiting = desktops.map(({ machineId }) => look(machineId));
    await vi.waitFor(() => expect(desktops.map(({ peer }) => peer.requests.length)).toEqual([1, 1]), soon);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const refused = await look(one.machineId);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await refused.json()).toMatchObject({ error_code: "organization_busy" });
    const size = Buffer.from('{"width":1,"height":1}');
    for (const { peer } of desktops) {
      for (const request of peer.requests) peer.answer(request, size);
      peer.onRequest((request) => peer.answer(request, size));
    }
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
    await vi.waitFor(async () => expect((await look(other.machineId)).status).toBe(200), soon);
    await Promise.all(desktops.map(({ peer }) => peer.close()));
  });

  it("is a socket that is ended while it sends 10,000 pings a second, and no call of another is refused", async () => {
    const pings = { sent: 0, max: 50_000 };
    const { peer } = await vi.waitFor(connect, soon);
    const headers = { authorization: `Bearer ${await newOrganization(stack)}` };
    const statuses: number[] = [];
    const calling = async () => {
      while (peer.isOpen || statuses.length < 10) {
        const response = await fetch(`${stack.baseUrl}/v1/machines`, { headers });
        await response.arrayBuffer();
        statuses.push(response.status);
      }
    };
    const others = calling();
    while (peer.isOpen && pings.sent < pings.max) {
      for (let ping = 0; ping < 100; ping += 1) peer.send({ type: "ping", at: 1 });
      pings.sent += 100;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await peer.closed();
    await others;
    expect(pings.sent).toBeLessThan(pings.max);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});
