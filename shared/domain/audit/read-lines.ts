import { type Caller, requireScope } from "../access/caller.ts";
import { DomainError } from "../errors.ts";
import type { Page, PageRequest } from "../page.ts";
import type { LineStore } from "./line-store.ts";

export async function listLines<Line, Filter>(
  lines: Pick<LineStore<Line, Filter>, "list">,
  caller: Caller,
  input: { readonly filter: Filter; readonly page: PageRequest },
): Promise<Page<Line>> {
  requireScope(caller, "read");
  return await lines.list(caller.organizationId, input.filter, input.page);
}

export async function getLine<Line>(
  lines: Pick<LineStore<Line, never>, "find">,
  caller: Caller,
  { id }: { readonly id: string },
): Promise<Line> {
  requireScope(caller, "read");
  const line = await lines.find(caller.organizationId, id);
  if (line === undefined) throw new DomainError("not_found", `there is no ${id} here, or not any more`);
  return line;
}
