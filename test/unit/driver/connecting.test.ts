import { describe, expect, it } from "vitest";
import { ifNoneMatch, screenshotPath } from "../../../shared/vocabulary/drivers.ts";
import { HeldDesktop } from "../../support/fake-service/held-desktop.ts";
import { settle } from "../../support/fake-service/manual-timing.ts";
import { startDriver } from "../../support/fake-service/start-driver.ts";

const minuteMs = 60_000;

describe("a driver that connects", () => {
  it("sends its credential and fingerprint with the handshake, and what a header cannot carry as ?", async () => {
    const { service } = await startDriver({ name: "büro", remotePeerId: "peer-7" });
    expect(service.latest.headers).toMatchObject({
      authorization: "Bearer key-under-test",
      "x-machine-fingerprint": "3f0d7c60-5f0e-4c12-9d6c-0a4f3f1b8f11",
      "x-machine-hostname": "desk-1",
      "x-machine-name": "b?ro",
      "x-remote-peer-id": "peer-7",
      "x-driver-version": "1.0.0",
    });
    expect(service.latest.headers).not.toHaveProperty("x-keepalive-for");
  });

  it("speaks first, and tells its capabilities", async () => {
    const { service, driver } = await startDriver();
    expect(service.latest.messages[0]).toEqual({
      type: "hello",
      protocol: 1,
      hostname: "desk-1",
      os_info: "held desktop",
      version: "1.0.0",
      capabilities: ["/computer/held", "/internal/shutdown"],
    });
    expect(await driver.connected()).toEqual({
      machineId: "0198c1de-0000-7000-8000-00000000000a",
      organizationId: "org-1",
    });
    expect(driver.isConnected).toBe(true);
  });

  it("tells the names of its desktop's programs", async () => {
    const { service } = await startDriver({
      desktop: Object.assign(new HeldDesktop(), { programs: ["Orders"] }),
    });
    expect(service.latest.of("hello")[0]?.programs).toEqual(["Orders"]);
  });

  it("says hello three times more, every 5 s, and then dials anew", async () => {
    const { service, timing, driver } = await startDriver({}, (fake) => {
      fake.welcomes = false;
    });
    await timing.advance(4_999);
    expect(service.latest.of("hello")).toHaveLength(1);
    await timing.advance(10_001);
    expect(service.latest.of("hello")).toHaveLength(4);
    expect(service.connections).toHaveLength(1);
    await timing.advance(5_000);
    expect(service.latest.closedWith).toBe(1006);
    expect(driver.isConnected).toBe(false);
    service.welcomes = true;
    await timing.advance(7_500);
    expect(service.connections).toHaveLength(2);
    expect(driver.isConnected).toBe(true);
  });

  it.each([60, 300, 330])("pings in the interval of the welcome, of %i s", async (pingSeconds) => {
    const { service, timing } = await startDriver({}, (fake) => {
      fake.pingSeconds = pingSeconds;
    });
    expect(service.latest.of("ping")).toHaveLength(1);
    await timing.advance(pingSeconds * 1_000 - 1);
    expect(service.latest.of("ping")).toHaveLength(1);
    await timing.advance(pingSeconds * 1_000 + 1);
    expect(service.latest.of("ping")).toHaveLength(3);
  });

  it("pings in the interval of its newest connection's welcome, after the setting changed", async () => {
    const { service, timing } = await startDriver();
    service.pingSeconds = 60;
    service.latest.vanish();
    await timing.advance(2_000);
    expect(service.connections).toHaveLength(2);
    await timing.advance(60_000);
    expect(service.latest.of("ping")).toHaveLength(2);
  });

  it("gives a connection up that gives no sign of life to three pings", async () => {
    const { service, timing } = await startDriver();
    service.pongs = false;
    await timing.advance(300_000 + 59_999);
    expect(service.connections).toHaveLength(1);
    expect(service.latest.closedWith).toBeUndefined();
    await timing.advance(1 + 7_500);
    expect(service.connections).toHaveLength(2);
  });
});

