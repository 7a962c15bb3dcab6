import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { deflateRawSync } from "node:zlib";
import { makeCodeCaches } from "../../infra/bundle/code-caches.ts";
import { functionEnvironment } from "../../infra/bundle/function-environment.ts";
import { loaderName } from "../../infra/bundle/loader-file.ts";
import { type Bundle, bundleFunctions } from "../../infra/bundle.ts";
import { codeCacheName } from "../../shared/runtime/code-cache.ts";
import { type Figure, median, milliseconds } from "./figure.ts";
import { sized } from "./sized.ts";

const run = promisify(execFile);
const rounds = sized(15, 1);
const functionsMax = sized(100, 2);
const shareMax = 0.7;
const zippedMax = 1.5;
const unzippedBytesMax = 5_000_000;

/** Client class of each SDK package that a function may use. */
const clientClasses: Readonly<Record<string, string>> = {
  "@aws-sdk/client-dynamodb": "DynamoDBClient",
  "@aws-sdk/client-secrets-manager": "SecretsManagerClient",
  "@aws-sdk/client-apigatewaymanagementapi": "ApiGatewayManagementApiClient",
  "@aws-sdk/client-s3": "S3Client",
  "@aws-sdk/client-lambda": "LambdaClient",
  "@aws-sdk/client-sqs": "SQSClient",
  "@aws-sdk/client-eventbridge": "EventBridgeClient",
};

interface Loads {
  readonly bundle: Bundle;
  readonly shipped: number[];
  readonly uncached: number[];
  readonly clients: number[];
}

/**
 * How long each function takes to load in a fresh process, as shipped and without the code cache, beside a bundle that
 * makes the same SDK clients, with their default credential chain, and sends no command; and the size of its package.
 */
