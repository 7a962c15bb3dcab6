import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import type { RequestMessage } from "../../shared/contract/tunnel.ts";
import { FakePeer, type PeerOptions } from "../support/fake-peer/fake-peer.ts";
import { ask, control, createOrganization, keyOf, type Organization } from "../support/stack/stack-client.ts";
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

async function livingSecretsOf(machineId: string): Promise<readonly string[]> {
  const { items } = await control<{ readonly items: readonly { name: string; is_deleted: boolean }[] }>(
    "/aws/secrets",
  );
  return items.filter((item) => item.name.includes(machineId) && !item.is_deleted).map((item) => item.name);
}

const point = Buffer.from(JSON.stringify({ x: 3, y: 4 }));

describe("the handshake", () => {
  it.each([
    ["no credentials", {}, undefined, 403],
    ["a key that nobody knows", {}, "Bearer das_no_such_key", 401],
    ["a forged ticket", {}, "Ticket a.b.c", 401],
  ])("is refused with %s", async (_what, headers, authorization, status) => {
    expect(await dial({ headers, authorization })).toEqual({ kind: "refused", status });
  });

  it.each([
    ["a fingerprint that is no UUID", { fingerprint: "laptop" }, 400],
    ["X-Keepalive-For of an unknown machine", { headers: { "x-keepalive-for": randomUUID() } }, 409],
  ])("is refused with %s", async (_what, fields, status) => {
    expect(await dial(fields)).toEqual({ kind: "refused", status });
  });
});

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

  it("may answer in three parts, shuffled, one of them sent again", async () => {
    const { peer, machineId } = await connect();
    const output = {
      stdout: Array.from({ length: 10_000 }, (_, line) => `${line}\n`).join(""),
      stderr: "",
      exit_code: 0,
      timeout_reached: false,
    };
    peer.answerOutOfOrder(Buffer.from(JSON.stringify(output)), [2, 0, 2, 1]);
    const answer = await ask(`/v1/computer/${machineId}/shell/exec`, { key, body: { command: "seq 10000" } });
    expect([answer.status, answer.body]).toEqual([200, output]);
    await until(() => peer.messages.filter((message) => message.type === "received").length >= 4);
    const acknowledged = peer.messages.flatMap((message) =>
      message.type === "received" ? [message.part] : [],
    );
    expect(acknowledged.sort()).toEqual([0, 1, 2, 2]);
  });
});

