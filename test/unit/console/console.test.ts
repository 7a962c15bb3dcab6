import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createConsoleApp } from "../../../functions/console/app.ts";
import { writeConsoleFiles } from "../../../infra/bundle/console-files.ts";
import { shippedFolder } from "../../../infra/bundle/shipped-files.ts";
import { ErrorBody } from "../../../shared/contract/errors.ts";
import { CallMeter } from "../../../shared/domain/call-meter.ts";
import type { ShippedFiles } from "../../../shared/http/shipped/shipped-files.ts";
import { folderFiles } from "../../../shared/runtime/folder-files.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { SequentialIds } from "../../support/fakes/sequential-ids.ts";
import { captureLog } from "../../support/shared/captured-log.ts";

const anIssuer = {
  issuer: "https://identity.test/",
  clientId: "console",
  authorizeUrl: "https://login.test/oauth2/authorize",
  scope: "openid",
  token: "access_token",
} as const;

let folder: string;
let app: ReturnType<typeof createConsoleApp>;
let assets: readonly string[];

function appOf(files: ShippedFiles) {
  const clock = new FakeClock();
  const deps = { logger: captureLog(clock).logger, calls: new CallMeter(), clock, ids: new SequentialIds() };
  const signIn = { ...anIssuer, tokenUrl: "https://login.test/oauth2/token" };
  const settings = { version: '1.0.0-"&<', websocketUrl: "wss://tunnel.test/live", signIn };
  return createConsoleApp({ ...deps, files, settings, filesUrl: "https://files.s3.test" });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "console-"));
  await writeConsoleFiles(folder);
  app = appOf(folderFiles(join(folder, shippedFolder)));
  const html = await (await app.request("/console")).text();
  assets = [...html.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe("the console's function", () => {
  it("reads its page again with the next request after it could not be read", async () => {
    const read = vi.fn(async () => new TextEncoder().encode("a page"));
    read.mockRejectedValueOnce(new Error("too many open files"));
    const failing = appOf({ find: () => ({ etag: "e", read }) });
    const statuses = [await failing.request("/console"), await failing.request("/console")];
    expect(statuses.map(({ status }) => status)).toEqual([500, 200]);
  });

  it.each(["/console", "/console/machines", "/console/machines/01a2"])(
    "shows the page at %s, which runs nothing that stands in it",
    async (path) => {
      const response = await app.request(path);
      expect([response.status, response.headers.get("content-type")]).toEqual([
        200,
        "text/html; charset=UTF-8",
      ]);
      expect(response.headers.get("cache-control")).toBe("no-cache");
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      const policy = response.headers.get("content-security-policy") ?? "";
      expect(policy).toContain(
        "connect-src 'self' wss://tunnel.test https://files.s3.test https://login.test;",
      );
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*/);
      const html = await response.text();
      expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|\bstyle=|(src|href)="https?:\/\//);
      expect(html).toContain('content="{&quot;version&quot;:&quot;1.0.0-\\&quot;&amp;<&quot;,');
    },
  );

  it("answers 304 while the page is what the browser has", async () => {
    const etag = (await app.request("/console")).headers.get("etag") ?? "";
    const again = await app.request("/console/runs", { headers: { "if-none-match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it("serves the files that the page names, compressed and for a year", async () => {
    expect(assets.length).toBeGreaterThanOrEqual(2);
    for (const path of assets) {
      expect(path).toMatch(/-[A-Z0-9]{8}\.(js|css)$/);
      const plain = await (await app.request(path)).bytes();
      for (const [encoding, decompress] of [
        ["br", brotliDecompressSync],
        ["gzip", gunzipSync],
      ] as const) {
        const response = await app.request(path, { headers: { "accept-encoding": encoding } });
        expect(response.headers.get("content-encoding")).toBe(encoding);
        expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
        expect(Buffer.compare(decompress(await response.bytes()), plain)).toBe(0);
      }
    }
  });

  it("serves no other file", async () => {
    for (const file of [
      "manifest.json",
      "..%2Fmanifest.json",
      "..%2F..%2Findex.cjs",
      "index.html",
      "main.js",
    ]) {
      const response = await app.request(`/console/assets/${file}`);
      expect(response.status, file).toBe(404);
      ErrorBody.parse(await response.json());
    }
  });
});
