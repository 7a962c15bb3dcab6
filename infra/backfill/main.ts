import { systemClock } from "../../shared/runtime/system-clock.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { openTable } from "../operator/open-table.ts";
import { runProgram, say } from "../operator/run-program.ts";
import { tableOptions, tableUsage, targetOf } from "../operator/table-target.ts";
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

${tableUsage}`;

await runProgram({
  usage,
  options: { from: { type: "string" }, ...tableOptions },
  takesWords: true,
  async run({ values, positionals }) {
    const [name = "", ...others] = positionals;
    const backfill = Object.hasOwn(backfills, name) ? backfills[name] : undefined;
    if (backfill === undefined || others.length > 0) {
      throw new Error(`name one of the backfills: ${Object.keys(backfills).join(", ")}`);
    }
    const { client, tableName } = await openTable(targetOf(values));
    try {
      const table = new DynamoTable({ client, tableName, clock: systemClock });
      let [read, written, from] = [0, 0, values.from];
      do {
        const pass = await writePageAnew({ client, tableName, table, backfill, from });
        [read, written, from] = [read + pass.read, written + pass.written, pass.cursor];
        const next = from === undefined ? "done" : `goes on with --from ${from}`;
        say(`${read} rows read, ${written} written, ${next}`);
      } while (from !== undefined);
    } finally {
      client.destroy();
    }
  },
});
