import type { OrganizationId } from "../organization-id.ts";
import { imageIdsIn } from "../prompt-image/prompt-image.ts";
import type { PromptImageStore } from "../prompt-image/prompt-image-deps.ts";
import type { PlannedImage } from "./plan.ts";

/** Providers limit the number of images of a request, and their bytes. */
const shownMax = 10;
const shownBytesMax = 10_485_760;

export async function planImages(
  { promptImages }: { readonly promptImages: Pick<PromptImageStore, "findMany"> },
  organizationId: OrganizationId,
  prompt: string,
): Promise<readonly PlannedImage[]> {
  const ids = imageIdsIn(prompt);
  const found = ids.length === 0 ? [] : await promptImages.findMany(organizationId, ids.slice(0, shownMax));
  let bytes = 0;
  return ids.map((id, at) => {
    const image = found.find((each) => each.id === id);
    if (image === undefined) return { id, shown: at < shownMax ? "gone" : "too_many" };
    bytes += image.sizeBytes;
    const { key, contentType } = image;
    return { id, shown: bytes > shownBytesMax ? "too_many" : { key, contentType } };
  });
}
