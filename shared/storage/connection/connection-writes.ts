import { isoTimestamp } from "../../domain/clock.ts";
import type { Connection } from "../../domain/connection/connection.ts";
import type { ActivateOptions, DriverFacts } from "../../domain/connection/connection-store.ts";
import type { SecretDigests } from "../../domain/connection/machine-secret.ts";
import type { CurrentConnection } from "../../domain/machine/machine.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { linkChange, machineChange, machineRow } from "../machine/machine-item.ts";
import {
  allOf,
  type Change,
  type Condition,
  check,
  hasValue,
  living,
  update,
  type Write,
} from "../table/expression.ts";
import { dueRow } from "../table/index-keys.ts";
import type { Item } from "../table/item.ts";
import { connectionKey, machineKey } from "../table/keys.ts";
import { closedChange, greetedAttributes } from "./connection-item.ts";

export function isCurrent(connection: Pick<Connection, "id">): Condition {
  return hasValue("connection_id", connection.id);
}

const unanswered = "connection_unanswered";
const unansweredAt = "connection_unanswered_at";

export function leftUnanswered(nowMs: number): Change {
  return { add: { [unanswered]: 1 }, set: { [unansweredAt]: isoTimestamp(nowMs) } };
}

export function hasUnanswered(machine: Item): boolean {
  return machine[unanswered] !== undefined;
}

export const answered = { remove: [unanswered, unansweredAt] } satisfies Change;

export const countPrefix = "connection_";
const framesCounted = [`${countPrefix}frames`, `${countPrefix}frame_window`] as const;

export function frameWindow(nowMs: number): number {
  return Math.floor(nowMs / 60_000);
}

export const isOpen: Condition = {
  expression: "attribute_exists(pk) AND status <> :disconnected",
  values: { disconnected: "disconnected" },
};

export function factsChange(
  organizationId: OrganizationId,
  facts: DriverFacts,
  secret: ActivateOptions["secret"],
): Change {
  const next = secret?.nextDigest;
  return machineChange(organizationId, { ...facts, ...(next && { pendingSecretDigest: next }) });
}

export function hasDigests(machine: SecretDigests, secret: ActivateOptions["secret"]): boolean {
  return (
    secret === undefined ||
    (machine.secretDigest === secret.secretDigest &&
      machine.pendingSecretDigest === secret.pendingSecretDigest)
  );
}

export function hasSecret(secret: ActivateOptions["secret"]): Condition | undefined {
  if (secret === undefined) return undefined;
  const { secretDigest, pendingSecretDigest } = secret;
  return allOf(
    hasValue("secret_digest", secretDigest),
    hasValue("pending_secret_digest", pendingSecretDigest),
  );
}

/** The machine must still have the connection that was read, which is closed as well, unless it is already. */
export function activateParts(
  connection: Connection,
  facts: DriverFacts,
  nowMs: number,
  options: {
    readonly secret: ActivateOptions["secret"];
    readonly current: CurrentConnection | null;
    readonly closesCurrent: boolean;
    readonly bindKey: boolean;
    readonly supersededAddress: string | undefined;
  },
) {
  const { organizationId } = connection;
  const { current, secret } = options;
  const next = secret?.nextDigest;
  const lastPing = isoTimestamp(nowMs);
  const machine = machineChange(organizationId, {
    ...facts,
    ...(next && { pendingSecretDigest: next }),
    lastSeen: lastPing,
    linkedKeepaliveMachineId: connection.keepaliveForMachineId,
  });
  const link = linkChange(organizationId, "connected");
  const set = greetedAttributes(connection, nowMs, options.supersededAddress);
  const isAsRead = stillHas(current, options.bindKey ? undefined : connection.keyId);
  return {
    connection: update(connectionKey(organizationId, connection.id), { set }, isOpen),
    machine: update(
      machineKey(organizationId, connection.machineId),
      {
        set: {
          ...machine.set,
          ...machineRow.set({ connection: { ...connection, lastPing } }),
          // The hello is the first frame.
          [framesCounted[0]]: 1,
          [framesCounted[1]]: frameWindow(nowMs),
        },
        compute: {
          ...link.compute,
          key_service_key_id: options.bindKey ? ":key_id" : "if_not_exists(key_service_key_id, :key_id)",
        },
        values: { ...link.values, key_id: connection.keyId },
        remove: ["disconnected_at", ...answered.remove],
        add: { revision: 1 },
      },
      allOf(isAsRead, hasSecret(secret)),
    ),
    current:
      current && options.closesCurrent
        ? update(
            connectionKey(organizationId, current.id),
            closedChange(connection, nowMs, current.lastPing),
            isOpen,
          )
        : undefined,
  };
}

/** A machine with a run is due from then on, unless it is due already; the run ends if the machine stays away. */
export function clearWrite(
  connection: Connection,
  nowMs: number,
  { hasRun, isHeard }: { readonly hasRun: boolean; readonly isHeard: boolean },
): Write {
  const { organizationId, machineId } = connection;
  const now = isoTimestamp(nowMs);
  const link = linkChange(organizationId, "disconnected");
  const vanished = dueRow("VANISHED#MACHINE", machineId, nowMs);
  const change = {
    set: { disconnected_at: now, ...(isHeard && { last_seen: now }) },
    compute: {
      ...link.compute,
      ...(hasRun && {
        due_pk: "if_not_exists(due_pk, :vanished_pk)",
        due_sk: "if_not_exists(due_sk, :vanished_sk)",
      }),
    },
    values: {
      ...link.values,
      ...(hasRun && { vanished_pk: vanished.due_pk, vanished_sk: vanished.due_sk }),
    },
    remove: [
      "connection_id",
      "connection_websocket_id",
      "connection_host",
      "connection_last_ping",
      ...framesCounted,
      "linked_keepalive_machine_id",
      ...answered.remove,
    ],
    add: { revision: 1 },
  };
  const isWithRun = { expression: `${hasRun ? "attribute_exists" : "attribute_not_exists"}(current_run_id)` };
  return update(machineKey(organizationId, machineId), change, allOf(isCurrent(connection), isWithRun));
}

export function isElsewhere(connection: Connection): Write {
  return check(machineKey(connection.organizationId, connection.machineId), {
    expression: "attribute_not_exists(connection_id) OR connection_id <> :connection_id",
    values: { connection_id: connection.id },
  });
}

function stillHas(current: CurrentConnection | null, keyId: string | undefined): Condition {
  const isBound = "(attribute_not_exists(key_service_key_id) OR key_service_key_id = :key_id)";
  return allOf(
    living,
    hasValue("connection_id", current?.id ?? null),
    keyId === undefined ? undefined : { expression: isBound, values: { key_id: keyId } },
  );
}
