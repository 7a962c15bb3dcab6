import type { StepStatus } from "../../vocabulary/run-steps.ts";
import type { JsonObject } from "../json.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Size } from "../picture/picture.ts";
import type { MachineHold } from "./hold.ts";

export interface PersonalPicture extends Size {
  readonly png: Uint8Array;
}

/** One computer operation of a machine's holder, as an action of the vocabulary. */
export interface PersonalAction {
  /** As it was sent: its text may be a secret. */
  readonly action: JsonObject;
  readonly status: StepStatus;
  readonly error?: string | undefined;
}

interface HeldMachine {
  readonly organizationId: OrganizationId;
  readonly id: string;
  readonly sensitiveAliases: readonly string[];
  readonly poolIds: readonly string[];
}

export interface PersonalCall {
  readonly organizationId: OrganizationId;
  readonly machine: HeldMachine;
  /** The request's own id, by which a repeat is known; undefined without an Idempotency-Key. */
  readonly callId: string | undefined;
  readonly held: MachineHold;
  /** The actions of a batch, in order; any other operation is one. */
  readonly actions: readonly PersonalAction[];
  /** The screen right before the first action and after the last one; undefined where the desktop gave none. */
  readonly before: PersonalPicture | undefined;
  readonly after: PersonalPicture | undefined;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/** The call has been done by then, so a failure is logged and does not fail the call. */
export interface PersonalActions {
  record(call: PersonalCall): Promise<void>;
}
