import type * as z from "zod";
import {
  MachineChangedMessage,
  MissedMessage,
  RunChangedMessage,
  StepRecordedMessage,
  ViewerGoodbyeMessage,
  ViewerPingMessage,
  ViewerPongMessage,
  WatchingMessage,
  WatchMessage,
} from "../../shared/contract/live.ts";
import { ErrorMessage } from "../../shared/contract/tunnel.ts";

export interface LiveChannelMessage {
  /** The name is the `type`, except where the tunnel has a message of that type, too. */
  readonly name: string;
  readonly from: "viewer" | "service";
  readonly summary: string;
  readonly schema: z.ZodType;
  readonly answeredBy?: string;
  readonly example: Readonly<Record<string, unknown>>;
}

const runId = "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f";
const machineId = "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e10";
const topics = ["machines", `run:${runId}`];

export const liveMessages: readonly LiveChannelMessage[] = [
  {
    name: "watch",
    from: "viewer",
    summary: "Replaces the topics that the viewer watches; idempotent.",
    schema: WatchMessage,
    answeredBy: "watching",
    example: { type: "watch", topics },
  },
  {
    name: "watching",
    from: "service",
    summary: "From here on no hint is lost, so the viewer reads what it shows.",
    schema: WatchingMessage,
    example: { type: "watching", topics },
  },
  {
    name: "viewer.ping",
    from: "viewer",
    summary: "Keeps the connection, which API Gateway closes once it was idle for 10 minutes.",
    schema: ViewerPingMessage,
    answeredBy: "viewer.pong",
    example: { type: "ping" },
  },
  {
    name: "viewer.pong",
    from: "service",
    summary: "Answers a ping.",
    schema: ViewerPongMessage,
    example: { type: "pong" },
  },
  {
    name: "run.changed",
    from: "service",
    summary: "A run changed, or its progress; for `runs` and `run:<id>`.",
    schema: RunChangedMessage,
    example: {
      type: "run.changed",
      run_id: runId,
      workflow_id: "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e11",
      machine_id: machineId,
      revision: 7,
      status: "running",
      progress: { step: 3, of: 12 },
      is_held: false,
    },
  },
  {
    name: "step.recorded",
    from: "service",
    summary: "A run has a further step on record; for `run:<id>`.",
    schema: StepRecordedMessage,
    example: { type: "step.recorded", run_id: runId, index: 3 },
  },
  {
    name: "machine.changed",
    from: "service",
    summary: "A machine changed; for `machines` and `machine:<id>`.",
    schema: MachineChangedMessage,
    example: { type: "machine.changed", machine_id: machineId, revision: 12, status: "connected" },
  },
  {
    name: "missed",
    from: "service",
    summary: "Hints were left out, so the viewer reads anew all that it shows.",
    schema: MissedMessage,
    example: { type: "missed" },
  },
  {
    name: "viewer.error",
    from: "service",
    summary: "A message could not be used, and changed nothing.",
    schema: ErrorMessage,
    example: { type: "error", code: "malformed", message: "topics.0: there is no such topic" },
  },
  {
    name: "viewer.goodbye",
    from: "service",
    summary: "The connection is about to be deleted.",
    schema: ViewerGoodbyeMessage,
    example: { type: "goodbye", code: "expired", retry_after_seconds: 0 },
  },
];
