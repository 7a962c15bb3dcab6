import type { Machine } from "../../../../shared/contract/machine.ts";

/** The machine's name, or what is known of one that has none. */
export function nameOf({ name, hostname, id }: Pick<Machine, "name" | "hostname" | "id">): string {
  return name || hostname || id;
}
