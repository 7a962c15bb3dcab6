import type { FileStore } from "../domain/file-store.ts";
import type { DriverChannel, Requester } from "../domain/tunnel/driver-channel.ts";
import type { HttpDeps } from "../http/http-deps.ts";
import { DynamoConnectionStore } from "../storage/connection/dynamo-connection-store.ts";
import { DynamoMachineStore } from "../storage/machine/dynamo-machine-store.ts";
import type { DynamoTable } from "../storage/table/dynamo-table.ts";
import { DynamoCallSlots } from "../storage/tunnel/dynamo-call-slots.ts";
import { DynamoMailboxStore } from "../storage/tunnel/dynamo-mailbox-store.ts";
import { createApiGatewaySocketGateway } from "../tunnel/api-gateway-socket-gateway.ts";
import { createDriverChannel } from "../tunnel/tunnel-driver-channel.ts";

export interface TunnelPartsOptions {
  readonly http: HttpDeps;
  readonly table: DynamoTable;
  readonly callbackUrl: string;
  readonly files: FileStore;
}

/** What a route group needs to call drivers. */
export function createTunnelParts({ http, table, callbackUrl, files }: TunnelPartsOptions) {
  const { clock, ids, signer } = http;
  const connections = new DynamoConnectionStore({ table });
  const mailboxes = new DynamoMailboxStore({ table, clock });
  const sockets = createApiGatewaySocketGateway({ callbackUrl, clock });
  const slots = new DynamoCallSlots({ table, clock });
  const channelDeps = { sockets, mailboxes, slots, connections, files, signer, clock, ids };
  const openChannel = (requester: Requester): DriverChannel => createDriverChannel(channelDeps, requester);
  return { connections, machines: new DynamoMachineStore({ table, clock }), openChannel };
}
