import type { ShownMachine } from "./machine-words.ts";

interface Filters {
  readonly status?: string;
  readonly search?: string;
}

/** As the API's list filters: by the status, and by a part of id, name or hostname, whatever the case. */
export function isAmong(
  { id, name, hostname, status }: Pick<ShownMachine, "id" | "name" | "hostname" | "status">,
  filters: Filters,
): boolean {
  const search = filters.search?.toLowerCase() ?? "";
  const isFound = [id, name, hostname].some((text) => text.toLowerCase().includes(search));
  return isFound && (filters.status === undefined || filters.status === status);
}
