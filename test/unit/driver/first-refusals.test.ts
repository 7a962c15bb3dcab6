import { describe, expect, it } from "vitest";
import type { MachineSecretStore } from "../../../infra/driver/secret-files.ts";
import { settle } from "../../support/fake-service/manual-timing.ts";
import { startDriver } from "../../support/fake-service/start-driver.ts";

const minuteMs = 60_000;

const times = (count: number, status: number) => Array.from({ length: count }, () => ({ status }));

const knownMachine: MachineSecretStore = { read: async () => "A".repeat(43), write: async () => {} };

describe("a driver whose fingerprint never got a welcome", () => {
  it.each([
    [401, "unauthorized"],
    [403, "forbidden"],
  ] as const)("ends when it is refused with %i three times in 30 s", async (status, end) => {
    const underTest = await startDriver({ random: () => 1 }, (fake) => {
      fake.refusals.push(...times(9, status));
    });
    expect(underTest.end).toBeUndefined();
    await underTest.timing.advance(20_000);
    expect(underTest.end).toBe(end);
    await underTest.timing.advance(120 * minuteMs);
    expect(underTest.service.handshakes).toBe(3);
  });

  it("connects when the gateway's own refusals are over by the third attempt", async () => {
    const underTest = await startDriver({}, (fake) => fake.refusals.push(...times(2, 403)));
    await underTest.timing.advance(20_000);
    expect(underTest.driver.isConnected).toBe(true);
    expect(underTest.end).toBeUndefined();
  });

  it("counts no refusal that is older than 30 s", async () => {
    const underTest = await startDriver({ random: () => 0.5 }, (fake) => {
      fake.refusals.push({ status: 401 }, { status: 429, retryAfterSeconds: 40 }, ...times(2, 401));
    });
    await underTest.timing.advance(80_000);
    expect(underTest.service.handshakes).toBe(5);
    expect(underTest.driver.isConnected).toBe(true);
  });
});

describe("a driver that was welcomed once", () => {
  it.each([401, 403])("is patient with %i, and logs until when", async (status) => {
    const { service, timing, logged, ...underTest } = await startDriver({ random: () => 0 });
    service.refusals.push(...times(3, status));
    service.latest.vanish();
    await settle();
    await timing.advance(700);
    const refused = logged.find(({ message }) => message === "connection refused");
    expect(refused?.fields).toMatchObject({
      status,
      meaning: expect.any(String),
      retry_at: new Date(timing.now() + 15 * minuteMs).toISOString(),
    });
    await timing.advance(46 * minuteMs);
    expect(underTest.end).toBeUndefined();
    expect(underTest.driver.isConnected).toBe(true);
  });

  it("is patient, too, when that was before its start: it has its machine's secret", async () => {
    const underTest = await startDriver({ random: () => 0, secrets: knownMachine }, (fake) => {
      fake.refusals.push(...times(3, 401));
    });
    expect(underTest.timing.nextDelayMs).toBe(15 * minuteMs);
    await underTest.timing.advance(46 * minuteMs);
    expect(underTest.end).toBeUndefined();
    expect(underTest.driver.isConnected).toBe(true);
  });
});
