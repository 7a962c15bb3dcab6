import { parseJsonBody } from "../../aws/json-protocol.ts";
import type { ServiceCall } from "../../aws/service-call.ts";
import type { Clock } from "./clock.ts";
import type { DurableEngine } from "./durable-engine.ts";
import type { DurableExecution } from "./durable-execution.ts";
import type { HistoryEvent } from "./history.ts";
import { CheckpointRequest, ErrorObject, invalidParameter } from "./wire.ts";

export type DurableCall = (
  engine: DurableEngine,
  clock: Clock,
  execution: DurableExecution,
  call: ServiceCall,
) => object;

const versionIn = (functionArn: string): string => functionArn.slice(functionArn.lastIndexOf(":") + 1);

export const durableCalls: Readonly<Record<string, DurableCall>> = {
  CheckpointDurableExecution: (engine, clock, execution, call) => {
    const parsed = CheckpointRequest.safeParse(parseJsonBody(call.body));
    if (!parsed.success) throw invalidParameter(parsed.error.issues.map(describeIssue).join("; "));
    const answer = execution.checkpoint(parsed.data, clock.now());
    engine.checkpointed(execution);
    return answer;
  },

  GetDurableExecutionState: (_engine, _clock, execution, { query }) =>
    execution.state(
      query.get("CheckpointToken") ?? "",
      query.get("Marker") ?? undefined,
      maxItems(query, 1_000),
    ),

  GetDurableExecution: (_engine, _clock, { arn, input, ending, status }) => ({
    DurableExecutionArn: arn,
    DurableExecutionName: input.name,
    FunctionArn: input.functionArn,
    StartTimestamp: new Date(input.startedAtMs),
    Status: status,
    InputPayload: input.payload,
    Version: versionIn(input.functionArn),
    ...(ending && { EndTimestamp: new Date(ending.atMs), Result: ending.result, Error: ending.error }),
  }),

  GetDurableExecutionHistory: (_engine, _clock, { history }, { query }) => {
    const events = query.get("ReverseOrder") === "true" ? history.events.toReversed() : history.events;
    const { items, next } = pageOf(events, query);
    const withData = query.get("IncludeExecutionData") !== "false";
    return { Events: withData ? items : items.map(withoutData), NextMarker: next };
  },

  StopDurableExecution: (engine, clock, execution, { body }) => {
    const parsed = ErrorObject.safeParse(body.length === 0 ? {} : parseJsonBody(body));
    if (!parsed.success) throw invalidParameter("Error is not valid.");
    engine.stopExecution(execution, parsed.data);
    return { StopTimestamp: new Date(execution.ending?.atMs ?? clock.now()) };
  },
};

export function listExecutions(
  engine: DurableEngine,
  functionAddress: string,
  version: string | undefined,
  query: URLSearchParams,
): object {
  const statuses = query.getAll("Statuses");
  const name = query.get("DurableExecutionName");
  const [after, before] = ["StartedAfter", "StartedBefore"].map((field) => query.get(field));
  const found = engine.list().filter(({ input, status }) => {
    if (input.functionAddress !== functionAddress) return false;
    if (version !== undefined && versionIn(input.functionArn) !== version) return false;
    if (name !== null && input.name !== name) return false;
    if (typeof after === "string" && input.startedAtMs <= Date.parse(after)) return false;
    if (typeof before === "string" && input.startedAtMs >= Date.parse(before)) return false;
    return statuses.length === 0 || statuses.includes(status);
  });
  const { items, next } = pageOf(query.get("ReverseOrder") === "true" ? found : found.toReversed(), query);
  return {
    DurableExecutions: items.map(({ arn, input, ending, status }) => ({
      DurableExecutionArn: arn,
      DurableExecutionName: input.name,
      FunctionArn: input.functionArn,
      Status: status,
      StartTimestamp: new Date(input.startedAtMs),
      EndTimestamp: ending && new Date(ending.atMs),
    })),
    NextMarker: next,
  };
}

function pageOf<Item>(
  all: readonly Item[],
  query: URLSearchParams,
): { readonly items: readonly Item[]; readonly next: string | undefined } {
  const from = Number(query.get("Marker") ?? 0);
  if (!Number.isInteger(from) || from < 0) throw invalidParameter("Invalid Marker.");
  const items = all.slice(from, from + maxItems(query, 100));
  const end = from + items.length;
  return { items, next: end < all.length ? String(end) : undefined };
}

function maxItems(query: URLSearchParams, whenNone: number): number {
  const asked = Number(query.get("MaxItems") ?? 0);
  return Number.isInteger(asked) && asked > 0 ? Math.min(asked, 1_000) : whenNone;
}

function withoutData(event: HistoryEvent): HistoryEvent {
  const bare = (value: unknown): unknown =>
    typeof value === "object" && value !== null && "Payload" in value ? {} : value;
  return Object.fromEntries(
    Object.entries(event).map(([name, value]) => [
      name,
      name.endsWith("Details")
        ? Object.fromEntries(Object.entries(value).map(([field, each]) => [field, bare(each)]))
        : value,
    ]),
  ) as unknown as HistoryEvent;
}

function describeIssue({
  path,
  message,
}: {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}) {
  return `${path.join(".")}: ${message}`;
}
