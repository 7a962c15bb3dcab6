import { parseArgs } from "node:util";
import { systemClock } from "../../shared/runtime/system-clock.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { openTable } from "../operator/open-table.ts";
import { targetOf } from "../operator/table-target.ts";
import { backfills } from "./backfills.ts";
import { writePageAnew } from "./write-anew.ts";

const listed = Object.entries(backfills)
  .map(([name, { about }]) => `  ${name.padEnd(18)}${about}`)
  .join("\n");

const usage = `Writes rows of earlier releases as today's writes them, while the service is used.

  npm run backfill -- NAME [--from CURSOR]

${listed}

It reads the whole table, page by page, and prints after each where it would go on; --from goes on there after an
interruption. To do it twice does nothing more.

Without more it works on the local stack that "npm start" has started. On a deployed one, with AWS credentials as
for the AWS command line:

  --deployment NAME   finds the table of that deployment
  --table NAME        names the table itself
  --region REGION     the Region; AWS_REGION otherwise
`;

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h" },
      from: { type: "string" },
      deployment: { type: "string" },
      table: { type: "string" },
      region: { type: "string" },
    },
  });
  const [name, ...others] = positionals;
  if (values.help === true || name === undefined) {
    process.stdout.write(usage);
    return;
  }
  const backfill = Object.hasOwn(backfills, name) ? backfills[name] : undefined;
  if (backfill === undefined || others.length > 0) throw new Error(`there is no ${positionals.join(" ")}`);
  const { client, tableName } = await openTable(targetOf(values));
  try {
    const table = new DynamoTable({ client, tableName, clock: systemClock });
    let [read, written, from] = [0, 0, values.from];
    do {
      const pass = await writePageAnew({ client, tableName, table, backfill, from });
      [read, written, from] = [read + pass.read, written + pass.written, pass.cursor];
      const next = from === undefined ? "done" : `goes on with --from ${from}`;
      process.stdout.write(`${read} rows read, ${written} written, ${next}\n`);
    } while (from !== undefined);
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
