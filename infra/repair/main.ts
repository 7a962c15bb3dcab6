import { parseArgs } from "node:util";
import { openTable } from "../operator/open-table.ts";
import { targetOf } from "../operator/table-target.ts";
import { recountAll } from "./recount-all.ts";

const usage = `Recounts an organization's totals, and says what it corrected.

  npm run repair -- --organization ID

Each list's \`total\` is read from counters that every creation and deletion adds to in its own transaction, and so is
what the service carries out for the organization; this is for the day when they are wrong all the same. It may run
while the service is used.

Without more it works on the local stack that "npm start" has started. On a deployed one, with AWS credentials as
for the AWS command line:

  --deployment NAME   finds the table of that deployment
  --table NAME        names the table itself
  --region REGION     the Region; AWS_REGION otherwise
`;

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      help: { type: "boolean", short: "h" },
      organization: { type: "string" },
      deployment: { type: "string" },
      table: { type: "string" },
      region: { type: "string" },
    },
  });
  const { organization } = values;
  if (values.help === true || process.argv.length <= 2) {
    process.stdout.write(usage);
    return;
  }
  if (organization === undefined || organization === "") throw new Error("--organization says whose totals");
  const opened = await openTable(targetOf(values));
  try {
    await recountAll(opened, organization, (line) => process.stdout.write(`${line}\n`));
  } finally {
    opened.client.destroy();
  }
}

try {
  await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
