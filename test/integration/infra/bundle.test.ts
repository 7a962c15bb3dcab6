import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { bundleFunctions } from "../../../infra/bundle.ts";
import { aRequest, click, start } from "../../support/models/ask.ts";
import { providerKinds } from "../../support/providers/start-provider.ts";

const folder = new URL("../../..", import.meta.url).pathname;
let outDir: string;
let source: string;

/** Lies in the project, so that it finds the project's packages. */
beforeAll(async () => {
  outDir = await mkdtemp(join(tmpdir(), "das-bundle-"));
  source = join(await mkdtemp(join(folder, "node_modules/.bundle-test-")), "index.ts");
  await writeFile(
    source,
    `import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
     import * as z from "zod";
     const client: DynamoDBClient = new DynamoDBClient({ region: "us-east-1" });
     export const handler = async () => ({
       credentials: await client.config.credentials(),
       text: z.string().safeParse(1).error?.issues[0]?.message,
     });`,
  );
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(outDir, { recursive: true });
  await rm(join(source, ".."), { recursive: true });
});

describe("bundleFunctions", () => {
  it("makes one file that runs by itself, beside its loader, and reads its credentials", async () => {
    const [bundle] = await bundleFunctions({ outDir, entryPoints: { sample: source } });
    expect(bundle?.folder).toBe(join(outDir, "functions", "sample"));
    expect((await readdir(join(outDir, "functions", "sample"))).sort()).toEqual(["index.cjs", "loader.cjs"]);
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "example");
    vi.stubEnv("AWS_SESSION_TOKEN", "example");
    const { handler } = await import(pathToFileURL(bundle?.file ?? "").href);
    expect(await handler()).toMatchObject({
      credentials: { accessKeyId: "AKIDEXAMPLE" },
      text: "Invalid input: expected string, received number",
    });
  });

  it("leaves out the credential providers that a Lambda never uses, unless told to keep them", async () => {
    const inputs = async (withDefaultCredentialChain: boolean) => {
      await bundleFunctions({ outDir, withDefaultCredentialChain, entryPoints: { sample: source } });
      return Object.keys(JSON.parse(await readFile(join(outDir, "meta.json"), "utf8")).inputs);
    };
    const isProvider = (path: string) =>
      /node_modules.*(credential-provider-(sso|ini|process)|nested-clients)/.test(path);
    expect((await inputs(true)).some(isProvider)).toBe(true);
    expect((await inputs(false)).filter(isProvider)).toEqual([]);
  });

  it("puts the checker of customers' schemas beside the bundles that use it, loaded at the first check", async () => {
    const address = (path: string) => JSON.stringify(join(folder, path));
    await writeFile(
      source,
      `import { AjvInputChecker } from ${address("shared/schema/ajv-input-checker.ts")};
       const checker = new AjvInputChecker({ clock: { now: () => 0 } });
       export const handler = (value: object) => checker.check({ required: ["name"] }, { ...value });`,
    );
    const [bundle] = await bundleFunctions({ outDir, entryPoints: { checking: source } });
    expect(bundle?.bytes).toBeLessThan(20_000);
    expect((await readdir(bundle?.folder ?? "")).sort()).toEqual([
      "index.cjs",
      "json-schema.cjs",
      "loader.cjs",
    ]);
    const { handler } = await import(pathToFileURL(bundle?.file ?? "").href);
    expect(await handler({ name: 1 })).toEqual({ kind: "valid" });
    expect(await handler({})).toMatchObject({ kind: "invalid", errors: [{ path: ["name"] }] });
  });

  it("puts the providers' packages beside the bundles that ask models, loaded at the first call", async () => {
    const address = JSON.stringify(join(folder, "shared/models/lazy-language-models.ts"));
    await writeFile(
      source,
      `import { LazyLanguageModels } from ${address};
       export const handler = (options: never, request: never) => new LazyLanguageModels(options).ask(request);`,
    );
    const [bundle] = await bundleFunctions({ outDir, entryPoints: { models: source } });
    expect(bundle?.bytes).toBeLessThan(20_000);
    expect((await readdir(bundle?.folder ?? "")).sort()).toEqual([
      "index.cjs",
      "language-models.cjs",
      "loader.cjs",
    ]);
    const { handler } = await import(pathToFileURL(bundle?.file ?? "").href);
    for (const kind of providerKinds) {
      const all = await start(kind, click);
      expect(await handler(all.started.options, aRequest(all.started))).toMatchObject({ kind: "replied" });
      expect(all.started.server.refusals).toEqual([]);
      all.started.server.faults.push({ kind: "error", error: "overloaded" });
      expect(await handler(all.started.options, aRequest(all.started))).toMatchObject({
        reason: "unavailable",
      });
    }
  });

  it("bundles strings without the formats that only their deprecated methods name", async () => {
    await writeFile(
      source,
      `import * as z from "zod";
       const Counts = z.record(z.string().min(2), z.int());
       export const handler = (value: unknown) => Counts.safeParse(value).success;
       export const deprecated = () => z.string().email();`,
    );
    const [bundle] = await bundleFunctions({ outDir, entryPoints: { formats: source } });
    expect((await readFile(bundle?.file ?? "", "utf8")).match(/\bZod(?:IPv6|NanoID|JWT)\b/)).toBeNull();
    const { handler, deprecated } = await import(pathToFileURL(bundle?.file ?? "").href);
    expect([{ ab: 1 }, { a: 1 }, { ab: "1" }].map(handler)).toEqual([true, false, false]);
    expect(deprecated).toThrow("email is not a function");
  });

  it("sends files to S3 without checksums, and refuses the operations for which S3 requires one", async () => {
    await writeFile(
      source,
      `import { DeleteObjectsCommand, PutObjectCommand } from "@aws-sdk/client-s3";
       import { createS3Client } from ${JSON.stringify(join(folder, "shared/aws/s3-client.ts"))};
       const sent: { method: string; headers: object }[] = [];
       const client = createS3Client();
       client.config.requestHandler = {
         handle: async (request: { method: string; headers: object }) => {
           sent.push(request);
           return { response: { statusCode: 200, headers: {} } };
         },
       } as never;
       export const handler = async () => {
         await client.send(new PutObjectCommand({ Bucket: "files", Key: "a", Body: "content" }));
         return sent.map(({ method, headers }) => [method, ...Object.keys(headers)]);
       };
       export const deleteMany = () =>
         client.send(new DeleteObjectsCommand({ Bucket: "files", Delete: { Objects: [{ Key: "a" }] } }));`,
    );
    const [bundle] = await bundleFunctions({ outDir, entryPoints: { files: source } });
    vi.stubEnv("AWS_REGION", "us-east-1");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "example");
    const { handler, deleteMany } = await import(pathToFileURL(bundle?.file ?? "").href);
    const [put] = await handler();
    expect(put).toEqual(expect.arrayContaining(["PUT", "authorization"]));
    expect(put.filter((name: string) => name.includes("checksum"))).toEqual([]);
    expect(deleteMany).toThrow("S3 requires a checksum");
  });

  it("makes no bundle larger than 620 KB, of those that see to everything, of runs, trajectories, assistants and of what records desktops 665 KB, of the executor with the durable engine's SDK 865 KB", async () => {
    const bundles = await bundleFunctions({ outDir });
    expect(bundles.length).toBeGreaterThan(6);
    const largest: Readonly<Record<string, number>> = {
      computer: 665_000,
      executor: 865_000,
      mcp: 665_000,
      projector: 665_000,
      runs: 665_000,
      sweeper: 665_000,
      trajectories: 665_000,
    };
    const large = bundles.filter(({ name, bytes }) => bytes > (largest[name] ?? 620_000));
    expect(large).toEqual([]);
  });

  it("names the source that cannot be bundled", async () => {
    await expect(bundleFunctions({ outDir, entryPoints: { sample: `${source}x` } })).rejects.toThrow(
      "index.tsx",
    );
  });
});
