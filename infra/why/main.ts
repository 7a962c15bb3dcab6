import * as z from "zod";
import { organizationIdOf } from "../../shared/domain/organization-id.ts";
import { openSession } from "../operator/aws-session.ts";
import { openTable, readStackFile } from "../operator/open-table.ts";
import { runProgram, say } from "../operator/run-program.ts";
import { type TableTarget, tableOptions, tableUsage, targetOf } from "../operator/table-target.ts";
import { pageOf } from "./page.ts";
import { readFacts } from "./read-facts.ts";
import { openAccountSource } from "./sources/account-source.ts";
import { createLocalSource } from "./sources/local-source.ts";
import type { Source } from "./sources/source.ts";

const usage = `Says in one sentence why a run is where it is and what to do, and shows on one page what that is read from: the run's
row, what it waits for, its assignment, its machine and connection, its execution's history and its last lines in the logs.

  npm run why -- --run ID

It changes nothing, and shows no input, typed text or secret.

  --organization ID   needed only for a run that a worker carries out

${tableUsage}`;

await runProgram({
  usage,
  options: { run: { type: "string" }, organization: { type: "string" }, ...tableOptions },
  async run({ values }) {
    const runId = z.uuidv7({ error: "--run says which run, by its id" }).safeParse(values.run);
    if (!runId.success) throw new Error(runId.error.issues[0]?.message);
    const { organization } = values;
    const source = await openSource(targetOf(values));
    try {
      const owner = organization === undefined ? undefined : organizationIdOf(organization);
      for (const line of pageOf(await readFacts(source, runId.data, owner))) say(line);
    } finally {
      source.close();
    }
  },
});

async function openSource(target: TableTarget): Promise<Source> {
  const opened = await openTable(target);
  if (target.kind === "local") return createLocalSource(opened, readStackFile());
  const region = await openSession(opened.client);
  const deployment = target.kind === "deployment" ? target.deployment : deploymentOf(target.tableName);
  return await openAccountSource(opened, { deployment, region });
}

/** A restored table has the name of the one before, with more behind it. */
function deploymentOf(tableName: string): string {
  const [, deployment] = /^das-(.+)-data-Table/.exec(tableName) ?? [];
  if (deployment === undefined) throw new Error(`${tableName} is no deployment's table`);
  return deployment;
}
