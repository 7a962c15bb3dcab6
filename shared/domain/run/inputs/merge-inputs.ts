import { type JsonObject, jsonBytes } from "../../json.ts";
import type { Machine } from "../../machine/machine.ts";
import type { Pool } from "../../pool/pool.ts";
import type { Run, SecretOwner } from "../run.ts";
import { tooLarge } from "./input-bytes.ts";

type Parameters<T extends Machine | Pool> = Pick<T, "id" | "parameters" | "sensitiveAliases">;

export interface InputSources {
  readonly run: Pick<Run, "inputValues" | "sensitiveAliases">;
  /** Null while unknown. */
  readonly machine: Parameters<Machine> | null;
  /** Those that the run names, in that order. */
  readonly pools: readonly Parameters<Pool>[];
}

export interface MergedInputs {
  readonly inputValues: JsonObject;
  /** The inherited aliases, each with its owner. */
  readonly inheritedSecrets: Readonly<Record<string, SecretOwner>>;
  /** The inherited names, plain and sensitive. */
  readonly inherited: readonly string[];
}

/**
 * A run's effective inputs: its own value of a name, else its machine's, else that of the first pool that has one.
 * Plain and sensitive values rank together, so a run's plain value overrides a machine's secret of that name; where one
 * machine or pool has both under one name, the secret wins.
 */
export function mergeInputs({ run, machine, pools }: InputSources): MergedInputs {
  const values = new Map(Object.entries(run.inputValues));
  const own = new Set([...values.keys(), ...run.sensitiveAliases]);
  const taken = new Set(own);
  const secrets = new Map<string, SecretOwner>();
  const owners = [
    ...(machine === null ? [] : [{ kind: "machine" as const, ...machine }]),
    ...pools.map((pool) => ({ kind: "pool" as const, ...pool })),
  ];
  for (const { kind, id, parameters, sensitiveAliases } of owners) {
    for (const alias of sensitiveAliases.filter((name) => !taken.has(name))) {
      secrets.set(alias, { kind, id });
      taken.add(alias);
    }
    for (const [name, value] of Object.entries(parameters).filter(([name]) => !taken.has(name))) {
      values.set(name, value);
      taken.add(name);
    }
  }
  return {
    // From entries, since a name may be `__proto__`.
    inputValues: Object.fromEntries(values),
    inheritedSecrets: Object.fromEntries(secrets),
    inherited: [...taken].filter((name) => !own.has(name)),
  };
}

/** Bytes of JSON: what any one machine or pool has fits, and the run stays far below the item limit. */
const inheritedBytesMax = 131_072;

/** The error message when they exceed what a run can have. */
export function mergedTooLarge({
  inputValues,
  inheritedSecrets,
}: Pick<MergedInputs, "inputValues" | "inheritedSecrets">): string | undefined {
  const bytes = jsonBytes(
    Object.fromEntries(Object.entries(inheritedSecrets).map(([alias, owner]) => [alias, { ...owner }])),
  );
  return bytes <= inheritedBytesMax
    ? tooLarge(inputValues)
    : `the names of the secrets of the machine and the pools take ${bytes} bytes of JSON, more than ${inheritedBytesMax}`;
}
