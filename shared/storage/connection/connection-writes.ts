import { isoTimestamp } from "../../domain/clock.ts";
import type { Connection } from "../../domain/connection/connection.ts";
import type { ActivateOptions, DriverFacts } from "../../domain/connection/connection-store.ts";
import type { SecretDigests } from "../../domain/connection/machine-secret.ts";
import type { CurrentConnection } from "../../domain/machine/machine.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { linkChange, machineChange, machineRow } from "../machine/machine-item.ts";
import { type Change, type Condition, check, update, type Write } from "../table/expression.ts";
import { dueRow } from "../table/index-keys.ts";
import { connectionKey, machineKey } from "../table/keys.ts";
import { closedChange, greetedAttributes } from "./connection-item.ts";

export function isCurrent(connection: Pick<Connection, "id">): Condition {
  return { expression: "connection_id = :connection_id", values: { connection_id: connection.id } };
}

const unanswered = "connection_unanswered";
const unansweredAt = "connection_unanswered_at";

export function leftUnanswered(nowMs: number): Change {
  return { add: { [unanswered]: 1 }, set: { [unansweredAt]: isoTimestamp(nowMs) } };
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
  const is = (name: string, value: string | null) =>
    value === null ? `attribute_not_exists(${name})` : `${name} = :${name}`;
  return {
    expression: [is("secret_digest", secretDigest), is("pending_secret_digest", pendingSecretDigest)].join(
      " AND ",
    ),
    values: {
      ...(secretDigest !== null && { secret_digest: secretDigest }),
      ...(pendingSecretDigest !== null && { pending_secret_digest: pendingSecretDigest }),
    },
  };
}

/** The machine must still have the connection that was read, which is closed, too, unless it is already. */
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
      both(isAsRead, hasSecret(secret)),
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

export function both(one: Condition, other: Condition | undefined): Condition {
  if (other === undefined) return one;
  return {
    expression: `${one.expression} AND ${other.expression}`,
    values: { ...one.values, ...other.values },
  };
}

/** A machine with a run is due from then on, unless it is due already: the run ends if the machine stays away. */
export function clearWrite(
  connection: Connection,
  nowMs: number,
  { hasRun, isHeard }: { readonly hasRun: boolean; readonly isHeard: boolean },
): Write {
  const { organizationId, machineId } = connection;
  const now = isoTimestamp(nowMs);
  const link = linkChange(organizationId, "disconnected");
  const vanished = dueRow("VANISHED#MACHINE", machineId, nowMs);
  const current = isCurrent(connection);
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
  return update(machineKey(organizationId, machineId), change, {
    ...current,
    expression: `${current.expression} AND ${hasRun ? "attribute_exists" : "attribute_not_exists"}(current_run_id)`,
  });
}

export function isElsewhere(connection: Connection): Write {
  return check(machineKey(connection.organizationId, connection.machineId), {
    expression: "attribute_not_exists(connection_id) OR connection_id <> :connection_id",
    values: { connection_id: connection.id },
  });
}

function stillHas(current: CurrentConnection | null, keyId: string | undefined): Condition {
  return {
    expression: [
      "attribute_exists(pk) AND attribute_not_exists(deleted_at)",
      current ? "connection_id = :connection_id" : "attribute_not_exists(connection_id)",
      ...(keyId === undefined
        ? []
        : ["(attribute_not_exists(key_service_key_id) OR key_service_key_id = :key_id)"]),
    ].join(" AND "),
    values: {
      ...(current && { connection_id: current.id }),
      ...(keyId !== undefined && { key_id: keyId }),
    },
  };
}