describe("a driver that lost its connection", () => {
  it("tries again after 1, 2, 4, 8, 16 and 16 s", async () => {
    const { service, timing } = await startDriver({}, (fake) => {
      fake.refusals.push(...Array.from({ length: 7 }, () => ({ status: 500 })));
    });
    const delays: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      delays.push(timing.nextDelayMs ?? 0);
      await timing.advance(timing.nextDelayMs ?? 0);
    }
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 16_000]);
    expect(service.handshakes).toBe(7);
  });

  it("spreads its attempts by 30 % to either side", async () => {
    const early = await startDriver({ random: () => 0 }, (fake) => fake.refusals.push({ status: 500 }));
    const late = await startDriver({ random: () => 1 }, (fake) => fake.refusals.push({ status: 500 }));
    expect(early.timing.nextDelayMs).toBe(700);
    expect(late.timing.nextDelayMs).toBe(1_300);
  });

  it("begins at 1 s again only after a connection of 10 s", async () => {
    const { service, timing } = await startDriver({}, (fake) => {
      fake.refusals.push({ status: 500 }, { status: 500 });
    });
    await timing.advance(3_000);
    await timing.advance(9_000);
    service.latest.vanish();
    await settle();
    await timing.advance(3_999);
    expect(service.connections).toHaveLength(1);
    await timing.advance(1);
    expect(service.connections).toHaveLength(2);
    await timing.advance(10_000);
    service.latest.vanish();
    await settle();
    await timing.advance(1_000);
    expect(service.connections).toHaveLength(3);
  });

  it.each([400, 409])("waits 15 to 60 minutes after %i, and never ends for it", async (status) => {
    const soon = await startDriver({ random: () => 0 }, (fake) => fake.refusals.push({ status }));
    const late = await startDriver({ random: () => 1 }, (fake) => fake.refusals.push({ status }));
    expect(soon.timing.nextDelayMs).toBe(15 * minuteMs);
    expect(late.timing.nextDelayMs).toBe(60 * minuteMs);
    await soon.timing.advance(15 * minuteMs);
    expect(soon.driver.isConnected).toBe(true);
    const refused = soon.logged.find(({ message }) => message === "connection refused");
    expect(refused?.fields).toMatchObject({ status, meaning: expect.any(String) });
  });

  it("waits as long as Retry-After says after 429", async () => {
    const { service, timing } = await startDriver({ random: () => 0 }, (fake) => {
      fake.refusals.push({ status: 429, retryAfterSeconds: 40 });
    });
    await timing.advance(39_999);
    expect(service.handshakes).toBe(1);
    await timing.advance(1);
    expect(service.handshakes).toBe(2);
  });

  it.each([429, "silence"])(
    "waits up to 15 s, twice as long each time, up to 5 minutes after %s",
    async (why) => {
      const { service, timing } = await startDriver({ random: () => 1 }, (fake) => {
        if (why === 429) fake.refusals.push(...Array.from({ length: 8 }, () => ({ status: 429 })));
        else fake.isSilent = true;
      });
      const delays: number[] = [];
      for (let attempt = 0; attempt < 7; attempt += 1) {
        delays.push(timing.nextDelayMs ?? 0);
        await timing.advance(timing.nextDelayMs ?? 0);
      }
      expect(delays.map((delay) => delay / 1_000)).toEqual([15, 30, 60, 120, 240, 300, 300]);
      expect(service.handshakes).toBe(8);
    },
  );

  it("may come back at once after 429, as any of a fleet may", async () => {
    const { timing } = await startDriver({ random: () => 0 }, (fake) => fake.refusals.push({ status: 429 }));
    expect(timing.nextDelayMs).toBe(0);
  });

  it("asks for its credential before each attempt, and tries again when there is none", async () => {
    let asked = 0;
    const { service, timing } = await startDriver({
      authorization: async () => {
        asked += 1;
        if (asked === 1) throw new Error("the vault is closed");
        return `Bearer key-${asked}`;
      },
    });
    expect(service.handshakes).toBe(0);
    await timing.advance(1_000);
    expect(service.latest.headers.authorization).toBe("Bearer key-2");
  });

  it("ends after its one connection when it came with a ticket", async () => {
    const underTest = await startDriver({ authorization: "Ticket abc" });
    expect(underTest.driver.isConnected).toBe(true);
    await underTest.timing.advance(118 * minuteMs);
    expect(underTest.service.handshakes).toBe(1);
    underTest.service.latest.vanish();
    await settle();
    expect(underTest.end).toBe("ticket_used");
  });

  it("keeps trying with a ticket as long as nobody has taken it", async () => {
    const underTest = await startDriver({ authorization: "Ticket abc" }, (fake) =>
      fake.refusals.push({ status: 503 }),
    );
    expect(underTest.end).toBeUndefined();
    await underTest.timing.advance(1_000);
    expect(underTest.driver.isConnected).toBe(true);
  });
});

