import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { assetHash } from "../../../infra/bundle/asset-hash.ts";
import { makeCodeCaches } from "../../../infra/bundle/code-caches.ts";
import { placeBundle } from "../../../infra/bundle/place-bundle.ts";
import { type Bundle, bundleFunctions } from "../../../infra/bundle.ts";
import { functionOnDisk, MemoryLog, serviceOf } from "../local-lambda/function-on-disk.ts";

const environment = { DEPLOYMENT: "test" };
const architecture = process.arch;
let root: string;
let folder: string;
let cacheFile: string;

async function bundle(value = 1): Promise<readonly Bundle[]> {
  const source = join(root, "sample.ts");
  await writeFile(
    source,
    `export const handler = async ({ fails }: { fails?: true }) => {
       if (fails) throw new Error("failed");
       const { sep } = await import("node:path");
       return { value: ${value}, sep };
     };`,
  );
  return await bundleFunctions({ outDir: root, entryPoints: { sample: source } });
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "das-code-caches-"));
  folder = join(root, "functions", "sample");
  cacheFile = join(folder, "index.cache");
  await bundle();
});

afterEach(() => rm(root, { recursive: true }));

/** Loads the function as Lambda does, calls it, and returns the lines of both. */
async function start(flags: readonly string[] = []): Promise<readonly object[]> {
  const program = `import { handler } from ${JSON.stringify(join(folder, "loader.cjs"))};
    console.log(JSON.stringify(await handler({})));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...flags, "--input-type=module", "--eval", program],
    { env: { ...environment, LAMBDA_TASK_ROOT: folder } },
  );
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const response = { value: 1, sep: "/" };

function unused(reason: string): object {
  return expect.objectContaining({
    message: "code cache unused",
    reason,
    code_cache_unused: 1,
    deployment: environment.DEPLOYMENT,
  });
}

/** Changes a byte of what V8 made, with or without the digest before it. */
async function change(at: number, options: { readonly withDigest: boolean }): Promise<void> {
  const content = await readFile(cacheFile);
  content[32 + at] = (content[32 + at] ?? 0) ^ 0xff;
  if (options.withDigest) createHash("sha256").update(content.subarray(32)).digest().copy(content);
  await writeFile(cacheFile, content);
}

describe("a function's loader", () => {
  it("uses the code cache of the build, with and without the flags of Lambda's start script", async () => {
    expect(await makeCodeCaches([folder], { architecture })).toContain(`${process.version} ${architecture}`);
    expect(await start()).toEqual([response]);
    const flags = ["--expose-gc", "--max-semi-space-size=25", "--max-old-space-size=460"];
    expect(await start(flags)).toEqual([response]);
  });

  it("loads the function without a cache and writes one line with the metric", async () => {
    expect(await start()).toEqual([unused("missing"), response]);
  });

  it("loads the function when the cache is another Node's", async () => {
    await makeCodeCaches([folder], { architecture });
    const versionHashAt = 4;
    await change(versionHashAt, { withDigest: true });
    expect(await start()).toEqual([unused("rejected"), response]);
  });

  it("loads the function when Node runs with flags that the build did not know", async () => {
    await makeCodeCaches([folder], { architecture });
    expect(await start(["--no-opt"])).toEqual([unused("rejected"), response]);
  });

  it("loads the function when the cache is damaged, which V8 would not notice", async () => {
    await makeCodeCaches([folder], { architecture });
    await change(400, { withDigest: false });
    expect(await start()).toEqual([unused("damaged"), response]);
    await writeFile(cacheFile, "");
    expect(await start()).toEqual([unused("damaged"), response]);
  });

  it("runs in the local stack's threads, with the cache, and errors name the bundle", async () => {
    await makeCodeCaches([folder], { architecture });
    const log = new MemoryLog();
    const fn = functionOnDisk("", { folder, handler: "loader.handler", environment });
    const service = serviceOf(fn, { log });
    expect(await service.invoke(fn.address, {})).toEqual({ ok: true, payload: response });
    expect(await service.invoke(fn.address, { fails: true })).toMatchObject({
      error: { trace: expect.arrayContaining([expect.stringContaining(join(folder, "index.cjs:1:"))]) },
    });
    await service.stop();
    expect(log.lines).toEqual([]);
  });
});

describe("makeCodeCaches", () => {
  it("makes none with a Node of another architecture", async () => {
    expect(await makeCodeCaches([folder], { architecture: "other" })).toBeUndefined();
    expect(existsSync(cacheFile)).toBe(false);
  });

  it("takes the command of the Node to use", async () => {
    const node = `${process.execPath} --no-warnings`;
    expect(await makeCodeCaches([folder], { architecture, node })).toContain(process.version);
    expect(await start()).toEqual([response]);
  });

  it("has its caches removed by the next build, since V8 compares only the length of the source", async () => {
    await makeCodeCaches([folder], { architecture });
    await bundle(2);
    expect(existsSync(cacheFile)).toBe(false);
  });
});

describe("assetHash", () => {
  it("is the same for two builds of the same sources, and another with another source or another Node's caches", async () => {
    const build = async (value: number, node: string) => {
      await bundle(value);
      await makeCodeCaches([folder], { architecture });
      return { hash: assetHash(folder, node), cache: await readFile(cacheFile) };
    };
    const [first, second] = [await build(1, "v24.1.0"), await build(1, "v24.1.0")];
    expect(second.hash).toBe(first.hash);
    expect(
      new Set([first.hash, (await build(2, "v24.1.0")).hash, (await build(1, "v24.2.0")).hash]).size,
    ).toBe(3);
  });
});

describe("placeBundle", () => {
  it("moves a bundle into the assembly, and leaves the same one of a synthesis before", async () => {
    const outdir = await mkdtemp(join(tmpdir(), "das-assembly-"));
    const place = async (value: number) => {
      const [bundled] = await bundle(value);
      if (bundled === undefined) throw new Error("there is no bundle");
      return await placeBundle(outdir, bundled, undefined);
    };
    const first = await place(1);
    expect(existsSync(folder)).toBe(false);
    const placed = join(outdir, first.fileName ?? "");
    expect((await readdir(placed)).sort()).toEqual(["index.cjs", "loader.cjs"]);
    const { ino } = await stat(placed);
    expect(await place(1)).toEqual(first);
    expect((await stat(placed)).ino).toBe(ino);
    expect(await place(2)).not.toEqual(first);
    expect(await readdir(outdir)).toHaveLength(2);
    await rm(outdir, { recursive: true });
  });
});
