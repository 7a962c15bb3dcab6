import { coveredProviders } from "../../../shared/vocabulary/providers.ts";
import type { Sources } from "./cause.ts";
import type { Sample } from "./metrics.ts";

export const providers = Object.values(coveredProviders).flat();

export const streams = { projector: /^Projections/, matcher: /^Matches/ } as const;

/** A deployment that works: requests, machines and runs, and each timer on time. */
export async function healthySamples(sources: Sources): Promise<readonly Sample[]> {
  const { lambda, lambdaOfAccount, mapping, queue, http } = sources;
  const answered = { kind: "answered", value: null, usage: noUsage } as const;
  const steps = await Promise.all(providers.map(async (each) => await sources.modelStep(each, answered)));
  return [
    ...http("5xx", 0),
    ...repeated(20, [...http("Count", 1), ...(await sources.request("ok"))]),
    ...repeated(4, await sources.assigned({ waited_ms: 60_000, matched_ms: 300 })),
    ...repeated(2, steps.flat()),
    ...(await sources.fired({ schedules_late_ms: 900 })),
    ...(await sources.swept({
      connected_machines: 400,
      runs_waiting: 3,
      oldest_waiting_ms: 90_000,
      service_runs_under_way: 30,
      service_runs_max: 100,
      service_organizations_in_line: 0,
      deletions_left_over: 0,
      matching_left_over: 0,
      unnamed_held_back: 0,
    })),
    ...sources.functions.flatMap((name) => [...lambda(name)("Errors", 0), ...lambda(name)("Throttles", 0)]),
    ...lambda("sweeper")("Invocations", 1),
    ...Object.entries(streams).flatMap(([name, id]) => [
      ...lambda(name)("IteratorAge", 400),
      ...mapping(id)("InvokedEventCount", 4),
      ...mapping(id)("FilteredOutEventCount", 40),
      ...mapping(id)("DroppedEventCount", 0),
    ]),
    ...sources.table()("ConsumedWriteCapacityUnits", 60),
    ...lambdaOfAccount("ClaimedAccountConcurrency", 2_750),
    ...lambdaOfAccount("ApproximateRunningDurableExecutionsUtilization", 12),
    ...[...Object.values(streams), /^executor/, /^webhookdeliverer/].flatMap((id) =>
      queue(id)("ApproximateNumberOfMessagesVisible", 0),
    ),
    ...sources.canary()("SuccessPercent", 100),
  ];
}

export const noUsage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0 };

export function repeated(times: number, samples: readonly Sample[]): readonly Sample[] {
  return Array.from({ length: times }, () => samples).flat();
}
