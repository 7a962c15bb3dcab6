import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { functionEnvironment } from "../../../infra/bundle/function-environment.ts";
import { bundleFunctions } from "../../../infra/bundle.ts";

it("bundles make no schema while they load, nor have Node load what a request may not need", async () => {
  const outDir = await mkdtemp(join(tmpdir(), "das-loads-"));
  onTestFinished(() => rm(outDir, { recursive: true }));
  const bundles = await bundleFunctions({ outDir });
  // zod calls its post-processor with each schema that is made.
  const program = `
    const made = {};
    let name;
    globalThis.__zod_globalConfig = { postProcessor: () => { made[name] += 1; } };
    for (const bundle of ${JSON.stringify(bundles)}) {
      name = bundle.name;
      made[name] = 0;
      process.env.LAMBDA_TASK_ROOT = bundle.folder;
      require(bundle.file);
    }
    console.log(JSON.stringify({ made, ofNode: process.moduleLoadList }));
    process.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--eval", program], {
    env: functionEnvironment,
  });
  const { made, ofNode } = JSON.parse(stdout);
  // The docs read the list of their files while they load.
  expect(made).toEqual({
    ...Object.fromEntries(bundles.map(({ name }) => [name, 0])),
    docs: expect.any(Number),
  });
  expect(ofNode).toContain("NativeModule https");
  expect(ofNode).not.toContain("NativeModule internal/crypto/webcrypto");
  expect(ofNode).not.toContain("NativeModule worker_threads");
});
