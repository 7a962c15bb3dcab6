import { mkdir, rm, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { seedDemo } from "../../infra/local/demo/seed-demo.ts";
import { spawnStack } from "../support/stack/spawn-stack.ts";
import { type Client, clients, type Surroundings } from "./clients.ts";
import { startLaterService } from "./later-service.ts";
import { fetchTools } from "./tools.ts";
import { NotToBeHad, Workplace } from "./workplace.ts";

const root = fileURLToPath(new URL("../../.local/clients", import.meta.url));

/** Nothing is begun after this time; in CI it is short, so that a slow registry does not hold up the other tests. */
const allMsMax = process.env.CI === undefined ? 1_200_000 : 300_000;
const endsAtMs = performance.now() + allMsMax;

type Outcome = "ran" | "not run" | "failed";

/**
 * `npm run clients`: makes a client of the service's OpenAPI document with each generator, compiles it and uses it
 * against a stack on this machine; and reads the document with two linters. It names what cannot be had here, and fails
 * for a client that does not work. `npm run clients -- java Spectral` tries those alone.
 */
async function main(named: readonly string[]): Promise<void> {
  await rm(root, { recursive: true, force: true });
  await mkdir(root, { recursive: true });
  const tools = fetchTools(await Workplace.create(join(root, "tools"), endsAtMs));
  const stack = await spawnStack({ desktop: "simulated" });
  const service = await startLaterService(stack.baseUrl);
  try {
    const document = join(root, "openapi.json");
    await writeFile(document, await (await fetch(`${stack.baseUrl}/openapi.json`)).text());
    const variables = {
      BASE_URL: service.baseUrl,
      API_KEY: stack.apiKey,
      MACHINE_ID: stack.machineId ?? "",
      WORKFLOW_ID: await seedDemo(stack),
    };
    const waiting = clients.filter(
      ({ name }) => named.length === 0 || named.some((one) => name.endsWith(one)),
    );
    const outcomes: Outcome[] = [];
    const work = async () => {
      for (let client = waiting.shift(); client !== undefined; client = waiting.shift()) {
        const place = await Workplace.create(join(root, client.name.replaceAll(/\W+/g, "-")), endsAtMs);
        outcomes.push(await tryOut(client, { place, tools, document, service: variables }));
      }
    };
    // One more than there are processors: programs mostly wait for their runs.
    await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));
    const countOf = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length;
    console.log(`clients: ${countOf("ran")} ran, ${countOf("not run")} not run, ${countOf("failed")} failed`);
    if (countOf("ran") === 0 || countOf("failed") > 0) process.exitCode = 1;
  } finally {
    service.stop();
    await stack.stop();
  }
}

async function tryOut(client: Client, surroundings: Surroundings): Promise<Outcome> {
  const { name, isRequired } = client;
  const startedMs = performance.now();
  try {
    await client.use(surroundings);
    console.log(`${name}: ran, ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
    return "ran";
  } catch (error) {
    const outcome = error instanceof NotToBeHad && !isRequired ? "not run" : "failed";
    console.log(`${outcome}: ${name}: ${error instanceof Error ? error.message : String(error)}`);
    return outcome;
  }
}

await main(process.argv.slice(2));
