import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { Background } from "../../../shared/domain/background.ts";
import { DomainError } from "../../../shared/domain/errors.ts";
import { callDriver } from "../../../shared/domain/tunnel/call-driver.ts";
import { fromAttributes } from "../../../shared/storage/table/item.ts";
import { DeliveryUncertain } from "../../../shared/tunnel/delivery-uncertain.ts";
import { createDriverChannel } from "../../../shared/tunnel/tunnel-driver-channel.ts";
import { anActor } from "../../support/builders/entities.ts";
import {
  base64,
  hello,
  type RequestMessage,
  responseTo,
  tunnelWorld,
} from "../../support/tunnel-world/tunnel-world.ts";

async function connected() {
  const world = tunnelWorld();
  const key = await world.key();
  const driver = await world.driver({ key });
  const machine = await world.machineOf(driver);
  return { world, key, driver, machine, websocketId: driver.websocketId };
}

function text(body: Uint8Array): string {
  return Buffer.from(body).toString();
}

async function inTwoParts(
  world: ReturnType<typeof tunnelWorld>,
  websocketId: string,
  request: RequestMessage,
): Promise<void> {
  for (const part of [0, 1]) await world.send(websocketId, responseTo(request, { part, parts: 2 }));
}

describe("a request for a desktop", () => {
  it("is answered with the driver's status, headers and body", async () => {
    const { world, machine, websocketId } = await connected();
    world.script(websocketId, async (request) => {
      expect(request).toMatchObject({ method: "POST", path: "/computer/x", query: "a=1", part: 0, parts: 1 });
      expect(text(Buffer.from(request.body ?? "", "base64"))).toBe("hi");
      await world.send(websocketId, responseTo(request, { status: 201, body: base64("done") }));
    });
    const answer = await world.ask(machine, {
      method: "POST",
      path: "/computer/x",
      query: "a=1",
      body: Buffer.from("hi"),
    });
    expect(answer).toMatchObject({
      kind: "answered",
      status: 201,
      headers: { "content-type": "application/json" },
    });
    if (answer.kind === "answered") expect(text(answer.body)).toBe("done");
  });

  it("can be followed from the API through the tunnel to the driver, by ids and nothing else", async () => {
    const { world, machine, websocketId } = await connected();
    const seen: RequestMessage[] = [];
    world.script(websocketId, async (request) => {
      seen.push(request);
      await world.send(websocketId, responseTo(request, { status: 200, body: base64("typed text") }));
    });
    await world.ask(machine, {
      method: "POST",
      path: "/computer/x",
      query: "path=a",
      body: Buffer.from("typed"),
    });
    const [request] = seen;
    expect(request?.trace).toBe("asked");
    const lines = world.logger.lines.filter(({ fields }) => fields.tunnel_request_id === request?.id);
    expect(lines).toMatchObject([
      {
        level: "debug",
        message: "driver responded",
        fields: { websocket_id: websocketId, driver_status: 200, part: 0, parts: 1 },
      },
      {
        level: "debug",
        message: "driver requested",
        fields: {
          action_id: request?.action_id,
          machine_id: machine.id,
          websocket_id: websocketId,
          path: "/computer/x",
          outcome: "answered",
          driver_status: 200,
        },
      },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/typed|path=a/);
  });

  it("leaves a line as well when nobody answers", async () => {
    const { world, machine } = await connected();
    expect(await world.ask(machine, { timeoutMs: 1_000 })).toEqual({ kind: "timeout" });
    const asked = world.logger.lines.find(({ message }) => message === "driver requested");
    expect(asked).toMatchObject({ level: "info", fields: { outcome: "timeout" } });
  });

  it("carries a deadline no later than its time, and at most 25 s from now", async () => {
    const { world, machine, websocketId } = await connected();
    const deadlines: number[] = [];
    world.script(websocketId, async (request) => {
      deadlines.push(request.deadline - world.clock.now());
      await world.send(websocketId, responseTo(request));
    });
    await world.ask(machine, { timeoutMs: 8_000 });
    await world.ask(machine, { timeoutMs: 60_000 });
    expect(deadlines).toEqual([8_000, 25_000]);
  });

  it("is looked for at times that do not depend on how long a look takes", async () => {
    const { world, machine } = await connected();
    const fromMs = world.clock.now();
    const lookedAtMs: number[] = [];
    vi.spyOn(world.callRecords, "read").mockImplementation(async () => {
      lookedAtMs.push(world.clock.now() - fromMs);
      world.clock.advance(8);
      return [];
    });
    await world.ask(machine, { timeoutMs: 200 });
    expect(lookedAtMs.slice(0, 5)).toEqual([10, 25, 50, 90, 140]);
  });

  it("of several parts is answered before its end is on record, where somebody waits for that", async () => {
    const { world, machine, websocketId } = await connected();
    world.script(websocketId, (request) => inTwoParts(world, websocketId, request));
    const gate = Promise.withResolvers<void>();
    const note = world.callRecords.note.bind(world.callRecords);
    vi.spyOn(world.callRecords, "note").mockImplementation(async (...given) => {
      await gate.promise;
      await note(...given);
    });
    const background = new Background();
    const { waitUntil } = background;
    const requester = { requestId: "asked", logger: world.logger, actor: anActor("the caller"), waitUntil };
    const channel = createDriverChannel(world, requester);
    expect(await world.ask(machine, {}, channel)).toMatchObject({ kind: "answered" });
    const leases = () =>
      [...world.model.items.all()]
        .map((item) => fromAttributes(item))
        .filter(({ kind, lease_until_ms: lease }) => kind === "call_slot" && lease !== undefined).length;
    expect(leases()).toBe(1);
    gate.resolve();
    await background.done();
    expect(leases()).toBe(0);
  });

  it("of a large answer is sent once it is allowed: its record is opened meanwhile", async () => {
    const { world, machine, websocketId } = await connected();
    const sent: number[] = [];
    world.script(websocketId, async (request) => {
      sent.push(world.clock.now());
      await world.send(websocketId, responseTo(request));
    });
    const opened = Promise.withResolvers<void>();
    const open = world.callRecords.open.bind(world.callRecords);
    vi.spyOn(world.callRecords, "open").mockImplementation(async (call) => {
      await open(call);
      opened.resolve();
    });
    const allowed = opened.promise.then(() => {
      expect(sent).toEqual([]);
      return true;
    });
    expect(await world.ask(machine, { allowed, largeResponse: true })).toMatchObject({ kind: "answered" });
    expect(sent).toHaveLength(1);
  });

  it.each([
    [false, [0, 0, 1]],
    [true, [1, 1, 0]],
  ])(
    "is not sent unless it is allowed, and is no call on record (large %s)",
    async (largeResponse, counts) => {
      const { world, machine, websocketId } = await connected();
      let sent = 0;
      world.script(websocketId, () => {
        sent += 1;
      });
      const settled = (["withdraw", "end", "note"] as const).map((name) => vi.spyOn(world.callRecords, name));
      expect(await world.ask(machine, { allowed: Promise.resolve(false), largeResponse })).toEqual({
        kind: "withheld",
      });
      const refused = Promise.reject(new Error("the table is away"));
      await expect(world.ask(machine, { allowed: refused, largeResponse })).rejects.toThrow(
        "the table is away",
      );
      expect(sent).toBe(0);
      expect(settled.map((spy) => spy.mock.calls.length)).toEqual(counts);
    },
  );

  it("takes an answer in three parts, shuffled, one of them sent again", async () => {
    const { world, machine, websocketId } = await connected();
    const parts = ["a", "b", "c"].map((letter) => letter.repeat(20_000));
    world.script(websocketId, async (request) => {
      for (const part of [2, 0, 2, 1]) {
        await world.send(
          websocketId,
          responseTo(request, { part, parts: 3, body: base64(parts[part] ?? "") }),
        );
      }
    });
    const answer = await world.ask(machine);
    expect(answer.kind === "answered" && text(answer.body)).toBe(parts.join(""));
  });

  it("waits for a part that comes late, after others were seen", async () => {
    const { world, machine, websocketId } = await connected();
    world.script(websocketId, async (request) => {
      await world.send(websocketId, responseTo(request, { part: 1, parts: 2, body: base64("b") }));
      void world.clock
        .sleep(600)
        .then(() => world.send(websocketId, responseTo(request, { part: 0, parts: 2, body: base64("a") })));
    });
    const answer = await world.ask(machine);
    expect(answer.kind === "answered" && text(answer.body)).toBe("ab");
  });

  it("cuts a body of 60,000 bytes into three messages, all with the same id and deadline", async () => {
    const { world, machine, websocketId } = await connected();
    const body = Buffer.from(Array.from({ length: 60_000 }, (_, at) => at % 251));
    const requests: RequestMessage[] = [];
    world.script(websocketId, async (request) => {
      requests.push(request);
      if (requests.length === 3) await world.send(websocketId, responseTo(request));
    });
    await world.ask(machine, { method: "POST", body, headers: { "content-type": "text/plain" } });
    const sorted = requests.sort((one, other) => one.part - other.part);
    expect(new Set(sorted.map((request) => `${request.id} ${request.deadline}`)).size).toBe(1);
    expect(sorted.map((request) => request.headers !== undefined)).toEqual([true, false, false]);
    const received = Buffer.concat(sorted.map((request) => Buffer.from(request.body ?? "", "base64")));
    expect(received.equals(body)).toBe(true);
  });

  it("puts a body above 60 KB into the bucket, and names the place", async () => {
    const { world, machine, websocketId } = await connected();
    world.script(websocketId, async (request) => {
      expect(request.parts).toBe(1);
      const key = new URL(request.download?.url ?? "").pathname.slice(1);
      expect((await world.files.get(key, 1_000_000))?.byteLength).toBe(60_001);
      await world.send(websocketId, responseTo(request));
    });
    expect((await world.ask(machine, { method: "POST", body: Buffer.alloc(60_001) })).kind).toBe("answered");
  });

  it("goes through the bucket as well when body and query together do not fit a message", async () => {
    const { world, machine, websocketId } = await connected();
    world.script(websocketId, async (request) => {
      expect(request.download).toBeDefined();
      await world.send(websocketId, responseTo(request));
    });
    const query = `path=${"x".repeat(8_000)}`;
    expect((await world.ask(machine, { method: "POST", query, body: Buffer.alloc(20_000) })).kind).toBe(
      "answered",
    );
  });

  it("lets the driver fetch an object that lies in the bucket already", async () => {
    const { world, machine, websocketId } = await connected();
    world.script(websocketId, async (request) => {
      expect(new URL(request.download?.url ?? "").pathname).toBe("/uploads/org/one");
      await world.send(websocketId, responseTo(request));
    });
    await world.ask(machine, { method: "POST", bodyKey: "uploads/org/one" });
  });
});

describe("a large answer", () => {
  it("may be put into the bucket, and is not fetched from there", async () => {
    const { world, machine, websocketId } = await connected();
    world.script(websocketId, async (request) => {
      const key = new URL(request.upload?.url ?? "").pathname.slice(1);
      await world.files.put(key, Buffer.alloc(90_000), "image/png");
      await world.send(websocketId, responseTo(request, { body: undefined, uploaded: true }));
    });
    const answer = await world.ask(machine, { largeResponse: true });
    expect(answer).toMatchObject({ kind: "stored", status: 200, sizeBytes: 90_000 });
    if (answer.kind === "stored") {
      expect(answer.key.startsWith(`tunnel/${machine.organizationId}/`)).toBe(true);
    }
  });

  it.each([
    ["is read and removed", 90_000, { kind: "answered", status: 200, body: new Uint8Array(90_000) }],
    ["above so many bytes is an error, and removed", 89_999, "answer_too_large"],
  ] as const)("that is needed once %s", async (_what, readBytesMax, expected) => {
    const { world, machine, websocketId } = await connected();
    const sized: string[] = [];
    world.files.size = async (key) => void sized.push(key) as undefined;
    let key = "";
    world.script(websocketId, async (request) => {
      key = new URL(request.upload?.url ?? "").pathname.slice(1);
      await world.files.put(key, Buffer.alloc(90_000), "image/png");
      await world.send(websocketId, responseTo(request, { body: undefined, uploaded: true }));
    });
    const asked = world.ask(machine, { largeResponse: true, readBytesMax });
    if (typeof expected === "string") await expect(asked).rejects.toMatchObject({ code: expected });
    else expect(await asked).toMatchObject(expected);
    expect(await world.files.get(key, 100_000)).toBeUndefined();
    expect(sized).toEqual([]);
  });

  it.each([{ largeResponse: true }, { largeResponse: false }, { largeResponse: true, readBytesMax: 1_000 }])(
    "that was never put there is the driver's failure (%o)",
    async (asked) => {
      const { world, machine, websocketId } = await connected();
      world.script(websocketId, async (request) => {
        expect(request.upload !== undefined).toBe(asked.largeResponse);
        await world.send(websocketId, responseTo(request, { body: undefined, uploaded: true }));
      });
      expect(await world.ask(machine, asked)).toMatchObject({ kind: "answered", status: 502 });
    },
  );

  it.each([
    ["is removed at once", 1, false],
    ["is removed at once, and is the same failure when it cannot be", 1, true],
    ["stays when it is 100 MB to the byte", 0, false],
  ])("above 100 MB is the driver's failure and %s", async (_what, excess, isAway) => {
    const { world, machine, websocketId } = await connected();
    const removed: string[] = [];
    world.files.size = async () => 100 * 1_024 * 1_024 + excess;
    world.files.remove = async (key) => {
      removed.push(key);
      if (isAway) throw new Error("away");
    };
    let requestId = "";
    world.script(websocketId, async (request) => {
      requestId = request.id;
      await world.send(websocketId, responseTo(request, { body: undefined, uploaded: true }));
    });
    const answer = await world.ask(machine, { largeResponse: true });
    expect(answer).toMatchObject(excess > 0 ? { kind: "answered", status: 502 } : { kind: "stored" });
    const key = world.files.tunnelKey(machine.organizationId, requestId);
    expect(removed).toEqual(excess > 0 ? [key] : []);
  });
});

describe("a driver that does not answer", () => {
  it("and is mute is a timeout when the time is up, not before and not long after", async () => {
    const { world, machine } = await connected();
    const started = world.clock.now();
    expect(await world.ask(machine, { timeoutMs: 8_000 })).toEqual({ kind: "timeout" });
    expect(world.clock.now() - started).toBeGreaterThanOrEqual(8_000);
    expect(world.clock.now() - started).toBeLessThan(8_250);
  });

  it("and vanishes during the call is a lost connection within about a second", async () => {
    const { world, machine, websocketId } = await connected();
    world.script(websocketId, () => {
      void world.clock.sleep(20).then(() => world.disconnected(websocketId));
    });
    const started = world.clock.now();
    expect(await world.ask(machine)).toEqual({ kind: "connection_lost" });
    expect(world.clock.now() - started).toBeLessThan(1_500);
  });

  it("and is superseded during the call is a lost connection", async () => {
    const { world, key, driver, machine, websocketId } = await connected();
    world.script(websocketId, () => {
      void world.clock.sleep(20).then(() => world.driver({ key, fingerprint: driver.fingerprint }));
    });
    expect(await world.ask(machine)).toEqual({ kind: "connection_lost" });
  });

  it("is believed when it answered just before it vanished", async () => {
    const { world, machine, websocketId } = await connected();
    world.script(websocketId, (request) => {
      void world.clock.sleep(2_000).then(async () => {
        await world.send(websocketId, responseTo(request));
        await world.disconnected(websocketId);
      });
    });
    expect((await world.ask(machine)).kind).toBe("answered");
  });

  it("because its socket is gone is not delivered, and its machine is disconnected at once", async () => {
    const { world, driver, machine, websocketId } = await connected();
    world.sockets.vanish(websocketId);
    const started = world.clock.now();
    expect(await world.ask(machine)).toEqual({ kind: "not_delivered" });
    expect(world.clock.now()).toBe(started);
    expect((await world.machineOf(driver)).connection).toBeNull();
  });

  it("because its socket is gone takes nothing from the connection that took over", async () => {
    const { world, key, driver, machine } = await connected();
    const newer = await world.driver({ key, fingerprint: driver.fingerprint });
    expect(await world.ask(machine)).toEqual({ kind: "not_delivered" });
    expect((await world.machineOf(driver)).connection?.websocketId).toBe(newer.websocketId);
  });
});

describe("a post that fails", () => {
  it("in doubt is waited for, since the driver may have it", async () => {
    const { world, machine, websocketId } = await connected();
    const post = world.sockets.post.bind(world.sockets);
    world.sockets.post = async (id, message) => {
      await post(id, message);
      if (message.includes('"request"')) throw new DeliveryUncertain(false, {});
      return { kind: "delivered" };
    };
    world.script(websocketId, async (request) => {
      await world.send(websocketId, responseTo(request));
    });
    expect((await world.ask(machine)).kind).toBe("answered");
  });

  it("in doubt and then finds the socket gone is a lost connection, never 'nothing happened'", async () => {
    const { world, driver, machine } = await connected();
    world.sockets.failures.push(new DeliveryUncertain(true, {}));
    expect(await world.ask(machine)).toEqual({ kind: "connection_lost" });
    expect((await world.machineOf(driver)).connection).toBeNull();
  });

  it("for sure is thrown at once", async () => {
    const { world, machine } = await connected();
    world.sockets.failures.push(new DomainError("service_unavailable", "throttled"));
    await expect(world.ask(machine)).rejects.toMatchObject({ code: "service_unavailable" });
  });
});

describe("requests at the same time", () => {
  it("are each given their own answer, whatever the order of the answers", async () => {
    const { world, machine, websocketId } = await connected();
    const requests: RequestMessage[] = [];
    world.script(websocketId, async (request) => {
      requests.push(request);
      if (requests.length < 4) return;
      for (const one of requests.toReversed()) {
        await world.send(websocketId, responseTo(one, { body: base64(one.path) }));
      }
    });
    const paths = [1, 2, 3, 4].map((number) => `/computer/${number}`);
    const answers = await Promise.all(paths.map((path) => world.ask(machine, { path })));
    expect(answers.map((answer) => answer.kind === "answered" && text(answer.body))).toEqual(paths);
  });

  it("are four to a machine: what the driver says of a fifth, of a shutdown and of a repeat is the answer", async () => {
    const { world, machine, websocketId } = await connected();
    const requests: RequestMessage[] = [];
    const others: string[] = [];
    world.script(websocketId, async (request) => {
      requests.push(request);
      if (requests.length !== 4) return;
      world.script(websocketId, (other) => world.send(websocketId, responseTo(other)));
      others.push((await world.ask(machine)).kind);
      others.push((await world.ask(machine, { isUrgent: true })).kind);
      others.push((await world.ask(machine, { repeat: true })).kind);
      for (const one of requests) await world.send(websocketId, responseTo(one));
    });
    const four = await Promise.all(Array.from({ length: 4 }, () => world.ask(machine)));
    expect(others).toEqual(["answered", "answered", "answered"]);
    expect(four.every(({ kind }) => kind === "answered")).toBe(true);
    expect(await world.ask(machine)).toMatchObject({ kind: "answered" });
  });

  it("are over on record whatever becomes of them", async () => {
    const { world, machine, websocketId } = await connected();
    const row = { status: 404, body: base64("none") };
    for (let call = 0; call < 5; call++) {
      world.sockets.failures.push(new DomainError("service_unavailable", "throttled"));
      await expect(world.ask(machine)).rejects.toMatchObject({ code: "service_unavailable" });
      expect(await world.ask(machine, { timeoutMs: 100 })).toEqual({ kind: "timeout" });
    }
    world.script(websocketId, (request) => world.send(websocketId, responseTo(request, row)));
    expect(await world.ask(machine, { method: "POST", path: "/computer/x" })).toMatchObject({ status: 404 });
    const items = [...world.model.items.all()].map((item) => fromAttributes(item));
    const calls = items.filter((item) => item.kind === "call_slot");
    expect(calls).toHaveLength(11);
    expect(calls.every((call) => call.lease_until_ms === undefined)).toBe(true);
    expect(calls).toContainEqual(
      expect.objectContaining({
        principal: "the caller",
        method: "POST",
        path: "/computer/x",
        outcome: "404",
        bytes: 4,
      }),
    );
  });

  it.each([
    ["open", true],
    ["end", true],
    ["note", false],
    ["describe", false],
  ] as const)("are answered though their record's %s failed", async (name, largeResponse) => {
    const { world, machine, websocketId } = await connected();
    world.script(websocketId, (request) => inTwoParts(world, websocketId, request));
    const fails = () => Promise.reject(new Error("the table is away"));
    world.callRecords[name] = fails;
    expect(await world.ask(machine, { largeResponse })).toMatchObject({ kind: "answered" });
    expect(world.logger.lines.some(({ message }) => message.includes("record"))).toBe(true);
  });

  it.each(["take", "giveBack"] as const)("are answered though their slot's %s failed", async (name) => {
    const { world, machine, websocketId } = await connected();
    world.script(websocketId, (request) => {
      void world.clock.sleep(700).then(() => world.send(websocketId, responseTo(request)));
    });
    vi.spyOn(world.slots, name).mockRejectedValue(new Error("the table is away"));
    expect(await world.ask(machine)).toMatchObject({ kind: "answered" });
    expect(world.logger.lines.some(({ message }) => message.includes("not counted"))).toBe(true);
  });

  it("are on record once they last; before, only where their facts are too long to travel with them", async () => {
    const { world, machine, websocketId } = await connected();
    const delays = [400, 700, 0];
    world.script(websocketId, (request) => {
      expect(request.reply_to.length).toBeLessThanOrEqual(2_048);
      void world.clock.sleep(delays.shift() ?? 0).then(() => world.send(websocketId, responseTo(request)));
    });
    const open = vi.spyOn(world.callRecords, "open");
    const counts: number[] = [];
    for (const path of ["/short", "/lasting", `/${"x".repeat(900)}`]) {
      expect(await world.ask(machine, { path })).toMatchObject({ kind: "answered" });
      counts.push(open.mock.calls.length);
    }
    expect(counts).toEqual([0, 1, 2]);
    const records = [...world.model.items.all()]
      .map((item) => fromAttributes(item))
      .filter(({ kind }) => kind === "call_slot");
    expect(records.map(({ outcome, lease_until_ms: lease }) => [outcome, lease])).toEqual(
      records.map(() => ["200", undefined]),
    );
    expect(records).toHaveLength(3);
  });

  it("take a slot only if they last", async () => {
    const { world, machine, websocketId } = await connected();
    const places = () =>
      [...world.model.items.all()]
        .map((item) => fromAttributes(item))
        .filter(({ kind }) => kind === "call_place");
    const delays = [400, 700];
    world.script(websocketId, (request) => {
      void world.clock.sleep(delays.shift() ?? 0).then(() => world.send(websocketId, responseTo(request)));
    });
    await world.ask(machine);
    expect(places()).toEqual([]);
    await world.ask(machine);
    expect(places()).toHaveLength(1);
    expect(places()[0]).not.toHaveProperty("lease_until_ms");
  });

  it("wait for the slot of one that is over, whose caller has not seen it yet", async () => {
    const { world, machine, websocketId } = await connected();
    world.script(websocketId, (request) => {
      const answersAtMs = world.clock.now() + 4_000;
      const answer = async () => {
        while (world.clock.now() < answersAtMs) await setImmediate();
        await world.send(websocketId, responseTo(request));
      };
      void answer();
    });
    const take = vi.spyOn(world.slots, "take").mockResolvedValueOnce(undefined);
    const giveBack = vi.spyOn(world.slots, "giveBack");
    expect(await world.ask(machine)).toMatchObject({ kind: "answered" });
    expect([take.mock.calls.length, giveBack.mock.calls.length]).toEqual([2, 1]);
  });

  it("find an answer that a function of the release before put into the mailbox", async () => {
    const { world, machine, websocketId } = await connected();
    world.callRecords.arrive = async () => true;
    const body = base64("x".repeat(2_000));
    world.script(websocketId, (request) => world.send(websocketId, responseTo(request, { body })));
    const fromMs = world.clock.now();
    expect(await world.ask(machine)).toMatchObject({ kind: "answered", status: 200 });
    expect(world.clock.now() - fromMs).toBeLessThan(2_500);
  });

  it("without a slot are given up after a second in which the driver says nothing", async () => {
    const { world, driver, machine } = await connected();
    world.slots.take = async () => undefined;
    const fromMs = world.clock.now();
    expect(await world.ask(machine)).toEqual({ kind: "timeout" });
    expect(world.clock.now() - fromMs).toBeLessThan(1_750);
    expect((await world.machineOf(driver)).connection).not.toHaveProperty("unanswered");
  });

  it("are counted once they last, until they end", async () => {
    const { world, machine, websocketId } = await connected();
    const count = async () =>
      (await world.machines.findWithCalls(machine.organizationId, machine.id))?.callsUnderWay;
    const counts: unknown[] = [];
    const delays = [400, 700];
    world.script(websocketId, (request) => {
      const answersAtMs = world.clock.now() + (delays.shift() ?? 0);
      const answer = async () => {
        while (world.clock.now() < answersAtMs) await setImmediate();
        counts.push(await count());
        await world.send(websocketId, responseTo(request));
      };
      void answer();
    });
    for (let call = 0; call < 2; call++) {
      expect(await world.ask(machine)).toMatchObject({ kind: "answered" });
      counts.push(await count());
    }
    expect(counts).toEqual([0, 0, 1, 0]);
  });

  it("to fifty machines share one poller", async () => {
    const world = tunnelWorld();
    const key = await world.key();
    const drivers = await Promise.all(Array.from({ length: 50 }, () => world.driver({ key })));
    const read = vi.spyOn(world.callRecords, "read");
    const poll = vi.spyOn(world.mailboxes, "poll");
    for (const { websocketId } of drivers) {
      world.script(websocketId, (request) => {
        void world.clock
          .sleep(300)
          .then(() => world.send(websocketId, responseTo(request, { body: base64(websocketId) })));
      });
    }
    const answers = await Promise.all(
      drivers.map(async (driver) => await world.ask(await world.machineOf(driver))),
    );
    expect(answers.map((answer) => answer.kind === "answered" && text(answer.body))).toEqual(
      drivers.map((driver) => driver.websocketId),
    );
    expect(read.mock.calls.length).toBeLessThan(20);
    expect(poll).not.toHaveBeenCalled();
  });

  it("do not hold each other up: one that times out leaves the other its answer", async () => {
    const { world, key, machine } = await connected();
    const other = await world.driver({ key });
    world.script(other.websocketId, (request) => {
      void world.clock.sleep(3_000).then(() => world.send(other.websocketId, responseTo(request)));
    });
    const [mute, late] = await Promise.all([
      world.ask(machine, { timeoutMs: 1_200 }),
      world.ask(await world.machineOf(other)),
    ]);
    expect([mute.kind, late.kind]).toEqual(["timeout", "answered"]);
  });

  it("that come after all others were answered read a new mailbox", async () => {
    const { world, machine, websocketId } = await connected();
    const replies: string[] = [];
    world.script(websocketId, async (request) => {
      replies.push(request.reply_to.slice(0, 36));
      await world.send(websocketId, responseTo(request));
    });
    await world.ask(machine);
    await world.ask(machine);
    expect(new Set(replies).size).toBe(2);
  });
});

describe("a driver that leaves calls unanswered", () => {
  async function mute(calls = 2) {
    const all = await connected();
    const { world, driver, websocketId } = all;
    const requests: RequestMessage[] = [];
    world.script(websocketId, (request) => void requests.push(request));
    await Promise.all(Array.from({ length: calls }, () => world.ask(all.machine)));
    const call = async (fields: { readonly isUrgent?: boolean } = {}) => {
      const machine = await world.machineOf(driver);
      return await callDriver(world, { machine, method: "GET", path: "/computer/x", ...fields });
    };
    const answering = () =>
      world.script(websocketId, (request) => {
        requests.push(request);
        return world.send(websocketId, responseTo(request));
      });
    return { ...all, requests, call, answering };
  }

  it("twice in a row is asked nothing more: the call is 504 at once, and nothing was done", async () => {
    const { world, requests, call } = await mute();
    const started = world.clock.now();
    await expect(call()).rejects.toMatchObject({ code: "driver_timeout", nothingDone: true });
    expect([world.clock.now(), requests.length]).toEqual([started, 2]);
  });

  it("is asked once more after five minutes, and not again while it leaves that one unanswered too", async () => {
    const { world, requests, call } = await mute();
    world.clock.advance(5 * 60_000 - 1);
    await expect(call()).rejects.toMatchObject({ nothingDone: true });
    world.clock.advance(1);
    await expect(call()).rejects.toMatchObject({ code: "driver_timeout", nothingDone: false });
    await expect(call()).rejects.toMatchObject({ nothingDone: true });
    expect(requests).toHaveLength(3);
  });

  it("is still told to shut down", async () => {
    const { call, answering } = await mute();
    answering();
    expect(await call({ isUrgent: true })).toMatchObject({ kind: "answered" });
  });

  it.each([
    [
      "reads",
      (world: Awaited<ReturnType<typeof connected>>["world"]) => {
        const poll = world.mailboxes.poll.bind(world.mailboxes);
        let polls = 0;
        world.mailboxes.poll = async (...of) => {
          polls += 1;
          if (polls === 3) throw new DomainError("service_unavailable", "the table is away");
          return await poll(...of);
        };
      },
    ],
    [
      "posts",
      (world: Awaited<ReturnType<typeof connected>>["world"]) => {
        world.sockets.post = async () => {
          throw new DeliveryUncertain(false, {});
        };
      },
    ],
  ])("while the service's own %s failed is not mute", async (_, fail) => {
    const { world, driver, machine } = await connected();
    fail(world);
    expect(await world.ask(machine)).toEqual({ kind: "timeout" });
    expect((await world.machineOf(driver)).connection).not.toHaveProperty("unanswered");
  });

  it("once, or for a short time only, is asked again", async () => {
    const { world, machine, call, answering } = await mute(1);
    for (let probe = 0; probe < 3; probe++) await world.ask(machine, { timeoutMs: 8_000 });
    answering();
    expect(await call()).toMatchObject({ kind: "answered" });
  });

  it("and answers one in between is asked again", async () => {
    const { world, driver, websocketId, call, answering } = await mute(1);
    answering();
    await call();
    world.script(websocketId, () => {});
    await world.ask(await world.machineOf(driver));
    answering();
    expect(await call()).toMatchObject({ kind: "answered" });
  });

  it.each(["noted ping", "first ping to an instance", "hello", "late response", "new connection"])(
    "is asked again after its %s",
    async (frame) => {
      const { world, key, driver, websocketId, requests, call, answering } = await mute();
      answering();
      const [late] = requests;
      for (let at = 0; frame === "noted ping" && at < 2; at += 1) {
        await world.send(websocketId, { type: "ping", at });
      }
      if (frame === "first ping to an instance") await world.instance()(websocketId, { type: "ping", at: 1 });
      if (frame === "hello") await world.send(websocketId, hello());
      if (frame === "late response" && late) await world.send(websocketId, responseTo(late));
      if (frame === "new connection") {
        const newer = await world.driver({ key, fingerprint: driver.fingerprint });
        world.script(newer.websocketId, (request) => world.send(newer.websocketId, responseTo(request)));
      }
      expect(await call()).toMatchObject({ kind: "answered" });
    },
  );
});

describe("a request that waits", () => {
  const slotsOf = (world: Awaited<ReturnType<typeof connected>>["world"]) =>
    [...world.model.items.all()]
      .map((item) => fromAttributes(item))
      .filter(({ kind }) => kind === "call_slot");

  it("takes no slot, counts as no call, and leaves a line only if there was something to see", async () => {
    const { world, machine, websocketId } = await connected();
    const begin = vi.spyOn(world.callsUnderWay, "begin");
    const statuses = [304, 200];
    world.script(websocketId, async (request) => {
      world.clock.advance(9_000);
      await world.send(websocketId, responseTo(request, { status: statuses.shift() ?? 500 }));
    });
    expect(await world.ask(machine, { waitMs: 10_000 })).toMatchObject({ status: 304 });
    expect(slotsOf(world)).toEqual([]);
    expect(await world.ask(machine, { waitMs: 10_000 })).toMatchObject({ status: 200 });
    expect(slotsOf(world)).toMatchObject([{ outcome: "200" }]);
    expect(begin).not.toHaveBeenCalled();
  });

  it("is looked for all along in short pauses, and seldom once its time is over", async () => {
    const { world, machine } = await connected();
    const started = world.clock.now();
    const at: number[] = [];
    const poll = world.mailboxes.poll.bind(world.mailboxes);
    world.mailboxes.poll = async (mailbox, after) => {
      at.push(world.clock.now() - started);
      return await poll(mailbox, after);
    };
    await world.ask(machine, { waitMs: 10_000 });
    const pauses = at.map((ms, place) => [ms, ms - (at[place - 1] ?? 0)] as const);
    const between = (from: number, to: number) =>
      Math.max(...pauses.filter(([ms]) => ms > from && ms <= to).map(([, pause]) => pause));
    expect([between(0, 2_000), between(2_000, 10_500), between(12_000, 24_000)]).toEqual([50, 100, 1_000]);
    expect(at.length).toBeLessThan(200);
  });

  it("says nothing about a driver that leaves it unanswered", async () => {
    const { world, driver, machine } = await connected();
    for (let call = 0; call < 3; call += 1) {
      expect(await world.ask(machine, { waitMs: 1_000 })).toEqual({ kind: "timeout" });
    }
    expect((await world.machineOf(driver)).connection).not.toHaveProperty("unanswered");
  });

  it("teaches nothing about when the answers of other requests come", async () => {
    const { world, machine, websocketId } = await connected();
    world.script(websocketId, async (request) => {
      world.clock.advance(request.query === "" ? 5 : 5_000);
      await world.send(websocketId, responseTo(request));
    });
    for (let call = 0; call < 5; call += 1) await world.ask(machine, { waitMs: 10_000, query: "wait" });
    const started = world.clock.now();
    await world.ask(machine);
    expect(world.clock.now() - started).toBeLessThan(100);
  });
});

describe("the pauses between polls", () => {
  it("grow to 50 ms, to 250 ms after the first second, and to a second after five", async () => {
    const { world, machine } = await connected();
    const started = world.clock.now();
    const at: number[] = [];
    const read = world.callRecords.read.bind(world.callRecords);
    world.callRecords.read = async (calls) => {
      at.push(world.clock.now() - started);
      return await read(calls);
    };
    await world.ask(machine);
    expect(at.slice(0, 6)).toEqual([10, 25, 50, 90, 140, 190]);
    expect(at.filter((ms) => ms > 1_040).slice(0, 3)).toEqual([1_290, 1_540, 1_790]);
    expect(at.filter((ms) => ms > 5_000)).toEqual([
      ...Array.from({ length: 20 }, (_, second) => 5_040 + 1_000 * second),
      25_000,
    ]);
  });

  it("begin when an answer is likely, by what others took", async () => {
    const { world, key, machine, websocketId } = await connected();
    const other = await world.driver({ key });
    const delays = new Map([
      [websocketId, 400],
      [other.websocketId, 480],
    ]);
    for (const [socket, delayMs] of delays) {
      world.script(socket, (request) => {
        const answersAtMs = world.clock.now() + delayMs;
        const answer = async () => {
          while (world.clock.now() < answersAtMs) await setImmediate();
          await world.send(socket, responseTo(request));
        };
        void answer();
      });
    }
    for (let call = 0; call < 3; call += 1) await world.ask(machine);
    const at: number[] = [];
    const read = world.callRecords.read.bind(world.callRecords);
    world.callRecords.read = async (calls) => {
      at.push(world.clock.now());
      return await read(calls);
    };
    const started = world.clock.now();
    await world.ask(await world.machineOf(other));
    const [first = 0, second = 0] = at;
    expect(first - started).toBeGreaterThanOrEqual(360);
    expect(second - first).toBe(5);
  });

  it("begin sooner once two answers have come sooner, by what their records say", async () => {
    const { world, machine, websocketId } = await connected();
    let isSlow = true;
    world.script(websocketId, async (request) => {
      const answersAtMs = world.clock.now() + 400;
      const answer = async () => {
        while (isSlow && world.clock.now() < answersAtMs) await setImmediate();
        await world.send(websocketId, responseTo(request));
      };
      if (isSlow) return void answer();
      world.clock.advance(20);
      await answer();
    });
    const took: number[] = [];
    for (let call = 0; call < 6; call += 1) {
      isSlow = call < 3;
      const started = world.clock.now();
      await world.ask(machine);
      took.push(world.clock.now() - started);
    }
    expect(Math.min(...took.slice(0, 5))).toBeGreaterThan(300);
    expect(took[5]).toBeLessThan(50);
  });

  it("end with the deadline even when the store fails all along, and what failed is thrown", async () => {
    const { world, machine } = await connected();
    world.mailboxes.poll = async () => {
      throw new Error("the table is away");
    };
    await expect(world.ask(machine, { timeoutMs: 500 })).rejects.toThrow("the table is away");
  });

  it("go on after a poll that failed", async () => {
    const { world, machine, websocketId } = await connected();
    const poll = world.mailboxes.poll.bind(world.mailboxes);
    let failures = 2;
    world.mailboxes.poll = async (mailbox, after) => {
      if (failures-- > 0) throw new Error("throttled");
      return await poll(mailbox, after);
    };
    world.script(websocketId, async (request) => {
      await world.send(websocketId, responseTo(request));
    });
    expect((await world.ask(machine)).kind).toBe("answered");
  });
});

it("never mistakes another organization's object for an answer: keys are made from the request's own organization", async () => {
  const { world, machine, websocketId } = await connected();
  const urls: string[] = [];
  world.script(websocketId, async (request) => {
    urls.push(request.upload?.url ?? "");
    await world.send(websocketId, responseTo(request));
  });
  await world.ask(machine, { largeResponse: true, actionId: randomUUID() });
  expect(urls[0]).toContain(`/tunnel/${machine.organizationId}/`);
});
