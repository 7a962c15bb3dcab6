import type { DesktopMethod } from "../../vocabulary/methods.ts";
import type { Actor } from "../audit/act.ts";
import type { WaitUntil } from "../background.ts";
import type { Logger } from "../logger.ts";
import type { CurrentConnection } from "../machine/machine.ts";
import type { OrganizationId } from "../organization-id.ts";

export interface DriverRequest {
  readonly organizationId: OrganizationId;
  readonly machineId: string;
  readonly connection: CurrentConnection;
  readonly method: DesktopMethod;
  /** The path on the driver, `/computer/…` or `/internal/shutdown`. */
  readonly path: string;
  /** The query is encoded and lacks the question mark; "" means none. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body is sent in parts up to 60 KB, and through the bucket above that. */
  readonly body?: Uint8Array;
  /** The key of an object that the driver fetches as the body instead. */
  readonly bodyKey?: string;
  /** The driver gets a place in the bucket for an answer above 60 KB. */
  readonly largeResponse: boolean;
  /** The key of that place. An answer that is there stays. */
  readonly answerKey?: string;
  /** An answer of at most this many bytes is read from there at once and removed. */
  readonly readBytesMax?: number;
  /** The driver remembers the id, so that an action is done once. */
  readonly actionId: string;
  /** A shutdown of the driver, sent whatever else is under way. */
  readonly isUrgent: boolean;
  /** The driver needs no `received` for an answer of one part. @default false */
  readonly isUnacknowledged?: boolean;
  /** The request queries only the stored answer: a driver that does not know the action says 409 and does nothing. */
  readonly repeat: boolean;
  readonly timeoutMs: number;
  /**
   * The driver works on the request only after something has happened, or after this time. Such a request takes no place
   * of a connection's calls, and its silence says nothing about the driver. @default 0
   */
  readonly waitMs?: number;
  /** Nothing is sent before it resolves, and only if it resolves to true. */
  readonly allowed?: Promise<boolean>;
}

export type DriverAnswer =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Uint8Array;
    }
  | {
      readonly kind: "stored";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly key: string;
      readonly sizeBytes: number;
    }
  /** The socket closed before the request was fully sent: nothing happened. The machine is marked disconnected. */
  | { readonly kind: "not_delivered" }
  | { readonly kind: "withheld" }
  /** The connection ended after the request was delivered and before an answer came. */
  | { readonly kind: "connection_lost" }
  | { readonly kind: "timeout" };

export type DriverReply = Extract<DriverAnswer, { readonly kind: "answered" | "stored" }>;

export interface Requester {
  readonly requestId: string;
  readonly logger: Logger;
  readonly actor: Actor;
  /** Takes over the record of a call's end, which the call otherwise waits for. */
  readonly waitUntil?: WaitUntil;
}

/** One mailbox per invocation: a caller of fifty machines at once polls one partition. */
export interface DriverChannel {
  /** @throws {DomainError} `answer_too_large` above `readBytesMax`. */
  request(request: DriverRequest): Promise<DriverAnswer>;
}
