import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeBucket } from "../../support/fake-service/fake-bucket.ts";
import type { FakeService } from "../../support/fake-service/fake-service.ts";
import { startDriver } from "../../support/fake-service/start-driver.ts";

const path = "/computer/held";
const large = new Uint8Array(100_000);

describe("a transfer to where the driver must not go", () => {
  let bucket: FakeBucket;

  async function transfersOf(prepare: (service: FakeService) => void, place: ReturnType<FakeBucket["at"]>) {
    const { service, desktop } = await startDriver({}, prepare);
    desktop.reply = async ({ body, method }) => {
      if (method === "POST") await body.bytes(1_000_000);
      return { status: 200, headers: {}, body: method === "GET" ? large : new Uint8Array() };
    };
    const answers = [
      await service.latest.ask({ method: "GET", path, upload: place }),
      await service.latest.ask({ path, download: place }),
    ];
    return answers.map(({ status, body }) => (status === 200 ? 200 : JSON.parse(body.toString())));
  }

  const refused = (error: string) => [
    { code: "upload_failed", error: expect.stringContaining(error) },
    { code: "download_failed", error: expect.stringContaining(error) },
  ];

  beforeEach(async () => {
    bucket = await FakeBucket.open();
  });
  afterEach(async () => await bucket.close());

  it.each(["127.0.0.1", "localhost"])("connects to nobody: %s, the service being elsewhere", async (host) => {
    const place = bucket.at("o");
    const url = place.url.replace("127.0.0.1", host);
    const atOf = { ...place, url };
    const prepare = (service: FakeService) => {
      service.address = "203.0.113.9";
      service.transferHosts = [new URL(url).host];
    };
    expect(await transfersOf(prepare, atOf)).toEqual(refused("not over https"));
    const secured = { ...place, url: url.replace("http:", "https:") };
    expect(await transfersOf(prepare, secured)).toEqual(refused("none that this driver may open"));
    expect(bucket.calls).toBe(0);
  });

  it("connects to no host that the welcome does not name", async () => {
    const prepare = (service: FakeService) => {
      service.transferHosts = ["files.example"];
    };
    expect(await transfersOf(prepare, bucket.at("o"))).toEqual(refused("none of those in the welcome"));
    expect(bucket.calls).toBe(0);
  });

  it("sends none of the headers that could make another request of it", async () => {
    bucket.put("o", large);
    const given = {
      Host: "elsewhere.example",
      Authorization: "Bearer x",
      "Transfer-Encoding": "chunked",
      "X-Amz-Copy-Source": "/other/object",
      "X-Forwarded-For": "10.0.0.1",
      "If-None-Match": "*",
      "x-amz-checksum-crc32": "AAAA",
    };
    expect(await transfersOf(() => {}, bucket.at("o", given))).toEqual([200, 200]);
    const headers = bucket.putHeaders;
    expect(headers).toMatchObject({ "if-none-match": "*", "x-amz-checksum-crc32": "AAAA" });
    expect(headers.host).toMatch(/^127\.0\.0\.1:/);
    for (const name of ["authorization", "transfer-encoding", "x-amz-copy-source", "x-forwarded-for"]) {
      expect(headers).not.toHaveProperty(name);
    }
  });

  it("follows no redirect", async () => {
    bucket.failures.push(307, 307);
    expect(await transfersOf(() => {}, bucket.at("o"))).toEqual(refused("was answered 307"));
    expect(bucket.calls).toBe(2);
  });
});
