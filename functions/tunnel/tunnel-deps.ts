import type { ApiKeyStore } from "../../shared/domain/access/api-key.ts";
import type { KeyVerifier } from "../../shared/domain/access/credentials.ts";
import type { RateLimiter } from "../../shared/domain/access/rate-limits.ts";
import type { Clock, Ids } from "../../shared/domain/clock.ts";
import type { ConnectionStore } from "../../shared/domain/connection/connection-store.ts";
import type { LiveTicketStore } from "../../shared/domain/live/live-ticket.ts";
import type { ViewerStore } from "../../shared/domain/live/viewer-store.ts";
import type { Logger } from "../../shared/domain/logger.ts";
import type { MachineStore } from "../../shared/domain/machine/machine-store.ts";
import type { Signer } from "../../shared/domain/signer.ts";
import type { CallRecords } from "../../shared/domain/tunnel/call-records.ts";
import type { CallSlots } from "../../shared/domain/tunnel/call-slots.ts";
import type { MailboxStore } from "../../shared/domain/tunnel/mailbox.ts";
import type { SocketDismissal } from "../../shared/domain/tunnel/socket-dismissal.ts";
import type { SocketGateway } from "../../shared/domain/tunnel/socket-gateway.ts";
import type { TicketStore } from "../../shared/domain/tunnel/ticket-store.ts";

export interface TunnelDeps {
  readonly keyVerifier: KeyVerifier;
  readonly keys: Pick<ApiKeyStore, "find">;
  readonly tickets: Pick<TicketStore, "find" | "redeem">;
  readonly liveTickets: Pick<LiveTicketStore, "redeem">;
  readonly viewers: Pick<ViewerStore, "open" | "findBySocket" | "hear" | "remove">;
  readonly machines: Pick<MachineStore, "find" | "findByFingerprint" | "create" | "proveSecret">;
  readonly connections: ConnectionStore;
  readonly mailboxes: Pick<MailboxStore, "put">;
  readonly callRecords: Pick<CallRecords, "arrive">;
  readonly slots: Pick<CallSlots, "release">;
  readonly rateLimiter: RateLimiter;
  readonly keyConnectionsMax: number;
  readonly pingSeconds: number;
  readonly sockets: SocketGateway;
  readonly dismissal: SocketDismissal;
  readonly signer: Signer;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly newMachineSecret: () => string;
  /** The Region is part of a machine's `physical_server_id`. */
  readonly region: string;
  readonly transferHost: string;
}
