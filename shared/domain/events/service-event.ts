import type {
  MachineEventType,
  RunEventType,
  ScheduleEventType,
  supersededEventType,
} from "../../vocabulary/events.ts";
import type { MachineStatus } from "../../vocabulary/machines.ts";
import type { RunStatus } from "../../vocabulary/runs.ts";
import type { Connection } from "../connection/connection.ts";
import type { Machine } from "../machine/machine.ts";
import type { Run } from "../run/run.ts";
import type { Schedule } from "../schedule/schedule.ts";

/** The fields of a run that events may reveal, without inputs, outputs, errors and secrets. */
export type RunState = Pick<
  Run,
  | "id"
  | "organizationId"
  | "userId"
  | "workflowId"
  | "isWebhooksEnabled"
  | "machineId"
  | "poolIds"
  | "sessionId"
  | "status"
  | "held"
  | "createdAt"
  | "startedAt"
  | "endedAt"
  | "deletedAt"
  | "revision"
>;

/** The fields of a machine that events may reveal, without parameters and secrets. */
export type MachineState = Pick<
  Machine,
  | "id"
  | "organizationId"
  | "name"
  | "isAvailable"
  | "alertsEnabled"
  | "reservedSessionId"
  | "poolIds"
  | "createdAt"
  | "deletedAt"
  | "revision"
> & { readonly status: MachineStatus };

/** The fields of a schedule that events may reveal, without inputs. */
export type ScheduleState = Pick<
  Schedule,
  | "id"
  | "organizationId"
  | "userId"
  | "name"
  | "workflowId"
  | "isEnabled"
  | "disabledReason"
  | "missed"
  | "createdAt"
  | "deletedAt"
  | "revision"
>;

interface Told {
  /** The id is the same however often the change is read from the stream. */
  readonly id: string;
  readonly occurredAt: string;
}

export type ServiceEvent =
  | (Told & {
      readonly subject: "run";
      readonly type: RunEventType;
      readonly run: RunState;
      readonly previousStatus: RunStatus | null;
    })
  | (Told & {
      readonly subject: "machine";
      readonly type: MachineEventType;
      readonly machine: MachineState;
      readonly previousStatus: MachineStatus | null;
    })
  | (Told & {
      readonly subject: "schedule";
      readonly type: ScheduleEventType;
      readonly schedule: ScheduleState;
    })
  | (Told & {
      readonly subject: "connection";
      readonly type: typeof supersededEventType;
      /** The connection that took over the machine; its `supersededAddress` is not null. */
      readonly connection: Pick<
        Connection,
        "id" | "organizationId" | "machineId" | "ipAddress" | "supersededAddress"
      >;
    });
