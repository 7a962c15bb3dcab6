import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { organizationIdOf } from "../../shared/domain/organization-id.ts";
import { systemClock } from "../../shared/runtime/system.ts";
import { openTable } from "../operator/open-table.ts";
import { runProgram, say } from "../operator/run-program.ts";
import { tableOptions, tableUsage, targetOf } from "../operator/table-target.ts";
import { recountAll } from "../repair/recount-all.ts";
import { copyLostItems } from "./lost-items.ts";
import { restoreNamedSecrets } from "./named-secrets.ts";

const usage = `Copies what the service's table has lost out of a restored one (RUNBOOK.md, "Restore").

  npm run restore -- --from TABLE          says what is lost
  npm run restore -- --from TABLE --yes    copies it

Nothing that is there is overwritten. Queues, idle machines and calls are left out: the service makes them anew. Totals
are counted afterwards, and secrets that lost rows name and that were deleted since are brought back.

  --organization ID   only what that organization has lost

${tableUsage}`;

await runProgram({
  usage,
  options: {
    from: { type: "string" },
    organization: { type: "string" },
    yes: { type: "boolean" },
    ...tableOptions,
  },
  async run({ values }) {
    const { from, organization, yes: copies = false } = values;
    if (from === undefined || from === "") throw new Error("--from says which table was restored");
    const target = targetOf(values);
    const { client, tableName } = await openTable(target, from);
    try {
      const startedMs = systemClock.now();
      const found = await copyLostItems({
        client,
        from,
        to: tableName,
        copies,
        organizationId: organization === undefined ? undefined : organizationIdOf(organization),
        nowMs: startedMs,
      });
      for (const [kind, count] of [...found.lost].sort())
        say(`${kind}: ${count} ${copies ? "copied" : "lost"}`);
      const total = [...found.lost.values()].reduce((sum, count) => sum + count, 0);
      const seconds = ((systemClock.now() - startedMs) / 1_000).toFixed(1);
      say(`${total} of ${found.seen} ${copies ? "copied" : "lost, --yes copies them"}, in ${seconds} s`);
      if (!copies) return;
      for (const each of found.organizationIds) await recountAll({ client, tableName }, each, say);
      for (const id of found.runningRunIds) say(`run ${id} was running then: delete or cancel it`);
      if (target.kind !== "local") await restoreSecrets(target.region, found.secretNames);
    } finally {
      client.destroy();
    }
  },
});

async function restoreSecrets(region: string | undefined, names: ReadonlySet<string>): Promise<void> {
  const client = new SecretsManagerClient(region === undefined ? {} : { region });
  try {
    const { restored, gone } = await restoreNamedSecrets(client, names);
    say(`${restored} of ${names.size} secrets brought back`);
    for (const name of gone) say(`the secret ${name} is gone: its values have to be set anew`);
  } finally {
    client.destroy();
  }
}
