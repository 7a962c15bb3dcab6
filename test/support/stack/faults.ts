import type { FaultRequest } from "../../../infra/local/aws/faults.ts";
import { control } from "./stack-client.ts";

/** Plans a fault of the next calls of this kind; `clearFaults` removes faults that met no call. */
export async function injectFault(fault: FaultRequest): Promise<void> {
  await control("/aws/faults", fault);
}

export async function clearFaults(): Promise<void> {
  await control("/aws/faults", undefined, "DELETE");
}

/** Faults that no call has met yet. */
export async function faultsLeft(): Promise<readonly unknown[]> {
  return (await control<{ items: readonly unknown[] }>("/aws/faults")).items;
}
