import { afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import type { RequestMessage } from "../../shared/contract/tunnel.ts";
import { FakePeer, type PeerOptions } from "../support/fake-peer/fake-peer.ts";
import { ask, createOrganization, keyOf, type Organization } from "../support/stack/stack-client.ts";
import { secretsOf } from "../support/stack/storage.ts";
import { until } from "../support/stack/until.ts";

let organization: Organization;
let key: string;
const peers: FakePeer[] = [];

beforeAll(async () => {
  organization = await createOrganization();
  key = keyOf(organization, "full");
});
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()));
});

function options(fields: Partial<PeerOptions> = {}): PeerOptions {
  const authorization = `Bearer ${keyOf(organization, "driver")}`;
  return { url: inject("stack").websocketUrl, authorization, ...fields };
}

async function dial(fields: Partial<PeerOptions> = {}) {
  const dialled = await FakePeer.dial(options(fields));
  if (dialled.kind === "open") peers.push(dialled.peer);
  return dialled;
}

async function connect(fields: Partial<PeerOptions> = {}) {
  const peer = await FakePeer.connect(options(fields));
  peers.push(peer);
  const { machine_id: machineId } = await peer.next("welcome");
  return { peer, machineId };
}

const position = (machineId: string) => ask(`/v1/computer/${machineId}/input/mouse/position`, { key });

async function machine(machineId: string) {
  return (await ask(`/v1/machines/${machineId}`, { key })).body;
}

async function secretsOfMachine(machineId: string): Promise<readonly string[]> {
  const names = await secretsOf(organization.organization_id);
  return names.filter((name) => name.includes(machineId));
}

describe("a connected machine", () => {
  it("is shown as connected, with its host and what its driver said, and disconnected when the driver leaves", async () => {
    const { peer, machineId } = await connect({ headers: { "x-machine-name": "till 7" } });
    expect(await machine(machineId)).toMatchObject({
      status: "connected",
      name: "till 7",
      hostname: "fake",
      fingerprint: peer.fingerprint,
      physical_server_id: expect.stringMatching(/^[^/]+\/[^/]+\/[a-z0-9-]+$/),
    });
    await peer.close();
    await until(async () => (await machine(machineId)).status === "disconnected");
    expect(await machine(machineId)).toMatchObject({ status: "disconnected", physical_server_id: null });
  });

  it("is given four requests at once, and each caller its own answer; a fifth is its driver's to refuse", async () => {
    const { peer, machineId } = await connect();
    const waiting: RequestMessage[] = [];
    peer.onRequest((request) => {
      const path = new URLSearchParams(request.query).get("path");
      if (path === "/5") peer.answer(request, Buffer.from("{}"), 429);
      else if (path !== "/6") waiting.push(request);
    });
    const list = (path: string) => ask(`/v1/computer/${machineId}/fs/list?path=${path}`, { key });
    const paths = ["/1", "/2", "/3", "/4"];
    const asked = Promise.all(paths.map(list));
    await until(() => waiting.length === 4);
    const fifth = await list("/5");
    expect([fifth.status, fifth.body.error_code, fifth.headers.get("retry-after")]).toEqual([
      429,
      "driver_busy",
      "1",
    ]);
    const sixth = await list("/6");
    expect([sixth.status, sixth.body.error_code]).toEqual([504, "driver_timeout"]);
    for (const one of waiting.toReversed()) {
      const path = new URLSearchParams(one.query).get("path");
      peer.answer(one, Buffer.from(JSON.stringify({ path, items: [] })));
    }
    const answers = await asked;
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      paths.map((path) => [200, { path, items: [] }]),
    );
  });
});

describe("a driver that does not answer", () => {
  it("because it vanishes during the call is 502 soon, and the machine is disconnected", async () => {
    const { peer, machineId } = await connect();
    peer.vanish();
    const started = Date.now();
    const answer = await position(machineId);
    expect([answer.status, answer.body.error_code]).toEqual([502, "driver_connection_lost"]);
    expect(Date.now() - started).toBeLessThan(20_000);
    expect((await machine(machineId)).status).toBe("disconnected");
  });

  it("because it is mute is 504 once its time is over", async () => {
    const { peer, machineId } = await connect();
    peer.stayMute();
    const answer = await position(machineId);
    expect([answer.status, answer.body.error_code]).toEqual([504, "driver_timeout"]);
  });
});

describe("a large answer", () => {
  it("goes through the bucket", async () => {
    const { peer, machineId } = await connect();
    const content = "a".repeat(200_000);
    const body = Buffer.from(JSON.stringify({ path: "/f", content, size: 150_000 }));
    const uploads: Promise<void>[] = [];
    peer.onRequest((request) => {
      const upload = request.upload;
      if (!upload) throw new Error("there is no place for a large answer");
      const put = async () => {
        const answer = await fetch(upload.url, { method: "PUT", headers: upload.headers, body });
        expect(answer.status).toBe(200);
        peer.send({
          type: "response",
          id: request.id,
          reply_to: request.reply_to,
          status: 200,
          headers: { "content-type": "application/json" },
          part: 0,
          parts: 1,
          uploaded: true,
        });
      };
      uploads.push(put());
    });
    const answer = await ask<{ content: string }>(`/v1/computer/${machineId}/fs/read?path=/f`, { key });
    await Promise.all(uploads);
    expect([answer.status, answer.body.content === content]).toEqual([200, true]);
  });
});

describe("a deleted machine", () => {
  it("is not found at once, its driver is told goodbye, and its secret goes", async () => {
    const { peer, machineId } = await connect();
    const patched = await ask(`/v1/machines/${machineId}`, {
      key,
      method: "PATCH",
      body: { machine_sensitive_parameters: { password: "not to be kept" } },
    });
    expect(patched.status).toBe(200);
    expect(await secretsOfMachine(machineId)).toHaveLength(1);
    expect((await ask(`/v1/machines/${machineId}`, { key, method: "DELETE" })).status).toBe(204);
    expect((await ask(`/v1/machines/${machineId}`, { key })).status).toBe(404);
    expect(await peer.next("goodbye")).toMatchObject({ code: "deleted", retry_after_seconds: null });
    await peer.closed();
    await until(async () => (await secretsOfMachine(machineId)).length === 0);
    expect(await secretsOfMachine(machineId)).toEqual([]);
  });
});

describe("a ticket", () => {
  it("opens a tunnel once", async () => {
    const peerId = "peer-1";
    const token = await ask("/api/driver/connection-token", { body: { remotePeerId: peerId } });
    expect(token.status).toBe(200);
    const authorized = await ask<{ tunnel: { url: string; ticket: string } }>(
      "/api/driver/authorize-connection",
      {
        body: {
          desktopToken: token.body.desktopToken,
          machineApiKey: keyOf(organization, "driver"),
          remotePeerId: peerId,
        },
      },
    );
    expect(authorized.status).toBe(200);
    const authorization = `Ticket ${authorized.body.tunnel.ticket}`;
    const { machineId } = await connect({ authorization });
    expect((await machine(machineId)).status).toBe("connected");
    expect(await dial({ authorization })).toEqual({ kind: "refused", status: 401 });
  });
});
