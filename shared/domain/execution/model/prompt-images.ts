import { promptImageBytesMax } from "../../../vocabulary/files.ts";
import type { PromptPicture } from "../../model/language-models.ts";
import { modelWords } from "../../model/model-words.ts";
import { type PromptImage, partsOfPrompt } from "../../prompt-image/prompt-image.ts";
import type { Invocation } from "../step/invocation.ts";
import { memoryOf } from "./conversation.ts";

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
    // Images that an input's text names are not the prompt's.
    if (shown === undefined) parts.push(`![](image:${part.imageId})`);
    else if (shown === "too_many") parts.push(modelWords.imageTooMany);
    else
      parts.push((shown === "gone" ? undefined : await readImage(invocation, shown)) ?? modelWords.imageGone);
  }
  return parts;
}

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
