import { type Caller, requireScope } from "../access/caller.ts";
import type { Page, PageRequest } from "../page.ts";
import type { PromptImage } from "./prompt-image.ts";
import { type PromptImageDeps, promptImageNotFound } from "./prompt-image-deps.ts";

export async function listPromptImages(
  { promptImages }: Pick<PromptImageDeps, "promptImages">,
  caller: Caller,
  page: PageRequest,
): Promise<Page<PromptImage>> {
  requireScope(caller, "read");
  return await promptImages.list(caller.organizationId, page);
}

export async function getPromptImage(
  { promptImages }: Pick<PromptImageDeps, "promptImages">,
  caller: Caller,
  { id }: { readonly id: string },
): Promise<PromptImage> {
  requireScope(caller, "read");
  const image = await promptImages.find(caller.organizationId, id);
  if (image === undefined) throw promptImageNotFound(id);
  return image;
}
