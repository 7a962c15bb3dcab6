import { type Caller, requireScope } from "../access/caller.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Attachment } from "./attachment.ts";
import type { AttachmentDeps } from "./attachment-deps.ts";
import type { AttachmentFilter } from "./attachment-store.ts";

export async function listAttachments(
  deps: Pick<AttachmentDeps, "attachments" | "clock">,
  caller: Caller,
  input: { readonly filter: AttachmentFilter; readonly page: PageRequest },
): Promise<Page<Attachment>> {
  requireScope(caller, "read");
  return await deps.attachments.list(caller.organizationId, input.filter, input.page, deps.clock.now());
}
