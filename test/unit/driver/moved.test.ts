import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseDriverArguments, UsageError } from "../../../infra/driver/driver-arguments.ts";
import { MovedFile } from "../../../infra/driver/moved-file.ts";
import { SecretFiles } from "../../../infra/driver/secret-files.ts";
import { settle } from "../../support/fake-service/manual-timing.ts";
import { type DriverUnderTest, startDriver } from "../../support/fake-service/start-driver.ts";

const old = "wss://tunnel.invalid/stage";
const next = "wss://desktops.c8.invalid/live";
const allowedHosts = ["desktops.c8.invalid"];

function sayMoved({ service }: DriverUnderTest, address: string | undefined): void {
  service.latest.send({ type: "goodbye", code: "moved", retry_after_seconds: 0, address });
}

describe("a driver whose service has moved", () => {
  it("says that it follows only where its user allows a host, and with a key", async () => {
    const capabilities = async (options: Parameters<typeof startDriver>[0]) =>
      (await startDriver(options)).service.latest.of("hello")[0]?.capabilities;
    expect(await capabilities({})).not.toContain("moved");
    expect(await capabilities({ moves: { allowedHosts } })).toContain("moved");
    expect(await capabilities({ moves: { allowedHosts }, authorization: "Ticket t" })).not.toContain("moved");
  });

  it("goes to the new address, and keeps it once it was welcomed there", async () => {
    const kept: string[] = [];
    const keep = async (address: string) => void kept.push(address);
    const underTest = await startDriver({ moves: { allowedHosts, keep } });
    const { service, timing, driver } = underTest;
    service.welcomes = false;
    sayMoved(underTest, next);
    await timing.advance(1_300);
    expect(service.dialled).toEqual([old, next]);
    expect(kept).toEqual([]);
    service.latest.welcome();
    await settle();
    expect(kept).toEqual([next]);
    expect(driver.isConnected).toBe(true);
    service.latest.vanish();
    await timing.advance(1_300);
    expect(service.dialled.at(-1)).toBe(next);
  });

  it.each([
    ["refuses the key", { status: 401 }],
    ["is away", { status: 503 }],
  ])("goes back soon when the new address %s", async (_, refusal) => {
    const underTest = await startDriver({ moves: { allowedHosts } });
    underTest.service.refusals.push(refusal);
    sayMoved(underTest, next);
    await underTest.timing.advance(10_000);
    expect(underTest.service.dialled).toEqual([old, next, old]);
    expect(underTest.driver.isConnected).toBe(true);
  });

  it.each([
    ["of another host", "wss://elsewhere.invalid/live"],
    ["of another port", "wss://desktops.c8.invalid:8443/live"],
    ["without encryption", "ws://desktops.c8.invalid/live"],
    ["with a password", "wss://user:pass@desktops.c8.invalid/live"],
    ["that is missing", undefined],
  ])("stays where it is for an address %s, and says so", async (_, address) => {
    const underTest = await startDriver({ moves: { allowedHosts } });
    sayMoved(underTest, address);
    await underTest.timing.advance(2_000);
    expect(underTest.service.dialled).toEqual([old, old]);
    expect(underTest.driver.isConnected).toBe(true);
    expect(underTest.logged.filter(({ level }) => level === "error")).toHaveLength(1);
  });
});

it("goes over after the connection that was being opened when the service said so", async () => {
  const underTest = await startDriver({ random: () => 0, moves: { allowedHosts } });
  const { service, timing } = underTest;
  service.holdsHandshakes = true;
  await timing.advance(90 * 60_000);
  sayMoved(underTest, next);
  await settle();
  service.holdsHandshakes = false;
  service.letIn();
  await timing.advance(5_000);
  expect(service.dialled).toEqual([old, old, next]);
});

describe("the file of a move", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "moved-"));
  });
  afterEach(async () => await rm(folder, { recursive: true }));

  it("leads from the address that was given to the new one, while its host is allowed", async () => {
    const file = new MovedFile(join(folder, "fingerprint"));
    expect(await file.read(old, allowedHosts)).toBe(old);
    await file.write(old, next);
    expect(await file.read(old, allowedHosts)).toBe(next);
    expect(await file.read(old, [])).toBe(old);
    expect(await file.read("wss://other.invalid/live", allowedHosts)).toBe("wss://other.invalid/live");
  });

  it.each(["", "{", '{"from":1}', `{"from":"${old}","to":"no address"}`])(
    "with %j counts as none",
    async (text) => {
      const file = new MovedFile(join(folder, "fingerprint"));
      await writeFile(file.path, text);
      expect(await file.read(old, allowedHosts)).toBe(old);
    },
  );
});

describe("the files of a machine's secrets", () => {
  it("are one for the address that was given, and one for each host that the service has moved to", async () => {
    const folder = await mkdtemp(join(tmpdir(), "secrets-"));
    const secrets = new SecretFiles({ fingerprintFile: join(folder, "fingerprint"), url: old, allowedHosts });
    const [ofOld, ofNext] = ["A".repeat(43), "B".repeat(43)];
    await secrets.write(ofOld, `${old}/`);
    expect(await secrets.read(next)).toBeUndefined();
    await secrets.write(ofNext, next);
    expect([await secrets.read(old), await secrets.read(next)]).toEqual([ofOld, ofNext]);
    for (const file of await readdir(folder)) expect(secrets.paths).toContain(join(folder, file));
    await rm(folder, { recursive: true });
  });
});

describe("--allow-host", () => {
  const parse = (...args: readonly string[]) => {
    const parsed = parseDriverArguments(["--url", old, "--display", ":1", ...args], { DRIVER_KEY: "k" });
    return parsed === undefined ? undefined : parsed.allowedHosts;
  };

  it("may be given several times", () => {
    expect(parse()).toEqual([]);
    expect(parse("--allow-host", "A.invalid", "--allow-host", "b.invalid:8443")).toEqual([
      "a.invalid",
      "b.invalid:8443",
    ]);
  });

  it.each(["", "wss://a.invalid", "a.invalid/live", "user@a.invalid", "*.invalid/x"])(
    "refuses %j",
    (host) => {
      expect(() => parse("--allow-host", host)).toThrow(UsageError);
    },
  );
});
