import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { afterAll, expect, it, vi } from "vitest";
import { bundleFunctions } from "../../../infra/bundle.ts";

vi.mock("esbuild", async (original) => {
  const esbuild = await original<typeof import("esbuild")>();
  return { ...esbuild, build: vi.fn(esbuild.build) };
});

const outDir = await mkdtemp(join(tmpdir(), "das-bundled-once-"));
const functionSource = (name: string) =>
  new URL(`../../../functions/${name}/index.ts`, import.meta.url).pathname;

afterAll(async () => {
  await rm(outDir, { recursive: true });
});

function sourcesOf({ entryPoints = [] }: BuildOptions): readonly string[] {
  const sources = Array.isArray(entryPoints) ? entryPoints : Object.values(entryPoints);
  return sources.map((source) => (typeof source === "string" ? source : source.in));
}

it("bundles each function, and each part that several have beside them, once", async () => {
  const names = ["runs", "executor"];
  await bundleFunctions({
    outDir,
    entryPoints: Object.fromEntries(names.map((name) => [name, functionSource(name)])),
  });
  const builds = vi.mocked(build).mock.calls.map(([options]) => options);
  const bundled = builds.filter((options) => options.bundle === true);
  const sources = bundled.flatMap(sourcesOf);
  expect(sources).toEqual(expect.arrayContaining(names.map(functionSource)));
  expect(sources).toContain("shared/schema/check-worker.ts");
  expect(sources).toEqual([...new Set(sources)]);
  expect(bundled.filter((options) => sourcesOf(options).includes(functionSource("runs")))).toHaveLength(1);
});
