import type { FaultRequest } from "../../../infra/local/aws/faults.ts";
import { control } from "./stack-client.ts";

/** A fault that the next calls of this kind meet; `clearFaults` ends those that met none. */
export async function injectFault(fault: FaultRequest): Promise<void> {
  await control("/aws/faults", fault);
}

export async function clearFaults(): Promise<void> {
  await control("/aws/faults", undefined, "DELETE");
}

/** Those that no call has met yet. */
export async function faultsLeft(): Promise<readonly unknown[]> {
  return (await control<{ items: readonly unknown[] }>("/aws/faults")).items;
}
