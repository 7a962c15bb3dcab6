import { type Caller, requireScope } from "../access/caller.ts";
import { required } from "../entity/not-found.ts";
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

export async function getPromptImage(
  { promptImages }: Pick<PromptImageDeps, "promptImages">,
  caller: Caller,
  { id }: { readonly id: string },
): Promise<PromptImage> {
  requireScope(caller, "read");
  const image = required(await promptImages.find(caller.organizationId, id), "prompt image", id);
  return image;
}
