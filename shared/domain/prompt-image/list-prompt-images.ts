import { type Caller, requireScope } from "../access/caller.ts";
import type { Page, PageRequest } from "../page.ts";
import type { PromptImage } from "./prompt-image.ts";
import type { PromptImageDeps } from "./prompt-image-deps.ts";

export async function listPromptImages(
  { promptImages }: Pick<PromptImageDeps, "promptImages">,
  caller: Caller,
  page: PageRequest,
): Promise<Page<PromptImage>> {
  requireScope(caller, "read");
  return await promptImages.list(caller.organizationId, page);
}
