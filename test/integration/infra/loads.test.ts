import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { functionEnvironment } from "../../../infra/bundle/function-environment.ts";
import { bundleFunctions } from "../../../infra/bundle.ts";
import { mintApiKey } from "../../../shared/secrets/api-key-text.ts";

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
  // The docs and the console read the list of their files while they load.
  expect(made).toEqual({
    ...Object.fromEntries(bundles.map(({ name }) => [name, 0])),
    console: expect.any(Number),
    docs: expect.any(Number),
  });
  expect(ofNode).toContain("NativeModule https");
  expect(ofNode).not.toContain("NativeModule internal/crypto/webcrypto");
  expect(ofNode).not.toContain("NativeModule worker_threads");
  expect(ofNode).not.toContain("NativeModule zlib");
  expect(ofNode).not.toContain("NativeModule http");
  expect(ofNode).not.toContain("NativeModule timers/promises");
  expect(ofNode).not.toContain("NativeModule internal/dns/promises");
});

it("a first request, with a call of AWS, has Node load neither its fetch nor its web streams", async () => {
  const outDir = await mkdtemp(join(tmpdir(), "das-loads-"));
  onTestFinished(() => rm(outDir, { recursive: true }));
  const entryPoints = {
    machines: fileURLToPath(new URL("../../../functions/machines/index.ts", import.meta.url)),
  };
  const [bundle] = await bundleFunctions({ outDir, entryPoints });
  const event = {
    rawPath: "/v1/machines",
    rawQueryString: "",
    headers: { authorization: `Bearer ${mintApiKey().text}` },
    requestContext: {
      requestId: "r",
      domainName: "api.test",
      http: { method: "GET", sourceIp: "192.0.2.1" },
    },
  };
  // A storage that refuses every call.
  const program = `
    let calls = 0;
    const aws = require("node:http").createServer((request, response) => {
      calls += 1;
      response.writeHead(400, { "content-type": "application/x-amz-json-1.0" }).end('{"__type":"ValidationException"}');
    });
    aws.listen(0, "127.0.0.1", async () => {
      process.env.AWS_ENDPOINT_URL = "http://127.0.0.1:" + aws.address().port;
      const { handler } = require(${JSON.stringify(bundle?.file)});
      const { statusCode } = await handler(${JSON.stringify(event)});
      console.log(JSON.stringify({ calls, statusCode, ofNode: process.moduleLoadList }));
      process.exit();
    });`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--eval", program], {
    env: { ...functionEnvironment, LAMBDA_TASK_ROOT: bundle?.folder },
  });
  const { calls, statusCode, ofNode } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  expect({ calls, statusCode }).toEqual({ calls: 1, statusCode: 500 });
  expect(ofNode).not.toContain("NativeModule internal/deps/undici/undici");
  expect(ofNode).not.toContain("NativeModule internal/webstreams/readablestream");
});
