import { withTable } from "../operator/open-table.ts";
import { runProgram, say } from "../operator/run-program.ts";
import { tableOptions, tableUsage, targetOf } from "../operator/table-target.ts";
import { recountAll } from "./recount-all.ts";

const usage = `Recounts an organization's totals, repairs its index of runs by metadata, and says what it corrected.

  npm run repair -- --organization ID

Each list's \`total\` is read from counters that every creation and deletion adds to in its own transaction, and so is
what the service carries out for the organization; the index of runs by metadata has a row of each run, which the run's own
transactions write. This is for the day when they are wrong all the same. It may run while the service is used.

${tableUsage}`;

await runProgram({
  usage,
  options: { organization: { type: "string" }, ...tableOptions },
  async run({ values }) {
    const { organization } = values;
    if (organization === undefined || organization === "")
      throw new Error("--organization says whose totals");
    await withTable(targetOf(values), (opened) => recountAll(opened, organization, say));
  },
});
