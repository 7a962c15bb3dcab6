import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDocsApp } from "../../../functions/docs/app.ts";
import { writeDocsFiles } from "../../../infra/bundle/docs-files.ts";
import { shippedFolder } from "../../../infra/bundle/shipped-files.ts";
import { ErrorBody } from "../../../shared/contract/errors.ts";
import { CallMeter } from "../../../shared/domain/call-meter.ts";
import { chooseEncoding } from "../../../shared/http/shipped/choose-encoding.ts";
import { folderFiles } from "../../../shared/runtime/folder-files.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { SequentialIds } from "../../support/fakes/sequential-ids.ts";
import { captureLog } from "../../support/shared/captured-log.ts";

let folder: string;
let app: ReturnType<typeof createDocsApp>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docs-"));
  await writeDocsFiles(folder);
  const clock = new FakeClock();
  const deps = { logger: captureLog(clock).logger, calls: new CallMeter(), clock, ids: new SequentialIds() };
  app = createDocsApp({ ...deps, files: folderFiles(join(folder, shippedFolder)) });
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** The addresses of what the pages load. */
async function assetsOf(path: string): Promise<readonly string[]> {
  const html = await (await app.request(path)).text();
  return [...html.matchAll(/"(\/docs\/assets\/[^"]+)"/g)].map(([, address = ""]) => address);
}

describe("the documentation", () => {
  it.each([
    ["/openapi.json", "application/json", '"openapi":"3.1.0"'],
    ["/asyncapi.json", "application/json", '"asyncapi":"3.0.0"'],
    ["/docs", "text/html; charset=utf-8", "<!doctype html>"],
    ["/compatibility", "text/html; charset=utf-8", "for at least 12 months"],
    ["/changelog", "text/html; charset=utf-8", "<time>2026-11-24</time>"],
    ["/llms.txt", "text/plain; charset=utf-8", "# Desktop Automation Service"],
    ["/docs/conventions", "text/html; charset=utf-8", "Idempotency-Key"],
    ["/docs/operations/updateMachine", "text/html; charset=utf-8", "Updates a machine"],
    ["/docs/webhooks/run.created", "text/html; charset=utf-8", "webhook-signature"],
    ["/docs/schemas/Machine", "text/html; charset=utf-8", "last_seen"],
  ])("%s is public, and needs no credentials", async (path, type, part) => {
    const answer = await app.request(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe(type);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await answer.text()).toContain(part);
  });

  it("serves what a page loads for a year, under names that change with the content", async () => {
    const types = [];
    for (const address of await assetsOf("/docs")) {
      const answer = await app.request(address);
      expect(answer.headers.get("cache-control")).toContain("immutable");
      expect(address).toMatch(/-[\dA-Za-z]{8}\.\w+$/);
      types.push(answer.headers.get("content-type"));
    }
    expect(types.toSorted()).toEqual([
      "application/json",
      "text/css; charset=utf-8",
      "text/javascript; charset=utf-8",
    ]);
  });

  it("sends each file compressed as the caller can take it, with the same content", async () => {
    const plain = await (await app.request("/openapi.json")).bytes();
    for (const [encoding, decompress] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const answer = await app.request("/openapi.json", { headers: { "accept-encoding": encoding } });
      expect(answer.headers.get("content-encoding")).toBe(encoding);
      expect(answer.headers.get("vary")).toBe("Accept-Encoding");
      expect(Buffer.compare(decompress(await answer.bytes()), plain)).toBe(0);
    }
  });

  it("answers 304 without a body while the content is what the caller has", async () => {
    const first = await app.request("/docs");
    const etag = first.headers.get("etag") ?? "";
    const again = await app.request("/docs", { headers: { "if-none-match": `"other", ${etag}` } });
    expect(again.status).toBe(304);
    expect(again.headers.get("etag")).toBe(etag);
    expect(await again.text()).toBe("");
    const changed = await app.request("/docs", { headers: { "if-none-match": '"other"' } });
    expect(changed.status).toBe(200);
  });

  it.each(["/docs", "/docs/operations/updateMachine", "/compatibility", "/changelog"])(
    "lets %s load nothing from elsewhere, and run nothing that stands in it",
    async (path) => {
      const answer = await app.request(path);
      expect(answer.headers.get("strict-transport-security")).toMatch(/^max-age=\d{8}/);
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      const html = await answer.text();
      expect(html).not.toMatch(/(src|href|action)="(?!\/|#|data:,")/);
      expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
    },
  );

  it("serves the files of the page and no other", async () => {
    for (const path of [
      "/docs/assets/manifest.json",
      "/docs/assets/..%2F..%2Findex.cjs",
      "/docs/assets/other.js",
      "/docs/operations/getNothing",
      "/docs/operations/..%2Fschemas",
      "/docs/nothing",
    ]) {
      const answer = await app.request(path);
      expect(answer.status, path).toBe(404);
      ErrorBody.parse(await answer.json());
    }
  });

  it("loads at most 50 KB compressed to show an operation, and at most 10 KB of it is script", async () => {
    const sizeOf = async (path: string) => {
      const answer = await app.request(path, { headers: { "accept-encoding": "br" } });
      return (await answer.bytes()).byteLength;
    };
    const assets = await assetsOf("/docs/operations/listRuns");
    const script = await sizeOf(assets.find((address) => address.endsWith(".js")) ?? "");
    const styles = await sizeOf(assets.find((address) => address.endsWith(".css")) ?? "");
    expect(script).toBeLessThan(10_000);
    expect((await sizeOf("/docs/operations/listRuns")) + script + styles).toBeLessThan(50_000);
  });

  it("cannot start without its files", async () => {
    const empty = await mkdtemp(join(tmpdir(), "docs-"));
    expect(() => folderFiles(empty)).toThrow("manifest.json");
    await writeFile(join(empty, "manifest.json"), '{"a": {}}');
    expect(() => folderFiles(empty)).toThrow();
    await rm(empty, { recursive: true });
  });
});

describe("chooseEncoding", () => {
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["*", "br"],
    ["identity", undefined],
  ])("%s: %s", (header, encoding) => {
    expect(chooseEncoding(header)).toBe(encoding);
  });
});
