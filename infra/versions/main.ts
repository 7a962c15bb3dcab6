import { parseArgs } from "node:util";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { listVersionUses, removeVersion } from "./unused-versions.ts";

const usage = `Removes versions of the executor that nobody runs.

  npm run versions -- prune --function NAME          says what it would remove
  npm run versions -- prune --function NAME --yes    removes it

Each deployment that changes the executor publishes a version, and keeps those before it: runs under way go on with
the one that they began on. One that no alias names and that has no open executions is used by nobody.

  --function NAME     the output executorFunctionName of the service stack
  --region REGION     the Region; AWS_REGION otherwise
`;

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h" },
      function: { type: "string" },
      region: { type: "string" },
      yes: { type: "boolean" },
    },
  });
  if (values.help === true || positionals.length === 0) {
    process.stdout.write(usage);
    return;
  }
  const [verb, ...others] = positionals;
  if (verb !== "prune" || others.length > 0)
    throw new Error(`there is no ${positionals.join(" ")}, only prune`);
  const { function: functionName, region } = values;
  if (functionName === undefined || functionName === "") throw new Error("--function says whose versions");
  const client = new LambdaClient(region === undefined ? {} : { region });
  try {
    for (const { version, use } of await listVersionUses(client, functionName)) {
      if (use === "unused" && values.yes === true) {
        await removeVersion(client, functionName, version);
        process.stdout.write(`${version}: removed\n`);
      } else process.stdout.write(`${version}: ${use}${use === "unused" ? ", --yes removes it" : ""}\n`);
    }
  } finally {
    client.destroy();
  }
}

try {
  await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
