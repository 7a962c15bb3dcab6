import type { DriverCapability } from "../../vocabulary/drivers.ts";
import type { DesktopMethod } from "../../vocabulary/methods.ts";
import type { Caller } from "../access/caller.ts";
import { type ActionIdentity, callDriver } from "../tunnel/call-driver.ts";
import type { ComputerDeps } from "./computer-deps.ts";
import { type DesktopAccess, getDesktop } from "./get-desktop.ts";
import { type JsonAnswer, jsonAnswer } from "./json-answer.ts";

export interface ForwardActionInput {
  readonly machineId: string;
  readonly access: DesktopAccess;
  readonly method: DesktopMethod;
  /** The path below `/computer/` on the driver. */
  readonly operation: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  readonly needs?: DriverCapability | undefined;
  readonly largeResponse?: boolean | undefined;
  readonly readBytesMax?: number | undefined;
}

/** Forwards an operation to the driver, under the API's own path. @throws {DomainError} as `callDriver` */
export async function forwardAction(
  deps: ComputerDeps,
  caller: Caller,
  input: ForwardActionInput,
  idempotency?: ActionIdentity,
): Promise<JsonAnswer> {
  const desktop = await getDesktop(deps, caller, input.machineId, input.access);
  const reply = await callDriver(deps, {
    ...desktop,
    needs: input.needs,
    method: input.method,
    path: `/computer/${input.operation}`,
    query: new URLSearchParams(input.query).toString(),
    ...(input.body && jsonBody(input.body)),
    largeResponse: input.largeResponse ?? false,
    readBytesMax: input.readBytesMax,
    idempotency,
  });
  return jsonAnswer(reply);
}

export function jsonBody(body: Readonly<Record<string, unknown>>): {
  headers: Record<string, string>;
  body: Uint8Array;
} {
  return {
    headers: { "content-type": "application/json" },
    body: new TextEncoder().encode(JSON.stringify(body)),
  };
}
