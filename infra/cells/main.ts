import { isOrganizationId, type OrganizationId } from "../../shared/domain/organization-id.ts";
import { systemClock } from "../../shared/runtime/system.ts";
import { DynamoApiKeyStore } from "../../shared/storage/access/dynamo-api-key-store.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { type OpenedTable, withTable } from "../operator/open-table.ts";
import { runProgram, say } from "../operator/run-program.ts";
import { tableOptions, targetOf } from "../operator/table-target.ts";
import { copyKeys } from "./copy-keys.ts";
import { moveConnected } from "./move-connected.ts";

const usage = `Gives an organization another cell: another deployment of the service (infra/CELLS.md says in which order).

  npm run cells -- keys --organization ID --deployment FROM --into TO [--into-region REGION]
  npm run cells -- move --organization ID --deployment FROM --to wss://ADDRESS

keys makes the organization's API keys good in the other deployment, too. move tells the organization's connected
drivers that they are at home at that address from now on. A driver that allows the address's host goes there, the others
stay; a machine with a run stays until it has ended. Both may be run again, until nothing is left.

With AWS credentials as for the AWS command line:

  --deployment NAME   the deployment where the organization is now; or --table NAME, its table
  --region REGION     its Region; AWS_REGION otherwise
`;

const options = {
  organization: { type: "string" },
  into: { type: "string" },
  "into-region": { type: "string" },
  to: { type: "string" },
  ...tableOptions,
} as const;

await runProgram({
  usage,
  options,
  takesWords: true,
  async run({ values, positionals: [verb, surplus] }) {
    if (surplus !== undefined) throw new Error(`"${surplus}" is one word too many; see --help`);
    const { organization: organizationId } = values;
    if (!isOrganizationId(organizationId)) throw new Error("--organization says which one moves");
    const target = targetOf(values);
    if (target.kind === "local") throw new Error("--deployment says where the organization is now");
    if (verb !== "keys" && verb !== "move")
      throw new Error(`the command is keys or move, not "${verb ?? ""}"; see --help`);
    await withTable(target, (opened) =>
      verb === "keys" ? keys(opened, organizationId, values) : move(opened, organizationId, values.to),
    );
  },
});

async function keys(
  from: OpenedTable,
  organizationId: OrganizationId,
  { into, "into-region": region }: { readonly into?: string; readonly "into-region"?: string },
): Promise<void> {
  if (into === undefined) throw new Error("--into names the deployment that gets the keys");
  const copied = await withTable({ kind: "deployment", deployment: into, region }, (to) =>
    copyKeys(storeOf(from), storeOf(to), organizationId, systemClock.now()),
  );
  for (const id of copied) say(id);
  say(`${copied.length} keys are good in ${into}, too`, process.stderr);
}

async function move(opened: OpenedTable, organizationId: OrganizationId, to = ""): Promise<void> {
  const address = URL.parse(to);
  if (address?.protocol !== "wss:") throw new Error("--to is the other cell's address, wss://…");
  const { moved, busy, waiting } = await moveConnected(opened, organizationId, address.href);
  for (const id of busy) say(`${id}\thas a run`);
  for (const id of waiting) say(`${id}\tits driver goes nowhere by itself`);
  say(`${moved.length} moved, ${busy.length} with a run, ${waiting.length} that stay`, process.stderr);
}

function storeOf({ client, tableName }: OpenedTable): DynamoApiKeyStore {
  return new DynamoApiKeyStore({
    table: new DynamoTable({ client, tableName, clock: systemClock }),
    clock: systemClock,
  });
}