export async function measureBundles(): Promise<readonly Figure[]> {
  await mkdir(fileURLToPath(new URL("../../.build", import.meta.url)), { recursive: true });
  const folder = await mkdtemp(fileURLToPath(new URL("../../.build/bench-", import.meta.url)));
  try {
    const bundles = (await bundleFunctions({ outDir: join(folder, "shipped") })).slice(0, functionsMax);
    const clients = await bundleClients(folder, bundles);
    const folders = bundles.map((bundle) => bundle.folder);
    await makeCodeCaches(folders, { architecture: process.arch });
    const loads = bundles.map((bundle): Loads => ({ bundle, shipped: [], uncached: [], clients: [] }));
    for (let round = 0; round < rounds; round += 1) {
      for (const { bundle, ...times } of loads) {
        // The three load in immediate succession: a slow phase of the machine takes seconds, and so affects all.
        times.shipped.push((await load(join(bundle.folder, loaderName))).ms);
        times.uncached.push((await load(bundle.file)).ms);
        const ofClients = clients.get(bundle.name);
        if (ofClients !== undefined) times.clients.push((await load(ofClients.file)).ms);
      }
    }
    const sizes = await Promise.all(bundles.map(sizeFigure));
    return [...loads.map(loadFigure), ...sizes, await refusedFigure(bundles)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function loadFigure({ bundle, shipped, uncached, clients }: Loads): Figure {
  const times = `${milliseconds(median(shipped))}; ${milliseconds(median(uncached))}`;
  const figure = `load ${bundle.name}: as shipped; without the code cache; its SDK clients alone; share of that`;
  if (clients.length === 0) return { figure, measured: `${times}; none`, target: "" };
  const share = median(shipped.map((ms, turn) => ms / (clients[turn] ?? Number.NaN)));
  return {
    figure,
    measured: `${times}; ${milliseconds(median(clients))}; ${share.toFixed(2)}`,
    target: `at most ${shareMax}`,
    isReached: share <= shareMax,
  };
}

async function sizeFigure({ name, folder }: Bundle): Promise<Figure> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  let [unzipped, zipped, uncached] = [0, 0, 0];
  for (const file of entries.filter((entry) => entry.isFile())) {
    const content = await readFile(join(file.parentPath, file.name));
    const { byteLength } = deflateRawSync(content, { level: 9 });
    unzipped += content.byteLength;
    zipped += byteLength;
    if (file.name !== codeCacheName) uncached += byteLength;
  }
  const sizes = [unzipped, zipped, uncached].map((bytes) => `${(bytes / 1_000).toFixed(0)} KB`);
  return {
    figure: `package ${name}: unzipped; zipped; zipped without the code cache; times that`,
    measured: `${sizes.join("; ")}; ${(zipped / uncached).toFixed(2)}`,
    target: `below ${unzippedBytesMax / 1_000} KB; at most ${zippedMax}`,
    isReached: unzipped < unzippedBytesMax && zipped / uncached <= zippedMax,
  };
}

/** V8 refuses a cache when Node runs with another flag, as it does one of another Node. */
async function refusedFigure(bundles: readonly Bundle[]): Promise<Figure> {
  let once = 0;
  for (const { folder } of bundles) {
    const { lines } = await load(join(folder, loaderName), ["--no-opt"]);
    if (lines.filter((line) => line.includes('"reason":"rejected"')).length === 1) once += 1;
  }
  return {
    figure: "functions that load with a cache that V8 refuses, and say so once",
    measured: `${once} of ${bundles.length}`,
    target: "all",
    isReached: once === bundles.length,
  };
}

/** Bundles for each function only the SDK clients that its own bundle has. */
async function bundleClients(
  folder: string,
  functions: readonly Bundle[],
): Promise<ReadonlyMap<string, Bundle>> {
  const entryPoints: Record<string, string> = {};
  for (const { name, file } of functions) {
    const used = await clientsIn(join(folder, "shipped", "meta.json"), file);
    if (used.length === 0) continue;
    const source = join(folder, `${name}-clients.ts`);
    const imports = used.map((module) => `import { ${clientClasses[module]} } from "${module}";`);
    const made = used.map((module) => `new ${clientClasses[module]}({ region: "us-east-1" })`);
    await writeFile(source, `${imports.join("\n")}\nexport const handler = [${made.join(", ")}];\n`);
    entryPoints[name] = source;
  }
  const outDir = join(folder, "clients");
  const bundles = await bundleFunctions({ outDir, withDefaultCredentialChain: true, entryPoints });
  return new Map(bundles.map((bundle) => [bundle.name, bundle]));
}

async function clientsIn(metaFile: string, bundleFile: string): Promise<readonly string[]> {
  const meta = JSON.parse(await readFile(metaFile, "utf8")) as {
    outputs: Record<string, { inputs: Record<string, unknown> }>;
  };
  const output = Object.entries(meta.outputs).find(
    ([path]) => bundleFile.endsWith(path) || path.endsWith(bundleFile),
  );
  const inputs = Object.keys(output?.[1].inputs ?? {});
  return Object.keys(clientClasses).filter((module) =>
    inputs.some((input) => input.includes(`node_modules/${module}/`)),
  );
}

/**
 * Loads a module as Lambda's own runtime does: CommonJS by `require`.
 *
 * Source: https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/UserFunction.js
 */
async function load(
  file: string,
  flags: readonly string[] = [],
): Promise<{ readonly ms: number; readonly lines: readonly string[] }> {
  const probe = `const require = createRequire(import.meta.url);
    const at = performance.now(); require(${JSON.stringify(file)}); console.log(performance.now() - at);`;
  const source = `import { createRequire } from "node:module"; ${probe}`;
  // Lambda's start script gives Node the first of these.
  const options = ["--expose-gc", ...flags, "--input-type=module", "--eval", source];
  const { stdout } = await run(process.execPath, options, {
    env: { PATH: process.env.PATH, ...functionEnvironment, LAMBDA_TASK_ROOT: dirname(file) },
  });
  const lines = stdout.trim().split("\n");
  return { ms: Number(lines.at(-1)), lines };
}
