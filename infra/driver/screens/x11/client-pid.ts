import type { Resources } from "x11";
import type { DisplayConnection } from "./display-connection.ts";

const localClientPid = 2;

/** Finds the process of a window; undefined where it is on another machine, or the server does not report it. */
export async function clientPid(
  connection: DisplayConnection,
  resources: Resources | undefined,
  window: number,
): Promise<number | undefined> {
  if (resources === undefined) return undefined;
  const ids = await connection.ask<readonly { readonly value: readonly number[] }[]>((reply) =>
    resources.QueryClientIds([{ client: window, mask: localClientPid }], reply),
  );
  return ids[0]?.value[0];
}
