import { serviceCalls as calls } from "../aws/metered.ts";
import type { FileStore } from "../domain/file-store.ts";
import type { DriverChannel, Requester } from "../domain/tunnel/driver-channel.ts";
import type { AppDeps } from "../http/http-deps.ts";
import { createSigner } from "../secrets/create-signer.ts";
import type { KeySecretOptions } from "../secrets/current-key.ts";
import { DynamoConnectionStore } from "../storage/connection/dynamo-connection-store.ts";
import { DynamoMachineStore } from "../storage/machine/dynamo-machine-store.ts";
import type { DynamoTable } from "../storage/table/dynamo-table.ts";
import { DynamoCallRecords } from "../storage/tunnel/dynamo-call-records.ts";
import { DynamoCallSlots } from "../storage/tunnel/dynamo-call-slots.ts";
import { DynamoCallsUnderWay } from "../storage/tunnel/dynamo-calls-under-way.ts";
import { DynamoMailboxStore } from "../storage/tunnel/dynamo-mailbox-store.ts";
import { AnswerTimes } from "../tunnel/answer-times.ts";
import { createApiGatewaySocketGateway } from "../tunnel/api-gateway-socket-gateway.ts";
import { createDriverChannel } from "../tunnel/tunnel-driver-channel.ts";
import type { Environment } from "./environment.ts";

export const tunnelVariables = [
  "WEBSOCKET_CALLBACK_URL",
  "TUNNEL_KEY_SECRET",
  "ORGANIZATION_CALLS_MAX",
] as const;

export interface TunnelPartsOptions {
  readonly env: Environment<(typeof tunnelVariables)[number]>;
  readonly http: Pick<AppDeps, "clock" | "ids">;
  readonly table: DynamoTable;
  readonly secretsClient: KeySecretOptions["client"];
  readonly files: FileStore;
}

export function createTunnelParts({ env, http, table, secretsClient, files }: TunnelPartsOptions) {
  const { clock, ids } = http;
  const signer = createSigner({ client: secretsClient, secretId: env.TUNNEL_KEY_SECRET, clock });
  const connections = new DynamoConnectionStore({ table });
  const mailboxes = new DynamoMailboxStore({ table, clock });
  const sockets = createApiGatewaySocketGateway({ callbackUrl: env.WEBSOCKET_CALLBACK_URL, clock });
  const callRecords = new DynamoCallRecords({ table, clock });
  const slots = new DynamoCallSlots({ table, clock });
  const callsUnderWay = new DynamoCallsUnderWay({ table, clock });
  const answerTimes = new AnswerTimes();
  const channelDeps = {
    answerTimes,
    sockets,
    mailboxes,
    callRecords,
    slots,
    callsUnderWay,
    connections,
    files,
    signer,
    calls,
    clock,
    ids,
  };
  const openChannel = (requester: Requester): DriverChannel => createDriverChannel(channelDeps, requester);
  const machines = new DynamoMachineStore({ table, clock });
  return { connections, machines, openChannel, organizationCallsMax: env.ORGANIZATION_CALLS_MAX };
}
