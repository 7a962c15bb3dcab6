import {
  type DriverCapability,
  ifNoneMatch,
  longTransferHeader,
  notModified,
} from "../../vocabulary/drivers.ts";
import type { ErrorCode } from "../../vocabulary/error-codes.ts";
import type { Clock, Ids } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { CurrentConnection, Machine } from "../machine/machine.ts";
import type { DriverAnswer, DriverChannel, DriverReply, DriverRequest } from "./driver-channel.ts";
import { driverError } from "./driver-error.ts";

/**
 * Leaves five seconds of the 30 s that API Gateway waits for an HTTP API, for the reads before and the response after.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
export const driverCallTimeoutMs = 25_000;

/** A long transfer continues after this time, which is shorter than usual because a driver at work is not silent. */
export const longTransferCallMs = 20_000;

const unacknowledged: DriverCapability = "single_part_unacknowledged";

export function makesLongTransfers({ capabilities }: Pick<Machine, "capabilities">): boolean {
  return capabilities.includes("long_transfers");
}

/** After this many timeouts in a row, calls fail at once. */
const unansweredMax = 2;

/** This long after the latest timeout, one more call tries whether the driver answers again. */
const unansweredMs = 5 * 60_000;

/** After these errors the action may have happened, unless `nothingDone` is set. */
export const uncertainErrors: ReadonlySet<ErrorCode> = new Set(["driver_timeout", "driver_connection_lost"]);

export const unansweredCodes = {
  not_delivered: "machine_not_connected",
  connection_lost: "driver_connection_lost",
  timeout: "driver_timeout",
} as const satisfies Record<Exclude<DriverAnswer["kind"], DriverReply["kind"] | "withheld">, ErrorCode>;

export interface CallDriverDeps {
  readonly channel: DriverChannel;
  readonly ids: Ids;
  readonly clock: Pick<Clock, "now">;
}

/** Identifies an action, so that the driver does it once; `repeat` queries only its answer. */
export type ActionIdentity = Pick<Idempotency, "id" | "repeat">;

export interface DriverCall
  extends Pick<DriverRequest, "method" | "path" | "body" | "bodyKey">,
    Partial<
      Pick<DriverRequest, "query" | "headers" | "largeResponse" | "isUrgent" | "timeoutMs" | "waitMs">
    > {
  readonly machine: Machine;
  /** The organization has as many calls under way as it may. */
  readonly isOrganizationBusy?: boolean;
  /** The driver must have named this capability in its hello, because another driver would do something else. */
  readonly needs?: DriverCapability | undefined;
  readonly answerKey?: string | undefined;
  readonly readBytesMax?: number | undefined;
  /** A file moves to or from the bucket. A capable driver continues after the call; the same action gets its answer. */
  readonly isLongTransfer?: boolean;
  readonly idempotency?: ActionIdentity | undefined;
  readonly allowed?: Promise<boolean> | undefined;
}

/**
 * @throws {DomainError} `machine_not_connected`, `not_supported_by_driver` and `organization_busy` (nothing happened),
 * `driver_connection_lost` or `driver_timeout` (it may have happened), `driver_rejected` (the driver's own 4xx),
 * `driver_busy`, `driver_failed`, and `outcome_unknown` when the driver does not remember a repeated action.
 */
export async function callDriver(deps: CallDriverDeps, call: DriverCall): Promise<DriverReply> {
  const connection = requireCallable(deps, call);
  const repeat = call.idempotency?.repeat ?? false;
  const isLong = call.isLongTransfer === true && makesLongTransfers(call.machine);
  const answer = await deps.channel.request({
    organizationId: call.machine.organizationId,
    machineId: call.machine.id,
    connection,
    method: call.method,
    path: call.path,
    query: call.query ?? "",
    headers: { ...call.headers, ...(isLong && { [longTransferHeader]: "true" }) },
    ...(call.body && { body: call.body }),
    ...(call.bodyKey && { bodyKey: call.bodyKey }),
    largeResponse: call.largeResponse ?? false,
    ...(call.answerKey !== undefined && { answerKey: call.answerKey }),
    ...(call.readBytesMax !== undefined && { readBytesMax: call.readBytesMax }),
    isUrgent: call.isUrgent ?? false,
    isUnacknowledged: call.machine.capabilities.includes(unacknowledged),
    actionId: call.idempotency?.id ?? deps.ids.uuid7(),
    repeat,
    ...(call.allowed && { allowed: call.allowed }),
    ...(call.waitMs !== undefined && { waitMs: call.waitMs }),
    timeoutMs: isLong ? longTransferCallMs : (call.timeoutMs ?? driverCallTimeoutMs),
  });
  switch (answer.kind) {
    case "not_delivered":
      throw notConnected();
    case "withheld":
      throw withheld();
    case "connection_lost":
      throw new DomainError(
        unansweredCodes.connection_lost,
        "the machine's connection ended before it responded; the action may have happened: retry with the same Idempotency-Key",
      );
    case "timeout":
      throw new DomainError(
        unansweredCodes.timeout,
        "the machine's driver did not respond in time; the action may have happened: retry with the same Idempotency-Key",
      );
    default:
      if (answer.status >= 200 && answer.status < 300) return answer;
      if (answer.status === notModified && call.headers?.[ifNoneMatch] !== undefined) return answer;
      throw driverError(answer, { path: call.path, repeat });
  }
}

/** @throws {DomainError} for the reasons to refuse a call before anything is sent. */
export function requireCallable(
  deps: Pick<CallDriverDeps, "clock">,
  call: Pick<DriverCall, "machine" | "isOrganizationBusy" | "needs" | "isUrgent" | "idempotency">,
): CurrentConnection {
  const connection = call.machine.connection;
  if (!connection) throw notConnected();
  const repeat = call.idempotency?.repeat ?? false;
  // A repeat does nothing but query the outcome of an action that a driver took.
  if (call.needs !== undefined && !repeat && !call.machine.capabilities.includes(call.needs)) {
    throw new DomainError(
      "not_supported_by_driver",
      `the machine's driver does not name ${call.needs} among its capabilities; nothing was done`,
    );
  }
  // A shutdown is the remedy for a desktop that hangs.
  if (isMute(connection, deps.clock.now()) && call.isUrgent !== true) {
    throw new DomainError(
      "driver_timeout",
      "the machine's driver has left the last calls unanswered, within the last minutes; nothing was done",
      { nothingDone: true },
    );
  }
  if (call.isOrganizationBusy === true && call.isUrgent !== true && !repeat) {
    throw new DomainError(
      "organization_busy",
      "the organization has as many calls to its desktops under way as it may; nothing was done",
      { retryAfterSeconds: 1 },
    );
  }
  return connection;
}

/** @throws {DomainError} `conflict`: the caller knows why, and that nothing was done. */
export async function untilAllowed(allowed: Promise<boolean> | undefined): Promise<void> {
  if ((await allowed) === false) throw withheld();
}

function withheld(): DomainError {
  return new DomainError("conflict", "the call is not to be made any more; nothing was done");
}

function isMute({ unanswered = 0, unansweredAt }: CurrentConnection, nowMs: number): boolean {
  return (
    unanswered >= unansweredMax &&
    unansweredAt !== undefined &&
    nowMs - Date.parse(unansweredAt) < unansweredMs
  );
}

function notConnected(): DomainError {
  return new DomainError(unansweredCodes.not_delivered, "the machine is not connected; nothing was done");
}