describe("a driver that replaces its connection", () => {
  it("opens the new one first, between 90 and 115 minutes", async () => {
    const early = await startDriver({ random: () => 0 });
    await early.timing.advance(90 * minuteMs - 1);
    expect(early.service.connections).toHaveLength(1);
    await early.timing.advance(1);
    expect(early.service.connections).toHaveLength(2);
    expect(early.service.connections[0]?.closedWith).toBeUndefined();

    const late = await startDriver({ random: () => 1 });
    await late.timing.advance(115 * minuteMs - 1);
    expect(late.service.connections).toHaveLength(1);
    await late.timing.advance(1);
    expect(late.service.connections).toHaveLength(2);
  });

  it("waits for a call in flight", async () => {
    const { service, timing, desktop } = await startDriver({ random: () => 0 });
    await timing.advance(90 * minuteMs - 10_000);
    const asked = service.latest.ask({ path: "/computer/held" });
    await timing.advance(20_000);
    expect(desktop.requests).toHaveLength(1);
    expect(service.connections).toHaveLength(1);
    desktop.release();
    expect((await asked).status).toBe(200);
    await timing.advance(1_000);
    expect(service.connections).toHaveLength(2);
  });

  it("does not wait for viewers, and answers them over the old one", async () => {
    const { service, timing, desktop } = await startDriver({ random: () => 0 });
    await timing.advance(90 * minuteMs - 5_000);
    const looked = service.latest.ask({
      method: "GET",
      path: screenshotPath,
      query: "wait_ms=10000",
      headers: { [ifNoneMatch]: '"a."' },
    });
    await timing.advance(5_000);
    expect(service.connections).toHaveLength(2);
    desktop.release();
    expect((await looked).status).toBe(200);
  });

  it("answers what still comes over the old one, and closes it after 30 s", async () => {
    const { service, timing, desktop } = await startDriver({ random: () => 0 });
    await timing.advance(90 * minuteMs);
    const [old] = service.connections;
    const asked = old?.ask({ path: "/computer/held" });
    await settle();
    desktop.release();
    expect((await asked)?.status).toBe(200);
    await timing.advance(30_000);
    expect(old?.closedWith).toBe(1000);
    expect(service.latest.closedWith).toBeUndefined();
  });

  it("ignores the goodbye on the old one", async () => {
    const underTest = await startDriver({ random: () => 0 });
    await underTest.timing.advance(90 * minuteMs);
    underTest.service.connections[0]?.goodbye("superseded");
    await settle();
    underTest.service.connections[0]?.vanish();
    await underTest.timing.advance(60_000);
    expect(underTest.end).toBeUndefined();
    expect(underTest.driver.isConnected).toBe(true);
    expect(underTest.service.connections).toHaveLength(2);
  });

  it("keeps the old one when the new one fails, and tries again", async () => {
    const { service, timing, driver } = await startDriver({ random: () => 0 });
    service.refusals.push({ status: 500 });
    await timing.advance(90 * minuteMs);
    expect(driver.isConnected).toBe(true);
    expect(service.handshakes).toBe(2);
    await timing.advance(700);
    expect(service.connections).toHaveLength(2);
  });
});

