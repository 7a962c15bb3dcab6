import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type DemoApi, demoClient } from "./demo-client.ts";
import { requireStack } from "./require-stack.ts";
import { runDemo } from "./run-demo.ts";
import { seedDemo } from "./seed-demo.ts";

const localFolder = fileURLToPath(new URL("../../../.local", import.meta.url));

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
  const { api, machineId } = readStack();
  await requireStack(api, machineId);
  say("making the demo's workflow, unless it is there …");
  const workflowId = await seedDemo(api);
  const pictures = (runId: string) => join(localFolder, "demo", runId);
  const keep = (runId: string, name: string, picture: Uint8Array) => {
    mkdirSync(pictures(runId), { recursive: true });
    writeFileSync(join(pictures(runId), name), picture);
  };
  const { id, isSuccess } = await runDemo({ client: demoClient(api), machineId, workflowId, say, keep });
  say(`pictures: ${relative(process.cwd(), pictures(id))}`);
  if (!isSuccess) process.exitCode = 1;
}

function readStack(): { readonly api: DemoApi; readonly machineId: string } {
  try {
    const stack = JSON.parse(readFileSync(join(localFolder, "stack.json"), "utf8")) as Readonly<
      Record<string, string>
    >;
    return {
      api: { baseUrl: stack.base_url ?? "", apiKey: stack.api_key ?? "" },
      machineId: stack.machine_id ?? "",
    };
  } catch (cause) {
    throw new Error('nothing runs here: start the service with "npm start" first', { cause });
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
