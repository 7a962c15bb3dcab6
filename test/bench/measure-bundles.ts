import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Bundle, bundleFunctions } from "../../infra/bundle.ts";
import { type Figure, median, milliseconds } from "./figure.ts";
import { functionEnvironment } from "../../infra/bundle/function-environment.ts";
import { sized } from "./sized.ts";

const run = promisify(execFile);
const rounds = sized(21, 1);
const functionsMax = sized(100, 2);
const bytesMax = 600_000;
const moreMsMax = 30;

/** Client class of each SDK package that a function may use. */
const clientClasses: Readonly<Record<string, string>> = {
  "@aws-sdk/client-dynamodb": "DynamoDBClient",
  "@aws-sdk/client-secrets-manager": "SecretsManagerClient",
  "@aws-sdk/client-apigatewaymanagementapi": "ApiGatewayManagementApiClient",
  "@aws-sdk/client-s3": "S3Client",
};

/**
 * Size of each function's bundle, and how long it takes to load in a fresh process beside a bundle that makes the same
 * SDK clients and sends no command; all in turns, so that a slow moment of the machine slows all of them. Both kinds
 * are bundled alike, first with the default credential chain and then, as shipped, without.
 */
export async function measureBundles(): Promise<readonly Figure[]> {
  await mkdir(fileURLToPath(new URL("../../.build", import.meta.url)), { recursive: true });
  const folder = await mkdtemp(fileURLToPath(new URL("../../.build/bench-", import.meta.url)));
  try {
    const shipped = await bundleFunctions({ outDir: join(folder, "shipped") });
    const full = await bundleFunctions({ outDir: join(folder, "full"), withDefaultCredentialChain: true });
    const clients = await bundleClients(folder, full);
    const loads = new Map<string, number[]>();
    for (let round = 0; round < rounds; round += 1) {
      for (const { name } of shipped.slice(0, functionsMax)) {
        // The three load in immediate succession: a slow phase of the machine takes seconds, and so affects all.
        for (const { file } of [clients, full, shipped].map((bundles) => bundleOf(bundles, name))) {
          const times = loads.get(file) ?? [];
          times.push(await loadMs(file));
          loads.set(file, times);
        }
      }
    }
    const timesOf = (bundles: readonly Bundle[], name: string) =>
      loads.get(bundleOf(bundles, name).file) ?? [];
    return shipped.slice(0, functionsMax).flatMap(({ name, bytes }): Figure[] => {
      const [alone, whole, lean] = [timesOf(clients, name), timesOf(full, name), timesOf(shipped, name)];
      const more = medianDifference(whole, alone);
      return [
        {
          figure: `bundle ${name}, minified`,
          measured: `${(bytes / 1_000).toFixed(0)} KB`,
          target: `at most ${bytesMax / 1_000} KB`,
          isReached: bytes <= bytesMax,
        },
        {
          figure: `load ${name}; its SDK clients alone; median difference (${rounds} in turns)`,
          measured: `${milliseconds(median(whole))}; ${milliseconds(median(alone))}; ${milliseconds(more)}`,
          target: `at most ${moreMsMax} ms more`,
          isReached: more <= moreMsMax,
        },
        {
          figure: `load ${name} as shipped, without the credential chain`,
          measured: `${milliseconds(median(lean))} (${milliseconds(medianDifference(whole, lean))} less)`,
          target: "",
        },
      ];
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function bundleOf(bundles: readonly Bundle[], name: string): Bundle {
  const found = bundles.find((bundle) => bundle.name === name);
  if (!found) throw new Error(`there is no bundle ${name}`);
  return found;
}

/** The median of differences between values measured in the same turn. */
function medianDifference(minuends: readonly number[], subtrahends: readonly number[]): number {
  return median(minuends.map((minuend, turn) => minuend - (subtrahends[turn] ?? Number.NaN)));
}

/** Bundles for each function only the SDK clients that its own bundle has. */
async function bundleClients(folder: string, functions: readonly Bundle[]): Promise<readonly Bundle[]> {
  const entryPoints: Record<string, string> = {};
  for (const { name, file } of functions) {
    const used = await clientsIn(join(folder, "full", "meta.json"), file);
    const source = join(folder, `${name}-clients.ts`);
    const imports = used.map((module) => `import { ${clientClasses[module]} } from "${module}";`);
    const made = used.map((module) => `new ${clientClasses[module]}({ region: "us-east-1" })`);
    await writeFile(source, `${imports.join("\n")}\nexport const handler = [${made.join(", ")}];\n`);
    entryPoints[name] = source;
  }
  return bundleFunctions({ outDir: join(folder, "clients"), withDefaultCredentialChain: true, entryPoints });
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
 * Loads a bundle as Lambda's own runtime does: CommonJS by `require`.
 *
 * Source: https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/UserFunction.js
 */
async function loadMs(file: string): Promise<number> {
  const probe = `const require = createRequire(import.meta.url);
    const at = performance.now(); require(${JSON.stringify(file)}); console.log(performance.now() - at);`;
  const source = `import { createRequire } from "node:module"; ${probe}`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", source], {
    env: { PATH: process.env.PATH, ...functionEnvironment, LAMBDA_TASK_ROOT: dirname(file) },
  });
  return Number(stdout.trim().split("\n").at(-1));
}
