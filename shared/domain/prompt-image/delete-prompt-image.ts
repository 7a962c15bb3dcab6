import { type Caller, requireScope } from "../access/caller.ts";
import { notFound } from "../entity/not-found.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { PromptImageDeps } from "./prompt-image-deps.ts";

/** The sweeper removes a leftover object; prompts that name the image continue without it. */
export async function deletePromptImage(
  { promptImages, files }: Pick<PromptImageDeps, "promptImages" | "files">,
  caller: Caller,
  { id }: { readonly id: string },
  idempotency?: Idempotency,
): Promise<null> {
  requireScope(caller, "write");
  const image = await promptImages.find(caller.organizationId, id);
  if (image === undefined || !(await promptImages.remove(image, idempotency)))
    throw notFound("prompt image", id);
  await files.remove(image.key);
  return null;
}
