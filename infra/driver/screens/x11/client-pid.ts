import type { Resources } from "x11";
import type { DisplayConnection } from "./display-connection.ts";

const localClientPid = 2;

/** Returns undefined for a window of another machine, or where the server does not report the process. */
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
