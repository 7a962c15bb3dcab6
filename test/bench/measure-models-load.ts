import { execFile } from "node:child_process";
import { access, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { functionEnvironment } from "../../infra/bundle/function-environment.ts";
import { buildParts } from "../../infra/bundle/loaded-later.ts";
import { bundleFunctions } from "../../infra/bundle.ts";
import type { ModelRequest } from "../../shared/domain/model/language-models.ts";
import { type ProviderKind, startProvider } from "../support/providers/start-provider.ts";
import { type Figure, median, milliseconds } from "./figure.ts";
import { sized } from "./sized.ts";

const rounds = sized(21, 1);
const loadMsMax = 300;
const part = "language-models.cjs";
const kinds: readonly ProviderKind[] = ["anthropic", "openai", "google", "vertex", "bedrock by key"];
const nobody = "http://127.0.0.1:1";
const baseUrls = { anthropic: nobody, openai: nobody, google: nobody, vertex: nobody, bedrock: nobody };

/** Measures the executor's load time in a fresh process, alone and with a failing call to each provider. */
export async function measureModelsLoad(): Promise<readonly Figure[]> {
  await mkdir(fileURLToPath(new URL("../../.build", import.meta.url)), { recursive: true });
  const outDir = await mkdtemp(fileURLToPath(new URL("../../.build/bench-", import.meta.url)));
  try {
    const bundles = await bundleFunctions({ outDir });
    const executor = bundles.find(({ name }) => name === "executor");
    if (executor === undefined) throw new Error("there is no executor");
    const withPart: string[] = [];
    for (const { name, folder } of bundles) if (await isFile(join(folder, part))) withPart.push(name);
    await writeFile(join(executor.folder, part), (await buildParts([part])).get(part) ?? "");
    const requests = await Promise.all(kinds.map(requestFor));
    const [alone, whole]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      alone.push(await loadMs(executor.file, []));
      whole.push(await loadMs(executor.file, requests));
    }
    const all = median(whole);
    return [
      {
        figure: `load executor; with all providers, each asked once where nobody listens (${rounds} in turns)`,
        measured: `${milliseconds(median(alone))}; ${milliseconds(all)}`,
        target: `at most ${loadMsMax} ms`,
        isReached: all <= loadMsMax,
      },
      {
        figure: "functions with the providers' packages beside them",
        measured: withPart.join(", ") || "none",
        target: "the executor alone",
        isReached: withPart.join() === "executor",
      },
    ];
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

async function requestFor(kind: ProviderKind): Promise<ModelRequest> {
  const { server, provider, model, key } = await startProvider(kind, () => []);
  await server.stop();
  return {
    choice: {
      provider,
      model,
      temperature: null,
      maxOutputTokens: null,
      timeoutSeconds: 5,
      additionalParams: {},
    },
    key,
    runId: "0f0c6f6e-5b0f-4a43-b3b1-1f1f7c1c9a55",
    system: "You operate a desktop.",
    turns: [{ role: "user", parts: ["press the button"], pictures: [] }],
    tools: { kind: "actions", types: ["click", "type", "finish"] },
    display: { width: 64, height: 40 },
    timeoutMs: 5_000,
  };
}

/** Loads the bundle as Lambda's own runtime does. Each request has to fail to connect, or the figure is invalid. */
async function loadMs(file: string, requests: readonly ModelRequest[]): Promise<number> {
  const options = { baseUrls, googleCloud: { tokenUrl: `${nobody}/token` } };
  const source = `import { createRequire } from "node:module";
    const require = createRequire(import.meta.url);
    const at = performance.now();
    require(${JSON.stringify(file)});
    const requests = ${JSON.stringify(requests)};
    if (requests.length > 0) {
      const { AiLanguageModels } = require(${JSON.stringify(join(dirname(file), part))});
      const models = new AiLanguageModels(${JSON.stringify(options)});
      for (const request of requests) {
        const reply = await models.ask(request);
        if (reply.reason !== "unavailable") throw new Error(JSON.stringify(reply));
      }
    }
    console.log(performance.now() - at);
    process.exit(0);`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", source], {
    env: { PATH: process.env.PATH, ...functionEnvironment, LAMBDA_TASK_ROOT: dirname(file) },
  });
  return Number(stdout.trim().split("\n").at(-1));
}

async function isFile(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
