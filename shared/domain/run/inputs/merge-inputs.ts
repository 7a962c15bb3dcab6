import { inputBytesMax } from "../../../vocabulary/files.ts";
import { type JsonObject, jsonBytes } from "../../json.ts";
import type { Machine } from "../../machine/machine.ts";
import type { Pool } from "../../pool/pool.ts";
import type { Run, SecretOwner } from "../run.ts";

type Parameters<T extends Machine | Pool> = Pick<T, "id" | "parameters" | "sensitiveAliases">;

export interface InputSources {
  readonly run: Pick<Run, "inputValues" | "sensitiveAliases">;
  readonly machine: Parameters<Machine> | null;
  readonly pools: readonly Parameters<Pool>[];
}

export interface MergedInputs {
  readonly inputValues: JsonObject;
  readonly inheritedSecrets: Readonly<Record<string, SecretOwner>>;
  readonly inherited: readonly string[];
}

/** Own values win, then the machine's, then the first pool's. An owner's secret wins over its plain value. */
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
    // A name may be `__proto__`, which an object literal would not take.
    inputValues: Object.fromEntries(values),
    inheritedSecrets: Object.fromEntries(secrets),
    inherited: [...taken].filter((name) => !own.has(name)),
  };
}

/** The bound, in bytes of JSON, fits any one machine's or pool's parameters and is far below the item limit. */
const inheritedBytesMax = 131_072;

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

function tooLarge(inputs: JsonObject): string | undefined {
  const bytes = jsonBytes(inputs);
  return bytes <= inputBytesMax
    ? undefined
    : `the inputs take ${bytes} bytes of JSON, more than ${inputBytesMax}`;
}