describe("a driver whose replacement failed", () => {
  it("tries again only when no call is in flight", async () => {
    const { service, timing, desktop } = await startDriver({ random: () => 0 });
    service.refusals.push({ status: 500 });
    await timing.advance(90 * minuteMs);
    const asked = service.latest.ask({ path: "/computer/held" });
    await timing.advance(10_000);
    expect(service.handshakes).toBe(2);
    desktop.release();
    await asked;
    await timing.advance(1_000);
    expect(service.handshakes).toBe(3);
  });
});

describe("a goodbye", () => {
  it.each(["revoked", "deleted", "rate_limited"] as const)(
    "%s without a retry ends the driver",
    async (code) => {
      const underTest = await startDriver();
      underTest.service.latest.goodbye(code);
      await underTest.timing.advance(0);
      await settle();
      expect(underTest.end).toBe(code);
      await underTest.timing.advance(120 * minuteMs);
      expect(underTest.service.handshakes).toBe(1);
    },
  );

  it("superseded ends a driver whose only connection it was: somebody else has the machine now", async () => {
    const underTest = await startDriver();
    underTest.service.latest.goodbye("superseded");
    await underTest.timing.advance(0);
    await settle();
    expect(underTest.end).toBe("superseded");
  });

  it("superseded by its own next connection does not end the driver, even if that one fails", async () => {
    const underTest = await startDriver({ random: () => 0 });
    underTest.service.welcomes = false;
    await underTest.timing.advance(90 * minuteMs);
    const [old, next] = underTest.service.connections;
    old?.goodbye("superseded");
    await settle();
    old?.vanish();
    next?.vanish();
    await settle();
    expect(underTest.end).toBeUndefined();
    underTest.service.welcomes = true;
    await underTest.timing.advance(700);
    expect(underTest.driver.isConnected).toBe(true);
  });

  it("superseded that comes before the handshake of its own next connection ends does not end the driver", async () => {
    const underTest = await startDriver({ random: () => 0 });
    underTest.service.holdsHandshakes = true;
    await underTest.timing.advance(90 * minuteMs);
    underTest.service.latest.goodbye("superseded");
    await settle();
    expect(underTest.end).toBeUndefined();
    expect(underTest.driver.isConnected).toBe(false);
    underTest.service.letIn();
    await settle();
    expect(underTest.driver.isConnected).toBe(true);
    expect(underTest.service.handshakes).toBe(2);
  });

  it("superseded by an attempt of its own that seemed to fail brings the driver back", async () => {
    const underTest = await startDriver({ random: () => 0 });
    underTest.service.refusals.push({ status: 504 });
    await underTest.timing.advance(90 * minuteMs);
    underTest.service.latest.goodbye("superseded");
    await settle();
    expect(underTest.end).toBeUndefined();
    await underTest.timing.advance(1_400);
    expect(underTest.driver.isConnected).toBe(true);
    expect(underTest.service.connections).toHaveLength(2);
    underTest.service.latest.goodbye("superseded");
    await settle();
    expect(underTest.end).toBe("superseded");
  });

  it("with a time brings the driver back after it", async () => {
    const underTest = await startDriver({ random: () => 0 });
    underTest.service.latest.goodbye("rate_limited", 90);
    await settle();
    expect(underTest.driver.isConnected).toBe(false);
    await underTest.timing.advance(89_999);
    expect(underTest.service.handshakes).toBe(1);
    await underTest.timing.advance(1);
    expect(underTest.driver.isConnected).toBe(true);
    expect(underTest.end).toBeUndefined();
  });
});

