import { execFile } from "node:child_process";
import { access, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { functionEnvironment } from "../../infra/bundle/function-environment.ts";
import { buildParts } from "../../infra/bundle/loaded-later.ts";
import { bundleFunctions } from "../../infra/bundle.ts";
import type { ModelRequest } from "../../shared/domain/model/language-models.ts";
import type { Size } from "../../shared/domain/picture/picture.ts";
import { type ProviderKind, startProvider } from "../support/providers/start-provider.ts";
import { type Figure, median, milliseconds } from "./figure.ts";
import { sized } from "./sized.ts";

const rounds = sized(21, 1);
const loadMsMax = 300;
const part = "language-models.cjs";
const kinds: readonly ProviderKind[] = ["anthropic", "openai", "google", "vertex", "bedrock by key"];
/** The largest picture that is decoded has 40 megapixels. */
const screens = [
  { width: 1920, height: 1080 },
  ...sized(
    [
      { width: 3840, height: 2160 },
      { width: 8000, height: 5000 },
    ],
    [],
  ),
];
const peakMbMax = 768;
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
    const looks: Figure[] = [];
    for (const size of screens) looks.push(await lookAt(executor.file, requests, size));
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
      ...looks,
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

/** Measures the executor with its largest parts and three decoded pictures: the recorded one, the last and the next. */
async function lookAt(file: string, requests: readonly ModelRequest[], size: Size): Promise<Figure> {
  const module = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const looking = `
    const { decodePng } = await import(${module("../../shared/pictures/decode-png.ts")});
    const { findAnchor } = await import(${module("../../shared/domain/picture/find-anchor.ts")});
    const { cutAnchor } = await import(${module("../../shared/domain/picture/cut-anchor.ts")});
    const { centerOf, buttonPlace, aProgram, drawProgram } = await import(
      ${module("../support/pictures/program-screen.ts")}
    );
    const { pngCodec } = await import(${module("../../shared/pictures/png-codec.ts")});
    const program = aProgram({ size: ${JSON.stringify(size)} });
    const { existsSync, readFileSync, writeFileSync } = require("node:fs");
    if (!existsSync(process.env.DRAWN)) {
      writeFileSync(process.env.DRAWN, pngCodec.encode(drawProgram(program)));
      process.exit(0);
    }
    const png = readFileSync(process.env.DRAWN);
    const recorded = decodePng(png);
    const anchor = cutAnchor(recorded, centerOf(buttonPlace(program, "Save")));
    const kept = [recorded];
    const cpu = [];
    for (let look = 0; look < 7; look += 1) {
      const from = process.cpuUsage();
      const screen = decodePng(png);
      if (findAnchor(screen, anchor).kind !== "found") throw new Error("it is not found");
      const { user, system } = process.cpuUsage(from);
      cpu.push((user + system) / 1_000);
      kept[1] = screen;
    }
    cpu.sort((one, other) => one - other);
    console.log(JSON.stringify({ cpuMs: cpu[3], peakMb: process.resourceUsage().maxRSS / 1_024 }));`;
  const drawn = join(dirname(file), `${size.width}.png`);
  await run(file, [], looking, drawn);
  const { stdout } = await run(file, requests, looking, drawn);
  const { cpuMs, peakMb } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  return {
    figure: `executor with all providers and three pictures of ${size.width} x ${size.height}: peak RSS; CPU of a look`,
    measured: `${peakMb.toFixed(0)} MB; ${milliseconds(cpuMs)}`,
    target: `at most ${peakMbMax} MB`,
    isReached: peakMb <= peakMbMax,
  };
}

async function loadMs(file: string, requests: readonly ModelRequest[]): Promise<number> {
  const { stdout } = await run(file, requests, "console.log(loadedMs);", "");
  return Number(stdout.trim().split("\n").at(-1));
}

/** Loads the bundle as Lambda's own runtime does. Each request has to fail to connect, or the figure is invalid. */
async function run(file: string, requests: readonly ModelRequest[], then: string, drawn: string) {
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
    const loadedMs = performance.now() - at;
    ${then}
    process.exit(0);`;
  return await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", source], {
    env: {
      PATH: process.env.PATH,
      ...functionEnvironment,
      LAMBDA_TASK_ROOT: dirname(file),
      DRAWN: drawn,
    },
  });
}

async function isFile(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
