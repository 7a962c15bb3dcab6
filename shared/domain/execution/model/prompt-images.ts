import { promptImageBytesMax } from "../../../vocabulary/files.ts";
import type { PromptPicture } from "../../model/language-models.ts";
import { modelWords } from "../../model/model-words.ts";
import type { OrganizationId } from "../../organization-id.ts";
import type { PlannedImage } from "../../plan/plan.ts";
import { imageIdsIn, type PromptImage, partsOfPrompt } from "../../prompt-image/prompt-image.ts";
import type { ExecutorDeps } from "../executor-deps.ts";
import type { Invocation } from "../step/invocation.ts";
import { memoryOf } from "./conversation.ts";

/** Most images of a prompt that are shown, and their bytes in all: providers bound a request. */
const shownMax = 10;
const shownBytesMax = 10_485_760;

/** Pins the images that a prompt names; one read, none where it names none. */
export async function planImages(
  { promptImages }: Pick<ExecutorDeps, "promptImages">,
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

/** A text with the prompt's images in their places. */
export async function withImages(
  invocation: Invocation,
  text: string,
): Promise<readonly (string | PromptPicture)[]> {
  const images = invocation.plan.model?.images ?? [];
  if (images.length === 0) return [text];
  const parts: (string | PromptPicture)[] = [];
  for (const part of partsOfPrompt(text)) {
    if (typeof part === "string") {
      parts.push(part);
      continue;
    }
    const shown = images.find(({ id }) => id === part.imageId)?.shown;
    // What an input says is no prompt's.
    if (shown === undefined) parts.push(`![](image:${part.imageId})`);
    else if (shown === "too_many") parts.push(modelWords.imageTooMany);
    else
      parts.push((shown === "gone" ? undefined : await readImage(invocation, shown)) ?? modelWords.imageGone);
  }
  return parts;
}

/** Undefined for one that was deleted since the run began. */
async function readImage(
  invocation: Invocation,
  { key, contentType }: Pick<PromptImage, "key" | "contentType">,
): Promise<PromptPicture | undefined> {
  const { images } = memoryOf(invocation);
  const bytes = images.get(key) ?? (await invocation.deps.files.get(key, promptImageBytesMax));
  if (bytes === undefined) return undefined;
  images.set(key, bytes);
  return { contentType, bytes };
}