describe("a driver that is stopped", () => {
  it("closes with 1000 and dials no more", async () => {
    const underTest = await startDriver();
    await underTest.driver.stop();
    await settle();
    expect(underTest.service.latest.closedWith).toBe(1000);
    expect(underTest.end).toBe("stopped");
    await underTest.timing.advance(120 * minuteMs);
    expect(underTest.service.handshakes).toBe(1);
  });

  it("lets what it works on end, takes nothing new, and waits 2 s at most", async () => {
    const { service, timing, desktop, driver } = await startDriver();
    const first = service.latest.ask({ path: "/computer/held" });
    void service.latest.ask({ path: "/computer/held" }).catch(() => undefined);
    await settle();
    const stopped = driver.stop();
    void service.latest.ask({ path: "/computer/held" }).catch(() => undefined);
    await settle();
    expect(desktop.requests).toHaveLength(2);
    desktop.release();
    expect((await first).status).toBe(200);
    expect(service.latest.closedWith).toBeUndefined();
    await timing.advance(2_100);
    await stopped;
    await settle();
    expect(service.latest.closedWith).toBe(1000);
    expect(desktop.requests[1]?.signal.aborted).toBe(true);
  });
});

describe("a driver's secret of its machine's own", () => {
  const secret = "A".repeat(43);
  const proof = "gEpqO1PiRAxjAtHgghhLyZrFl3lC_FIHfh3orpzGeRc";

  function heldStore() {
    const store = {
      kept: undefined as string | undefined,
      writes: [] as { secret: string; finish: () => void; fail: (error: Error) => void }[],
      read: async () => store.kept,
      write: (given: string) =>
        new Promise<void>((resolve, reject) => {
          const finish = () => {
            store.kept = given;
            resolve();
          };
          store.writes.push({ secret: given, finish, fail: reject });
        }),
    };
    return store;
  }

  it("is asked for only by who keeps it", async () => {
    const without = await startDriver();
    expect(without.service.latest.of("hello")[0]?.capabilities).not.toContain("machine_secret");
    const { service } = await startDriver({ secrets: heldStore() });
    expect(service.latest.of("hello")[0]?.capabilities).toContain("machine_secret");
  });

  it("is proved in each ping once it is kept, not before, and shown at the next handshake", async () => {
    const secrets = heldStore();
    const { service, timing } = await startDriver({ secrets }, (fake) => {
      fake.machineSecret = secret;
    });
    expect(service.latest.of("ping")).toEqual([]);
    secrets.writes[0]?.finish();
    await settle();
    await timing.advance(300_000);
    expect(service.latest.of("ping").map((ping) => ping.secret_proof)).toEqual([proof, proof]);
    service.latest.vanish();
    await timing.advance(2_000);
    expect(service.latest.headers["x-machine-secret"]).toBe(secret);
    expect(service.latest.of("ping").map((ping) => ping.secret_proof)).toEqual([undefined]);
  });

  it("is proved by nobody who could not keep it, and the connection goes on", async () => {
    const secrets = heldStore();
    const { service, logged } = await startDriver({ secrets }, (fake) => {
      fake.machineSecret = secret;
    });
    secrets.writes[0]?.fail(Object.assign(new Error("no room"), { code: "ENOSPC" }));
    await settle();
    expect(service.latest.of("ping").map((ping) => ping.secret_proof)).toEqual([undefined]);
    expect(logged.find(({ level }) => level === "error")?.fields).toEqual({ reason: "ENOSPC" });
    expect(JSON.stringify(logged)).not.toContain(secret);
  });

  it("is the last one of several welcomes, kept in their order", async () => {
    const secrets = heldStore();
    const { service } = await startDriver({ secrets }, (fake) => {
      fake.machineSecret = "B".repeat(43);
    });
    service.machineSecret = secret;
    service.latest.welcome();
    await settle();
    expect(secrets.writes).toHaveLength(1);
    secrets.writes[0]?.finish();
    await settle();
    secrets.writes[1]?.finish();
    await settle();
    expect(secrets.kept).toBe(secret);
    expect(service.latest.of("ping").at(-1)?.secret_proof).toBe(proof);
  });

  it("that is refused with 428 is tried again after 15 to 60 min", async () => {
    const { service, timing, logged } = await startDriver({ secrets: heldStore() }, (fake) => {
      fake.refusals.push({ status: 428 });
    });
    expect(logged.at(-1)?.fields.meaning).toContain("an operator resets it");
    await timing.advance(15 * minuteMs - 1);
    expect(service.handshakes).toBe(1);
    await timing.advance(45 * minuteMs + 1);
    expect(service.handshakes).toBe(2);
  });
});