describe("a forged response", () => {
  it("with a reply_to that another request brought is refused, and the true one counts", async () => {
    const { peer, machineId } = await connect();
    peer.onRequest((request) => peer.answer(request, point));
    await position(machineId);
    const [earlier] = peer.requests;
    if (!earlier) throw new Error("there was no request");
    peer.onRequest((request) => {
      peer.answer({ ...request, reply_to: earlier.reply_to }, Buffer.from('{"x":666,"y":666}'));
      setTimeout(() => peer.answer(request, point), 300);
    });
    expect((await position(machineId)).body).toEqual({ x: 3, y: 4 });
    expect(await peer.next("error")).toMatchObject({ code: "reply_to_refused" });
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

  it("because it is mute is 504 after 25 s, and after two such calls at once, until it says hello", async () => {
    const { peer, machineId } = await connect();
    peer.stayMute();
    const timedOut = async () => {
      const started = Date.now();
      const answer = await position(machineId);
      expect([answer.status, answer.body.error_code]).toEqual([504, "driver_timeout"]);
      return Date.now() - started;
    };
    for (const waitedMs of await Promise.all([timedOut(), timedOut()])) {
      expect(waitedMs).toBeGreaterThan(24_000);
      expect(waitedMs).toBeLessThan(30_000);
    }
    expect(await timedOut()).toBeLessThan(20_000);
    expect(peer.requests).toHaveLength(2);
    peer.onRequest((request) => peer.answer(request, point));
    peer.send({ type: "hello", protocol: 1, capabilities: [] });
    await until(async () => (await position(machineId)).status === 200);
    expect((await position(machineId)).body).toEqual({ x: 3, y: 4 });
  });
});

describe("two drivers with one fingerprint", () => {
  it("are one machine, reached through the newer, and the older is told goodbye", async () => {
    const older = await connect();
    const newer = await connect({ fingerprint: older.peer.fingerprint });
    expect(newer.machineId).toBe(older.machineId);
    expect(await older.peer.next("goodbye")).toMatchObject({ code: "superseded", retry_after_seconds: null });
    await older.peer.closed();
    // The late $disconnect of the older one has been handled by now, and must have changed nothing.
    await pause(500);
    expect((await machine(newer.machineId)).status).toBe("connected");
    newer.peer.onRequest((request) => newer.peer.answer(request, point));
    expect((await position(newer.machineId)).status).toBe(200);
    expect(older.peer.requests).toEqual([]);
  });
});

describe("frames that are no message", () => {
  it("are answered with one error each, but for those without a type, which are not answered", async () => {
    const { peer } = await connect();
    peer.send({ message: "Internal server error", connectionId: "x", requestId: "y" });
    peer.send("null");
    peer.send({ type: "error", code: "whatever", message: "" });
    await pause(500);
    expect(peer.messages.map((message) => message.type)).toEqual(["welcome"]);
    peer.send("{oops");
    await peer.next("error", ({ code }) => code === "malformed");
    peer.send({ type: "dance" });
    await peer.next("error", ({ code }) => code === "unknown_type");
    expect(peer.messages).toHaveLength(3);
    expect(peer.strangeFrames).toEqual([]);
  });
});

describe("a flood of frames", () => {
  async function often(peer: FakePeer, times: number, send: () => void) {
    for (let sent = 0; sent < times && peer.isOpen; sent++) {
      const before = peer.messages.length;
      send();
      await until(() => peer.messages.length > before || !peer.isOpen);
    }
  }

  it("of 140 pings ends with a goodbye, and with it the connection", async () => {
    const { peer } = await connect();
    await often(peer, 140, () => peer.send({ type: "ping", at: 1 }));
    expect(await peer.next("goodbye")).toMatchObject({ code: "rate_limited", retry_after_seconds: 60 });
    await peer.closed();
    expect(peer.messages.filter((message) => message.type === "pong").length).toBeLessThanOrEqual(120);
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

describe("an Idempotency-Key", () => {
  it("makes a call that lost its connection ask again for the same action, and never for a second one", async () => {
    const first = await connect();
    first.peer.vanish();
    const click = () =>
      ask(`/v1/computer/${first.machineId}/input/mouse/click`, {
        key,
        body: { x: 1, y: 2 },
        headers: { "idempotency-key": "click-once" },
      });
    expect((await click()).status).toBe(502);
    const second = await connect({ fingerprint: first.peer.fingerprint });
    expect((await click()).status).toBe(200);
    const [asked] = first.peer.requests;
    const [repeated] = second.peer.requests;
    expect([asked?.repeat, repeated?.repeat]).toEqual([false, true]);
    expect(repeated?.action_id).toBe(asked?.action_id);
    expect((await click()).headers.get("idempotency-status")).toBe("replayed");
    expect(second.peer.requests).toHaveLength(1);
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
    expect(await livingSecretsOf(machineId)).toHaveLength(1);
    expect((await ask(`/v1/machines/${machineId}`, { key, method: "DELETE" })).status).toBe(204);
    expect((await ask(`/v1/machines/${machineId}`, { key })).status).toBe(404);
    expect(await peer.next("goodbye")).toMatchObject({ code: "deleted", retry_after_seconds: null });
    await peer.closed();
    await until(async () => (await livingSecretsOf(machineId)).length === 0);
    expect(await livingSecretsOf(machineId)).toEqual([]);
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
