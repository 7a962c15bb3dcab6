import { describe, expect, it } from "vitest";
import { TransferFailed, TransferRules } from "../../../infra/driver/tunnel/transfer-rules.ts";

function rules(serviceAddress: string | undefined, hosts: readonly string[]): TransferRules {
  const made = new TransferRules(serviceAddress);
  made.pin(hosts);
  return made;
}

const publicService = "203.0.113.9";

async function localhostBy(made: TransferRules, scheme: string, all: boolean): Promise<unknown> {
  const { lookup } = made.admit(`${scheme}://localhost/object`);
  return await new Promise((resolve) => {
    lookup("localhost", { all }, (error, found) => resolve(error ?? found));
  });
}

describe("where a transfer may go", () => {
  it.each([
    "127.0.0.1",
    "127.1",
    "0.0.0.0",
    "10.1.2.3",
    "172.31.255.1",
    "192.168.0.1",
    "100.64.0.1",
    "169.254.169.254",
    "2852039166",
    "224.0.0.1",
    "255.255.255.255",
    "[::1]",
    "[::]",
    "[fe80::1]",
    "[fd00:ec2::254]",
    "[::ffff:169.254.169.254]",
    "[64:ff9b::10.0.0.1]",
  ])("is not %s, though the welcome names it, when the service is elsewhere", (host) => {
    const url = `https://${host}/latest/meta-data`;
    expect(() => rules(publicService, [new URL(url).host]).admit(url)).toThrow(TransferFailed);
    expect(() => rules(undefined, [new URL(url).host]).admit(url)).toThrow(TransferFailed);
  });

  it.each([
    ["127.0.0.1", "http://127.0.0.1:9000/o", true],
    ["::1", "http://127.0.0.1:9000/o", true],
    ["::ffff:127.0.0.1", "https://127.0.0.1/o", true],
    ["127.0.0.1", "https://169.254.169.254/o", false],
    ["127.0.0.1", "https://10.0.0.1/o", false],
    ["127.0.0.1", "http://198.51.100.1/o", false],
    ["10.0.0.2", "https://10.9.9.9/o", true],
    ["10.0.0.2", "http://10.9.9.9/o", false],
    ["10.0.0.2", "https://127.0.0.1/o", false],
    ["10.0.0.2", "https://169.254.169.254/o", false],
    ["224.0.0.1", "https://224.0.0.1/o", false],
    [publicService, "https://198.51.100.1/o", true],
    [publicService, "http://198.51.100.1/o", false],
    [publicService, "file:///etc/passwd", false],
  ])("with the service at %s, to %s: %j", (serviceAddress, url, isOpen) => {
    const admit = () => rules(serviceAddress, [new URL(url).host]).admit(url).url.href;
    if (isOpen) expect(admit()).toBe(url);
    else expect(admit).toThrow(TransferFailed);
  });

  it("is one of the welcome's hosts, its port too", () => {
    const made = rules(publicService, ["Files.example", "other.example:8443"]);
    expect(made.admit("https://files.example/o?s=1").url.host).toBe("files.example");
    expect(made.admit("https://files.example:443/o").url.host).toBe("files.example");
    expect(made.admit("https://other.example:8443/o").url.host).toBe("other.example:8443");
    for (const host of ["evil.example", "files.example:8443", "other.example", "a.files.example"]) {
      expect(() => made.admit(`https://${host}/o`)).toThrow("none of those in the welcome");
    }
    expect(() => made.admit("https://files.example@evil.example/o")).toThrow("none of those in the welcome");
  });

  it("is nowhere before the welcome, and a second welcome opens nothing", () => {
    const made = new TransferRules(publicService);
    expect(() => made.admit("https://files.example/o")).toThrow(TransferFailed);
    made.pin(["files.example"]);
    made.pin(["evil.example"]);
    expect(() => made.admit("https://evil.example/o")).toThrow(TransferFailed);
    expect(made.admit("https://files.example/o").url.host).toBe("files.example");
  });

  it.each([true, false])("depends on what the name means when it is connected to (all: %j)", async (all) => {
    expect(await localhostBy(rules(publicService, ["localhost"]), "https", all)).toBeInstanceOf(
      TransferFailed,
    );
    expect(await localhostBy(rules("10.0.0.2", ["localhost"]), "https", all)).toBeInstanceOf(TransferFailed);
    const found = await localhostBy(rules("127.0.0.1", ["localhost"]), "http", all);
    expect(JSON.stringify(found)).toMatch(/127\.0\.0\.1|::1/);
  });
});
