import type { CallRecord, CallsSnapshot } from "../../../infra/local/aws/calls.ts";
import { control } from "./stack-client.ts";

/** function -> `service operation` -> calls. */
export type CallCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

export async function callsDuring<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly counts: CallCounts; readonly recent: readonly CallRecord[]; readonly result: Result }> {
  await control("/aws/calls", undefined, "DELETE");
  const result = await work();
  const { counts, recent } = await control<CallsSnapshot>("/aws/calls");
  const flat = Object.entries(counts).map(([functionName, services]) => [
    functionName,
    Object.fromEntries(
      Object.entries(services).flatMap(([service, operations]) =>
        Object.entries(operations).map(([operation, count]) => [`${service} ${operation}`, count]),
      ),
    ),
  ]);
  return { counts: Object.fromEntries(flat) as CallCounts, recent, result };
}
