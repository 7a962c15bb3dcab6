import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { bundleFunctions } from "../../../infra/bundle.ts";

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
  it.each(["esm", "cjs"] as const)(
    "makes one file that runs by itself and reads its credentials, as %s",
    async (format) => {
      const [bundle] = await bundleFunctions({ outDir, format, entryPoints: { sample: source } });
      expect(bundle?.folder).toBe(join(outDir, "functions", "sample"));
      expect(await readdir(join(outDir, "functions", "sample"))).toEqual([
        format === "esm" ? "index.mjs" : "index.cjs",
      ]);
      vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE");
      vi.stubEnv("AWS_SECRET_ACCESS_KEY", "example");
      vi.stubEnv("AWS_SESSION_TOKEN", "example");
      const { handler } = await import(pathToFileURL(bundle?.file ?? "").href);
      expect(await handler()).toMatchObject({
        credentials: { accessKeyId: "AKIDEXAMPLE" },
        text: "Invalid input: expected string, received number",
      });
    },
  );

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

  it.each(["esm", "cjs"] as const)(
    "puts the checker of customers' schemas beside the bundles that use it, loaded at the first check, as %s",
    async (format) => {
      const address = (path: string) => JSON.stringify(join(folder, path));
      await writeFile(
        source,
        `import { AjvInputChecker } from ${address("shared/schema/ajv-input-checker.ts")};
         const checker = new AjvInputChecker({ clock: { now: () => 0 } });
         export const handler = (value: object) => checker.check({ required: ["name"] }, { ...value });`,
      );
      const [bundle] = await bundleFunctions({ outDir, format, entryPoints: { checking: source } });
      expect(bundle?.bytes).toBeLessThan(20_000);
      expect((await readdir(bundle?.folder ?? "")).sort()).toEqual([
        format === "esm" ? "index.mjs" : "index.cjs",
        "json-schema.cjs",
      ]);
      const { handler } = await import(pathToFileURL(bundle?.file ?? "").href);
      expect(await handler({ name: 1 })).toEqual({ kind: "valid" });
      expect(await handler({})).toMatchObject({ kind: "invalid", errors: [{ path: ["name"] }] });
    },
  );

  it("makes no function's bundle larger than 600 KB", async () => {
    const bundles = await bundleFunctions({ outDir });
    expect(bundles.length).toBeGreaterThan(6);
    expect(bundles.filter(({ bytes }) => bytes > 600_000)).toEqual([]);
  });

  it("hands on an error that no source names as the client's own, with its name and message", async () => {
    await writeFile(
      source,
      `import { DynamoDBClient, DynamoDBServiceException, GetItemCommand } from "@aws-sdk/client-dynamodb";
       const failing = (type: string) => ({
         handle: async () => ({
           response: {
             statusCode: 400,
             headers: {},
             body: new Blob([JSON.stringify({ __type: "com.amazonaws.dynamodb.v20120810#" + type, message: "no" })]),
           },
         }),
       });
       export const handler = async (type: string) => {
         const client = new DynamoDBClient({
           region: "us-east-1",
           credentials: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "example" },
           requestHandler: failing(type) as never,
         });
         const error = await client
           .send(new GetItemCommand({ TableName: "t", Key: {} }))
           .catch((caught: unknown) => caught);
         if (!(error instanceof DynamoDBServiceException)) throw error;
         return [error.name, error.message, error.constructor === DynamoDBServiceException];
       };`,
    );
    const [bundle] = await bundleFunctions({ outDir, entryPoints: { errors: source } });
    const { handler } = await import(pathToFileURL(bundle?.file ?? "").href);
    expect(await handler("BackupInUseException")).toEqual(["BackupInUseException", "no", true]);
    expect(await handler("ConditionalCheckFailedException")).toEqual([
      "ConditionalCheckFailedException",
      "no",
      false,
    ]);
  });

  it("leaves out the formats that only strings' deprecated methods name, which then say so", async () => {
    await writeFile(source, `import * as z from "zod"; export const handler = z.string().email();`);
    const [bundle] = await bundleFunctions({ outDir, entryPoints: { formats: source } });
    await expect(import(pathToFileURL(bundle?.file ?? "").href)).rejects.toThrow(
      "z.string().email() is left out of the bundles",
    );
  });

  it("names the source that cannot be bundled", async () => {
    await expect(bundleFunctions({ outDir, entryPoints: { sample: `${source}x` } })).rejects.toThrow(
      "index.tsx",
    );
  });
});
