import type { OrganizationId } from "../organization-id.ts";
import type { Actor } from "./act.ts";

export interface RequestLog {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly machineId: string;
  readonly requestId: string;
  readonly actor: Actor;
  readonly method: string;
  readonly path: string;
  /** The driver's status code; null if it gave none. */
  readonly statusCode: number | null;
  readonly errorCode: string | null;
  readonly createdAt: string;
  /** Null means that the caller died. */
  readonly completedAt: string | null;
  readonly durationMs: number | null;
  readonly requestBytes: number;
  readonly responseBytes: number;
}
